/*
 * explore.h - what both ways of exploring on a PostgreSQL server share: from the games, and from stored counts.
 */
#ifndef TBY_STORE_PG_EXPLORE_H
#define TBY_STORE_PG_EXPLORE_H

#include "store/postgres/server.h"

typedef struct exploring {
    server *to;
    const tby_db_search *among; /* NULL: all games */
    buffer ids;                 /* the games that count, if SQL cannot express them */
    bool has_ids;
    const tby_position *pos;
    tby_next_move *legal;
    size_t n_legal;
    tby_db_moves counted; /* the legal moves in order, without null moves */
    bool is_wrong;        /* the server returned invalid data */

    bool is_asked;   /* counts were requested and have not arrived yet */
    bool is_counted; /* by the answer: the position is counted,*/
    bool is_partial; /* but counts by year are not enough */
    bool is_done;    /* the counts are the complete answer */
} exploring;

/* Call exploring_end in any case. */
bool exploring_begin(exploring *e, server *to, const tby_position *pos, const tby_db_search *among);
void exploring_end(exploring *e);
/* Requests the counts in one statement, and reads the answer. If they are not enough, `is_done` stays false and nothing
   is counted. */
bool exploring_send_counts(exploring *e);
bool exploring_take_counts(exploring *e);
/* Then, unless it is done, counts the games. */
bool exploring_rest(exploring *e);
/* Reports the counts. */
void exploring_pass(const exploring *e, const passing_visitor *visitor);

/* The games that count and reach the position, one by one: requests them, and reports them. */
bool exploring_send_games(exploring *e);
bool exploring_take_games(exploring *e, tby_db_meet meet, void *context);

/* What would be used. */
typedef enum pg_source { PG_FROM_GAMES, PG_NOT_COUNTED, PG_FROM_COUNTS } pg_source;
bool exploring_explain(server *s, const tby_position *pos, const tby_db_search *among, pg_source *out);
void exploring_put_source(buffer *out, pg_source from);

/* Resets the counts. */
void exploring_empty(exploring *e);
/* The legal move with this text, or NULL. */
tby_db_move *explored_move(exploring *e, tby_text uci);
/* Sets a failure if the server returned invalid data. */
bool exploring_is_wrong(exploring *e);

#endif
