/*
 * where.h - statements that hold a condition of the user's: they may only read.
 */
#ifndef TBY_STORE_SQLITE_WHERE_H
#define TBY_STORE_SQLITE_WHERE_H

#include "store/sqlite/db.h"

/* What the condition is about: the view, whose game has a name of its own too. */
#define WHERE_TABLE "(SELECT *, moves AS game FROM games) AS games"

/* As lite_prepare. */
sqlite3_stmt *lite_prepare_where(lite *db, const char *sql);

#endif
