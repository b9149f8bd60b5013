/*
 * explore.h - what the two ways of exploring on a PostgreSQL server share: from the games, and from counts that are
 * kept.
 */
#ifndef TBY_STORE_PG_EXPLORE_H
#define TBY_STORE_PG_EXPLORE_H

#include "store/postgres/server.h"

typedef struct exploring {
    server *to;
    const tby_db_search *among; /* NULL: all games */
    buffer ids;                 /* of the games that count, if SQL cannot say which */
    bool has_ids;
    const tby_position *pos;
    tby_next_move *legal;
    size_t n_legal;
    tby_db_moves counted; /* a move for each that is legal, in their order; not those that are reached by null moves */
    bool is_wrong;        /* an answer that means nothing */

    bool is_asked;   /* the counts; their answer is still to come */
    bool is_counted; /* as the answer said: the position is, */
    bool is_partial; /* but counts by year are not enough */
    bool is_done;    /* the counts have answered everything */
} exploring;

/* exploring_end in any case. */
bool exploring_begin(exploring *e, server *to, const tby_position *pos, const tby_db_search *among);
void exploring_end(exploring *e);
/* In one statement: asks for the counts, and takes the answer. Where they are not enough, `is_done` stays false and
   nothing is counted. */
bool exploring_send_counts(exploring *e);
bool exploring_take_counts(exploring *e);
/* Then, unless it is done: from the games. */
bool exploring_rest(exploring *e);
/* Passes on what has been counted. */
void exploring_pass(const exploring *e, const passing_visitor *visitor);

/* The games that count and come to the position, one by one: sends for them, and passes them on. */
bool exploring_send_games(exploring *e);
bool exploring_take_games(exploring *e, tby_db_meet meet, void *context);

/* What would answer. */
typedef enum pg_source { PG_FROM_GAMES, PG_NOT_COUNTED, PG_FROM_COUNTS } pg_source;
bool exploring_explain(server *s, const tby_position *pos, const tby_db_search *among, pg_source *out);
void exploring_put_source(buffer *out, pg_source from);

/* Nothing is counted yet. */
void exploring_empty(exploring *e);
/* The legal move, or NULL. */
tby_db_move *explored_move(exploring *e, tby_text uci);
/* If an answer meant nothing, says so. */
bool exploring_is_wrong(exploring *e);

#endif
