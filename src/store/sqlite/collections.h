/*
 * collections.h - named sets of games in a file; the functions are those of access.h.
 */
#ifndef TBY_STORE_SQLITE_COLLECTIONS_H
#define TBY_STORE_SQLITE_COLLECTIONS_H

#include "store/sqlite/db.h"

bool lite_collections(tby_db *base, tby_game_id game, collection_take take, void *context);
bool lite_members(tby_db *base, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
bool lite_collect_games(tby_db *base, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                        int64_t *n_changed);
/* Removes games that are no longer in the database from all collections, within the caller's transaction. */
bool collections_forget(lite *db);
/* Reports games or collections that are missing. */
bool collections_verify(lite *db, tby_db_fault fault, void *context);

#endif
