/*
 * row.h - games as rows of a table.
 */
#ifndef TBY_STORE_ROW_H
#define TBY_STORE_ROW_H

#include "store/sqlite/db.h"

/* Of SQL_GAME_BY_ID; good until the statement is stepped or reset. */
tby_row tby_row_of_statement(sqlite3_stmt *s);
/* Is every column the same, but for an ECO that is no tag? */
bool tby_row_is_exact(const tby_row *a, const tby_row *b);

#endif
