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
    buffer ids;                 /* of the games that count, if SQL cannot say which */
    bool has_ids;
    buffer shards; /* "2,5": those whose games are looked at; empty: all */
    const tby_position *pos;
    tby_next_move *legal;
    size_t n_legal;
    tby_db_moves *out; /* a move for each that is legal, in their order, until all is counted */
    bool is_wrong;     /* an answer that means nothing */

    bool is_asked, is_done; /* the counts: their answer is still to come; they have told all */
    bool has_no_counts;     /* as the answer said */
    bool has_odd_dates;     /* the same: counts by years do not tell all */
    bool has_years;         /* were asked for */
    buffer trackers;        /* "1,3": the shards that count the position */
    size_t n_trackers;
    bool is_unsure[TBY_NEXT_MOVES_MAX]; /* the last date, by the place of the legal move */
} exploring;

/* `out` is emptied. pg_explore_end in any case. */
bool pg_explore_begin(exploring *e, pg *to, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
void pg_explore_end(exploring *e);
/* Of a server without shards, in one statement: asks what counts tell, and takes the answer. Where they cannot tell
   all, `is_done` stays false and `out` empty. */
bool pg_explore_send_counts(exploring *e);
bool pg_explore_take_counts(exploring *e);
/* The rest, if there is any, from counts and games. */
bool pg_explore_rest(exploring *e);

/* The games that count and come to the position, one by one: sends for them, and passes them on. */
bool pg_meet_send(exploring *e);
bool pg_meet_take(exploring *e, tby_db_meet meet, void *context);

/* Passes on what has been counted. */
void pg_explored_tell(const exploring *e, const passing_visitor *visitor);

/* Nothing is counted yet. */
void pg_explore_empty(exploring *e);
/* The legal move, or NULL. */
tby_db_move *pg_explored_move(const exploring *e, tby_text uci);
/* Appends which games count, as " AND ...", to a condition on a table g. */
bool pg_explored_games(exploring *e, buffer *sql, pg_values *v);

/* In a transaction: adds what is known from counts; `is_done` if that is all. Else `e->shards` says whose games are
   left to be looked at. */
bool pg_explore_counts(exploring *e);
/* Would they answer? In words. */
bool pg_explain_counts(exploring *e, buffer *out);

#endif
