/*
 * skip.h - which games need not be asked, because of the men, the material and the pawns that they have had.
 */
#ifndef TBY_STORE_SQLITE_SKIP_H
#define TBY_STORE_SQLITE_SKIP_H

#include "query/ast.h"
#include "store/sqlite/game_set.h"
#include "store/text.h"

/* Drops from `among` games that the query cannot hold for; `told`, unless it is NULL, gets a line for each index. */
bool tby_skip(lite *db, const tby_query *query, tby_game_id last_id, game_set *among, text_buffer *told);

/* The same by lists alone: material and pawns. (skip_lists.c) */
bool tby_skip_by_lists(lite *db, const tby_query *query, tby_game_id last_id, game_set *among, text_buffer *told);
void tby_skip_tell(text_buffer *told, const char *text, const game_set *among);

#endif
