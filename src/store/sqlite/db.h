/*
 * db.h - what the parts of the database share: the connection, statements, errors.
 */
#ifndef TBY_STORE_DB_H
#define TBY_STORE_DB_H

#include "tabiya_db.h"

#include <sqlite3.h>

/* The statements that are used over and over; each is prepared when it is first asked for. */
typedef enum statement {
    SQL_GAME_INSERT,
    SQL_GAME_BY_ID,
    SQL_GAME_MOVES,
    SQL_SKETCH_GET,
    SQL_SKETCH_PUT,
    SQL_FACTS_GET,
    SQL_FACTS_PUT,
    SQL_POSITION_GET,
    SQL_COUNTER_GET,
    SQL_COUNTER_ADD,
    SQL_STATEMENTS
} statement;

/* The columns of SQL_GAME_BY_ID. */
enum {
    ROW_WHITE,
    ROW_BLACK,
    ROW_EVENT,
    ROW_SITE,
    ROW_ROUND,
    ROW_DATE,
    ROW_RESULT,
    ROW_WHITE_ELO,
    ROW_BLACK_ELO,
    ROW_ECO,
    ROW_PLIES,
    ROW_SHAPE,
    ROW_TAGS,
    ROW_MOVES,
    ROW_ANNOTATED,
    ROW_HASH
};

/* How much memory SQLite may use. Its sorter is several times faster with little, which stays in the processor's cache:
   it then sorts piece by piece and merges, through a file that has no name. */
#define SQL_MUCH_MEMORY "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY"
#define SQL_LITTLE_MEMORY "PRAGMA cache_size = -2048; PRAGMA temp_store = FILE"

typedef struct intake intake;   /* names and hashes known while games are added: add.c */
typedef struct readers readers; /* more connections for searching in threads: scan.c */

struct tby_db {
    sqlite3 *sql;
    char *path;
    tby_db_mode mode;
    sqlite3_stmt *statements[SQL_STATEMENTS];
    intake *intake;
    readers *readers;
    int64_t data_version; /* changes when others have written */
    char *row;            /* the texts of tby_db_row */
    tby_status status;    /* of the last failure */
    char error[TBY_DB_ERROR_SIZE];
};

/* All answer false, for `return tby_db_fail(...)`: SQLite's own words, or ours. */
bool tby_db_fail_sql(tby_db *db, const char *what);
bool tby_db_fail_memory(tby_db *db);
bool tby_db_fail(tby_db *db, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Statements without results. */
bool tby_db_run(tby_db *db, const char *sql);
/* A kept statement, reset and without values; NULL after tby_db_fail_sql. */
sqlite3_stmt *tby_db_statement(tby_db *db, statement which);
/* A statement of one's own, to be finalized; NULL after tby_db_fail_sql. */
sqlite3_stmt *tby_db_prepare(tby_db *db, const char *sql);
/* The one number that a query gives; that it gives none is a failure too. */
bool tby_db_number(tby_db *db, const char *sql, int64_t *out);
/* The value of a counter, which must be from 0 to `most`. */
bool tby_db_counter(tby_db *db, const char *name, int64_t most, int64_t *out);
/* Changes it by so much. */
bool tby_db_count_on(tby_db *db, const char *name, int64_t by);

/* True behind a row, false at the end or on failure, which db->error then tells and `*failed` says. */
bool tby_db_step(tby_db *db, sqlite3_stmt *statement, bool *failed);
/* Steps a statement that gives no rows, and resets it. */
bool tby_db_do(tby_db *db, sqlite3_stmt *statement);

/* One transaction for all that is read, unless it is part of a larger one: what is seen fits together, and SQLite need
   not lock and unlock the file for every row. */
bool tby_db_begin_reading(tby_db *db, bool *is_alone);
void tby_db_end_reading(tby_db *db, bool is_alone);

void tby_intake_free(intake *in);
/* What is known of the games is read anew when it is needed. */
void tby_intake_forget(tby_db *db);
void tby_readers_free(readers *r);

#endif
