/*
 * explore.h - what the two ways of exploring on a PostgreSQL server share: from the games, and from counts that are
 * kept.
 */
#ifndef TBY_STORE_PG_EXPLORE_H
#define TBY_STORE_PG_EXPLORE_H

#include "store/postgres/pg.h"

typedef struct exploring {
    pg *to;
    const tby_db_search *among; /* NULL: all games */
    text_buffer ids;            /* of the games that count, if SQL cannot say which */
    bool has_ids;
    text_buffer shards; /* "2,5": those whose games are looked at; empty: all */
    const tby_position *pos;
    const tby_next_move *legal;
    size_t n_legal;
    tby_db_moves *out; /* a move for each that is legal, in their order, until all is counted */
    bool is_wrong;     /* an answer that means nothing */
} exploring;

/* The legal move, or NULL. */
tby_db_move *pg_explored_move(const exploring *e, tby_text uci);
/* Appends which games count, as " AND ...", to a condition on a table g. */
bool pg_explored_games(exploring *e, text_buffer *sql, pg_values *v);

/* Adds what is known from counts; `*is_done` if that is all. Else `e->shards` says whose games are left to be looked
   at. */
bool pg_explore_counts(exploring *e, bool *is_done);
/* Would they answer? In words. */
bool pg_explain_counts(exploring *e, text_buffer *out);

#endif
