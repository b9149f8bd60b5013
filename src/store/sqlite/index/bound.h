/*
 * bound.h - which games need not be asked: by their records of 8 bytes, and by the optional indexes of the pieces,
 * material and pawns that they have had.
 */
#ifndef TBY_STORE_SQLITE_INDEX_BOUND_H
#define TBY_STORE_SQLITE_INDEX_BOUND_H

#include "query/bound.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/game_set.h"

/* A bit for each game of a block: the values of bound_query, and what can be done with them. (bound.c) */
enum { BLOCK_WORDS = BLOCK_GAMES / 64 };
typedef struct block_games {
    uint64_t words[BLOCK_WORDS];
} block_games;
typedef cover block_leaf(void *context, void *value, const query_node *node, uint32_t id, bound_side side);
cover block_bound(block_leaf *leaf, void *context, block_games *values, const tby_query *query, bound_side side);

/* What the index can say about a query: nothing, which games it cannot hold for, or for which games it holds. */
typedef bool index_cover(lite *db, const tby_query *query, cover *out);
/* Drops from `among` games that the query cannot hold for; only where it knows. */
typedef bool index_narrow(lite *db, const tby_query *query, tby_game_id last_id, game_set *among);

/* Results, ratings, dates, speeds; and codes of openings, where these have an index. (records_bound.c) Only these can
   cover a query exactly, apart from games whose records lack something. `db->facts` is a state of the query. */
index_cover records_cover;
/* Fills sets, which are not made yet: the games that it may hold for, and of these, unless `must` is NULL, the ones
   that it holds for at every ply. Games that are not in `only`, which may be NULL, are in neither. */
bool records_judge(lite *db, const tby_query *query, tby_game_id last_id, const game_set *only, game_set *may,
                   game_set *must);

/* Where each piece ever stood, and what was done. (stood_bound.c) */
index_cover stood_cover;
index_narrow stood_narrow;

/* Material without pawns, and files of pawns. (lists_bound.c) */
index_cover material_cover, pawns_cover;
index_narrow material_narrow, pawns_narrow;

#endif
