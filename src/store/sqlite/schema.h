/*
 * schema.h - the tables of a database, and the statements with all columns of a game.
 */
#ifndef TBY_STORE_SQLITE_SCHEMA_H
#define TBY_STORE_SQLITE_SCHEMA_H

#include "row/columns.h"
#include "store/sqlite/db.h"

#define SCHEMA_APPLICATION_ID 0x54616269 /* "Tabi" */

/* The position index. */
#define SCHEMA_RUN_COLUMNS                                                                                             \
    "CREATE TABLE run(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, plies INTEGER NOT NULL"
#define SCHEMA_RUN SCHEMA_RUN_COLUMNS ", row_bits INTEGER NOT NULL);"
/* As stored by SQLite in files before version 4. */
#define SCHEMA_FORMER_RUN SCHEMA_RUN_COLUMNS ")"

/* Counts of common positions; older files get the table when they are indexed. The counter `common` shows that it
   exists. */
#define SCHEMA_COMMON                                                                                                  \
    "CREATE TABLE IF NOT EXISTS common(run INTEGER, key INTEGER, counts BLOB NOT NULL, PRIMARY KEY(run, key)) "        \
    "WITHOUT ROWID;"

/* The hashes of the games up to the counter `hashes`, for finding duplicates. As above for older files. */
#define SCHEMA_HASH                                                                                                    \
    "CREATE TABLE IF NOT EXISTS hash(hash INTEGER, game INTEGER, PRIMARY KEY(hash, game)) WITHOUT ROWID;"

/* The statements that create the tables and the view of an empty database. */
void schema_tables(buffer *out);
/* Only the view. */
void schema_view(buffer *out);
/* Upgrades a database of version SCHEMA_OLDEST or later. Files have their own version number, because only they have
   the position index: the version of the columns is TBY_SCHEMA_VERSION. */
enum { SCHEMA_VERSION = 6, SCHEMA_READABLE = 4, SCHEMA_OLDEST = 2 };
bool schema_upgrade(lite *db);
/* Is the schema of the file the one that tabiya writes in this version? (schema_check.c) */
bool schema_check(lite *db, int64_t version);
/* The column with the names of a table. */
const char *schema_name_column(name_table table);
/* The names of games to be deleted: "CREATE TEMP TABLE ...", a statement that collects those of game ?1, and the
   statements that delete the names without any remaining game, and clear the table. */
#define SCHEMA_GONE                                                                                                    \
    "CREATE TEMP TABLE IF NOT EXISTS gone(kind INTEGER, id INTEGER, PRIMARY KEY(kind, id)) WITHOUT ROWID"
void schema_remember_names(buffer *out);
void schema_delete_names(buffer *out);

/* "INSERT INTO game ..." with ?1 for the id and the columns from ?2 on. */
void schema_insert(buffer *out);
/* "SELECT ... FROM game ...": one value for each column, NULL for those not of `kinds`; `more` follows the last,
   `hint` follows the table's name. */
void schema_select(buffer *out, unsigned kinds, const char *more, const char *hint);

/* Binds the value of a column; for names, after intake_begin. Values that are not bound are NULL. (add.c) */
bool intake_begin(lite *db);
bool intake_bind(sqlite3_stmt *s, int at, lite *db, const row_column *c, const tby_row *row);

/* The row found by such a statement; valid until it is stepped or reset. */
void schema_row(tby_row *out, sqlite3_stmt *s, unsigned kinds);
/* Is a name of the row missing in the table of names? */
bool schema_row_lacks_name(sqlite3_stmt *s, unsigned kinds);
/* Its raw values. */
cells schema_cells(const sqlite3_stmt *s);

/* Indexes that tby_db_index creates if they are missing: always that of players, and that of openings if positions are
   indexed. */
#define SCHEMA_NAME_INDEXES                                                                                            \
    "CREATE INDEX IF NOT EXISTS game_white ON game(white);"                                                            \
    "CREATE INDEX IF NOT EXISTS game_black ON game(black)"
/* Created if the counter `events` exists. */
#define SCHEMA_EVENT_INDEXES                                                                                           \
    "CREATE INDEX IF NOT EXISTS game_event ON game(event);"                                                            \
    "CREATE INDEX IF NOT EXISTS game_site ON game(site)"
#define SCHEMA_OPENING_INDEX "CREATE INDEX IF NOT EXISTS game_moves ON game(moves)"

/* The index of words of names, and optional indexes by name: blocks of records, and lists. */
#define SCHEMA_WORD "CREATE TABLE IF NOT EXISTS word(id INTEGER PRIMARY KEY, names BLOB NOT NULL);"
#define SCHEMA_BLOCKS "CREATE TABLE IF NOT EXISTS %s(id INTEGER PRIMARY KEY, records BLOB NOT NULL);"
#define SCHEMA_LIST "CREATE TABLE IF NOT EXISTS %s(id INTEGER PRIMARY KEY, games BLOB NOT NULL);"

/* Named sets of games, if there are any. */
#define SCHEMA_COLLECTION                                                                                              \
    "CREATE TABLE IF NOT EXISTS collection(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"                        \
    "CREATE TABLE IF NOT EXISTS member(collection INTEGER, game INTEGER, PRIMARY KEY(collection, game)) WITHOUT "      \
    "ROWID;"

#endif
