/*
 * by_facts.h - what the facts of the games, 8 bytes each, tell of a query: results, ratings and dates; and the index of
 * codes, where there is one.
 */
#ifndef TBY_STORE_BY_FACTS_H
#define TBY_STORE_BY_FACTS_H

#include "query/ast.h"
#include "store/sqlite/game_set.h"

/* What they can say: nothing, which games it cannot hold for, or for which games it holds. */
typedef enum facts_say { FACTS_NOTHING, FACTS_SOME, FACTS_ALL } facts_say;
bool tby_facts_say(lite *db, const tby_query *query, facts_say *out);

/* Fills two sets, which are not made yet: the games that it may hold for, and of these the ones that it holds for at
   every ply. Games that are not in `only`, which may be NULL, are in neither. `db->facts` is a state of the query. */
bool tby_facts_judge(lite *db, const tby_query *query, tby_game_id last_id, const game_set *only, game_set *may,
                     game_set *must);

#endif
