/*
 * explore.h - the moves that the games on one PostgreSQL server play in a position: from stored counts, or from the
 * games.
 */
#ifndef TBY_STORE_POSTGRES_EXPLORE_H
#define TBY_STORE_POSTGRES_EXPLORE_H

#include "store/postgres/find.h"

/* Reports the stored counts if they can answer the search; otherwise nothing is reported, and `is_counted` stays
   false. (explore_counts.c) */
bool explore_counts(finding *f, const reaching_visitor *v);
/* The same for the lists of the visitor. */
bool explore_lists(finding *f, const reaching_visitor *v);
/* Reports the games: one by one, or by move if the visitor takes many at once. */
bool explore_games(finding *f, const reaching_visitor *v);

/* Requests the stored counts of many positions, with the columns below after the position's key; ratings and dates are 0.
   `is_asked` stays false if they cannot answer the search. (explore_counts.c) */
bool explore_ask_many(finding *f, const tby_position *const *positions, size_t n, bool *is_asked);

/* Adds to the conditions of a statement about games, of a search that counts decide, what its other conditions leave open
   of pools, and what finds few of many games: their index, and with `is_by_rating` a range of ratings.
   (explore_counts.c) */
void explore_put_pools(const finding *f, bool is_by_rating, buffer *sql);

/* What would be used. (explore_counts.c) */
typedef enum pg_source { PG_FROM_GAMES, PG_NOT_COUNTED, PG_FROM_COUNTS } pg_source;
bool explore_explain(const finding *f, pg_source *out);

/* The columns of a move that was played: its text, which is empty if games end there, and the counts of the games. */
enum {
    PLAYED_UCI = 1,
    PLAYED_GAMES,
    PLAYED_WHITE,
    PLAYED_DRAWS,
    PLAYED_BLACK,
    PLAYED_UNKNOWN,
    PLAYED_N_ELO,
    PLAYED_ELO_SUM,
    PLAYED_LAST
};
/* Reports the move of the visited row; false if it is invalid. */
bool explore_pass_move(const finding *f, const reaching_visitor *v);
/* Sets the failure for a server that returned invalid data; always returns false. */
bool explore_fail(server *s);

#endif
