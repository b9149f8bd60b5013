/*
 * bound.h - rules out games: with their records of 8 bytes, and with the optional indexes of the pieces, material and
 * pawns that they have had.
 */
#ifndef TBY_STORE_SQLITE_INDEX_BOUND_H
#define TBY_STORE_SQLITE_INDEX_BOUND_H

#include "query/bound.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/game_set.h"

/* One bit per game of a block: the values of bound_query, and operations on them. (bound.c) */
enum { BLOCK_WORDS = BLOCK_GAMES / 64 };
typedef struct block_games {
    uint64_t words[BLOCK_WORDS];
} block_games;
typedef cover block_leaf(void *context, void *value, const query_node *node, uint32_t id, bound_side side);
cover block_bound(block_leaf *leaf, void *context, block_games *values, const tby_query *query, bound_side side);

/* Adds the games from `first` on, which an index does not know: those in blocks that have games. */
bool bound_put_rest(lite *db, game_set *set, tby_game_id first);

/* Removes games that cannot match from `among`, as far as the index knows. With NULL for `among`, only finds out whether
   it knows anything: `*helps`. */
typedef bool index_narrow(lite *db, const tby_query *query, tby_game_id last_id, game_set *among, bool *helps);

/* Results, ratings, dates, speeds; and what the lists of an index decide. (records_bound.c) Only these can cover a
   query exactly, apart from games with incomplete records; `given` as below. */
bool records_cover(lite *db, const tby_query *query, const query_node *given, cover *out);
typedef struct record_question {
    const tby_query *query;
    tby_query_state *state;  /* of the query */
    const query_node *given; /* a fact that is known to hold in the games that matter; NULL: none */
    tby_game_id last_id;
    const game_set *only; /* other games do not matter; NULL: all do */
    unsigned n_threads;   /* 0 = one per processor */
} record_question;
/* Fills uninitialized sets: the games that may match, and of these, unless `must` is NULL, those that match at every
   ply. */
bool records_decide(lite *db, const record_question *asked, game_set *may, game_set *must);

#endif
