/*
 * where.h - statements that contain a user's condition: they may only read.
 */
#ifndef TBY_STORE_SQLITE_WHERE_H
#define TBY_STORE_SQLITE_WHERE_H

#include "store/sqlite/db.h"

/* The view that the condition refers to; its game has a second name. */
#define WHERE_TABLE "(SELECT *, moves AS game FROM games) AS games"

/* Like lite_prepare_text. */
sqlite3_stmt *lite_prepare_where(lite *db, buffer *sql);

#endif
