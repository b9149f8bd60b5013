/*
 * search.h - what the searches of tabiya_db.h share, for any kind of database.
 *
 * A function that returns false has called db_fail.
 */
#ifndef TBY_SEARCH_SEARCH_H
#define TBY_SEARCH_SEARCH_H

#include "store/access.h"

/* Can it be changed? (db.c) */
bool search_may_write(tby_db *db);
/* The games of `among` that reach a position; NULL: all games. */
bool search_reach(tby_db *db, const tby_position *pos, const tby_db_search *among, const reaching_visitor *visitor);
/* What they play in many positions; those of `many` remain to be looked at one by one unless it becomes done. */
bool search_reach_many(tby_db *db, const tby_db_search *among, reaching_many *many);
bool search_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
/* The same for those games that count, without how many reach other positions. */
typedef bool (*explore_filter)(void *context, const tby_db_reaching *game);
bool search_explore_some(tby_db *db, const tby_position *pos, const tby_db_search *among, explore_filter counts,
                         void *context, tby_db_moves *out);

#endif
