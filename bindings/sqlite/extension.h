/*
 * extension.h - what the parts of the SQLite extension share: converting SQLite's values to arguments and back.
 */
#ifndef TABIYA_SQLITE_EXTENSION_H
#define TABIYA_SQLITE_EXTENSION_H

#include <stdbool.h>

#include <sqlite3ext.h>

#include "sql.h"

SQLITE_EXTENSION_INIT3

/* `types` has one letter per argument. */
void arguments_read(sql_value out[SQL_ARGUMENTS_MAX], int argc, sqlite3_value **argv, const char *types);
void answer_give(sqlite3_context *context, const sql_call *call);

int create_tables(sqlite3 *db);

#endif
