/*
 * explore.h - the moves that the games on one PostgreSQL server play in a position: from stored counts, or from the
 * games.
 */
#ifndef TBY_STORE_PG_EXPLORE_H
#define TBY_STORE_PG_EXPLORE_H

#include "store/postgres/find.h"

/* Requests the stored counts if they can answer the search, and reports them. If they are not enough, nothing is
   reported, and `is_counted` stays false. `visitor` is a passing_visitor. (explore_counts.c) */
bool explore_send_counts(finding *f, void *visitor);
bool explore_take_counts(finding *f, void *visitor);
/* Then, unless that was the answer, requests the games, and reports them: one by one, or by move if the visitor takes
   many at once. */
bool explore_send_games(finding *f, void *visitor);
bool explore_take_games(finding *f, void *visitor);

/* What would be used. (explore_counts.c) */
typedef enum pg_source { PG_FROM_GAMES, PG_NOT_COUNTED, PG_FROM_COUNTS } pg_source;
bool explore_explain(const finding *f, pg_source *out);

/* The columns of a move that was played: its text, which is empty if games end there, and the counts of the games. */
enum {
    MOVE_UCI = 1,
    MOVE_GAMES,
    MOVE_WHITE,
    MOVE_DRAWS,
    MOVE_BLACK,
    MOVE_UNKNOWN,
    MOVE_N_ELO,
    MOVE_ELO_SUM,
    MOVE_LAST
};
/* Reports the move of the visited row; false if it is invalid. */
bool explore_pass_move(const finding *f, const passing_visitor *v);
/* Sets the failure for a server that returned invalid data; always returns false. */
bool explore_fail(server *s);

#endif
