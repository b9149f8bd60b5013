/*
 * db.c - opens and makes databases, and runs their SQL.
 *
 * A database is an SQLite file with an application id and a version of its schema; docs/formats/database.md explains
 * the tables. While games are added the file is in WAL mode, so that readers go on undisturbed; when the last writer
 * leaves, it is one plain file again. Only a database that was just made is filled with a rollback journal, which
 * writes each page once where WAL writes it twice: readers that come so early may have to wait for a commit.
 */
#include "store/sqlite/db.h"
#include "store/sqlite/schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MILLISECONDS = 60000 };

/* ---- Errors --------------------------------------------------------------------------------------------- */

bool tby_db_fail(tby_db *db, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(db->error, sizeof db->error, format, args);
    va_end(args);
    return false;
}

bool tby_db_fail_sql(tby_db *db, const char *what)
{
    const int code = sqlite3_errcode(db->sql);
    if (code == SQLITE_FULL)
        return tby_db_fail(db, "%s: the disk is full", what);
    return tby_db_fail(db, "%s: %s", what, sqlite3_errmsg(db->sql));
}

const char *tby_db_error(const tby_db *db) { return db->error; }
struct sqlite3 *tby_db_sqlite(tby_db *db) { return db->sql; }

/* ---- Statements ----------------------------------------------------------------------------------------- */

static const char *const statement_texts[SQL_STATEMENTS] = {
    [SQL_GAME_INSERT] =
        "INSERT INTO game(id, white, black, event, site, round, date, result, white_elo, black_elo, eco, "
        "plies, shape, tags, hash, moves, annotated) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    [SQL_GAME_BY_ID] = "SELECT w.name, b.name, e.name, s.name, round, date, result, white_elo, black_elo, eco, plies, "
                       "h.names, tags, moves, annotated, hash FROM game LEFT JOIN player w ON w.id = white "
                       "LEFT JOIN player b ON b.id = black LEFT JOIN event e ON e.id = event "
                       "LEFT JOIN site s ON s.id = site LEFT JOIN shape h ON h.id = shape WHERE game.id = ?1",
    [SQL_GAME_MOVES] = "SELECT moves FROM game WHERE id = ?1",
    [SQL_SKETCH_GET] = "SELECT records FROM sketch WHERE block = ?1",
    [SQL_SKETCH_PUT] = "INSERT OR REPLACE INTO sketch(block, records) VALUES(?1, ?2)",
    [SQL_FACTS_GET] = "SELECT records FROM fact WHERE block = ?1",
    [SQL_FACTS_PUT] = "INSERT OR REPLACE INTO fact(block, records) VALUES(?1, ?2)",
    [SQL_POSITION_GET] = "SELECT entries FROM position WHERE id = ?1",
};

bool tby_db_run(tby_db *db, const char *sql)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK || tby_db_fail_sql(db, "database");
}

sqlite3_stmt *tby_db_prepare(tby_db *db, const char *sql)
{
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(db->sql, sql, -1, &made, NULL) != SQLITE_OK)
        tby_db_fail_sql(db, "database");
    return made;
}

sqlite3_stmt *tby_db_statement(tby_db *db, statement which)
{
    sqlite3_stmt **kept = &db->statements[which];
    if (!*kept &&
        sqlite3_prepare_v3(db->sql, statement_texts[which], -1, SQLITE_PREPARE_PERSISTENT, kept, NULL) != SQLITE_OK) {
        tby_db_fail_sql(db, "database");
        return NULL;
    }
    sqlite3_reset(*kept);
    sqlite3_clear_bindings(*kept);
    return *kept;
}

bool tby_db_step(tby_db *db, sqlite3_stmt *s, bool *failed)
{
    const int code = sqlite3_step(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        tby_db_fail_sql(db, "database");
        *failed = true;
    }
    return code == SQLITE_ROW;
}

bool tby_db_do(tby_db *db, sqlite3_stmt *s)
{
    bool failed = false;
    tby_db_step(db, s, &failed);
    sqlite3_reset(s);
    return !failed;
}

bool tby_db_number(tby_db *db, const char *sql, int64_t *out)
{
    sqlite3_stmt *s = tby_db_prepare(db, sql);
    bool failed = false;
    if (!s)
        return false;
    const bool has_row = tby_db_step(db, s, &failed);
    if (has_row)
        *out = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return has_row;
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

/* An empty file becomes a database; another one must be ours. */
static bool check_schema(tby_db *db, bool *is_new)
{
    int64_t id = 0, version = 0, n_objects = 0;
    if (!tby_db_number(db, "PRAGMA application_id", &id) || !tby_db_number(db, "PRAGMA user_version", &version) ||
        !tby_db_number(db, "SELECT count(*) FROM sqlite_schema", &n_objects))
        return false;
    *is_new = id == 0 && n_objects == 0 && db->mode == TBY_DB_CREATE;
    if (*is_new)
        return tby_db_run(db, SCHEMA);
    if (id != SCHEMA_APPLICATION_ID)
        return tby_db_fail(db, "not a tabiya database");
    if (version != SCHEMA_VERSION)
        return tby_db_fail(db, "its schema has version %d, this program knows version %d", (int)version,
                           SCHEMA_VERSION);
    return true;
}

static bool set_up(tby_db *db)
{
    sqlite3_busy_timeout(db->sql, BUSY_MILLISECONDS);
    if (!tby_db_run(db, "PRAGMA mmap_size = 1073741824") || !tby_db_run(db, SQL_MUCH_MEMORY))
        return false;
    bool is_new = false;
    if (db->mode == TBY_DB_READ)
        return check_schema(db, &is_new);
    return tby_db_run(db, "PRAGMA page_size = 8192") && check_schema(db, &is_new) &&
           (is_new || tby_db_run(db, "PRAGMA journal_mode = WAL")) && tby_db_run(db, "PRAGMA synchronous = NORMAL");
}

/* The system's words are better than "unable to open database file". */
static bool fail_to_open(tby_db *db)
{
    const int number = db->sql ? sqlite3_system_errno(db->sql) : ENOMEM;
    return tby_db_fail(db, "%s", number ? strerror(number) : sqlite3_errmsg(db->sql));
}

static bool connect(tby_db *db)
{
    static const int flags[] = {
        [TBY_DB_READ] = SQLITE_OPEN_READONLY,
        [TBY_DB_WRITE] = SQLITE_OPEN_READWRITE,
        [TBY_DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    errno = 0; /* not every failure sets it */
    if (sqlite3_open_v2(db->path, &db->sql, flags[db->mode] | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail_to_open(db);
    return set_up(db);
}

/* A writer that was killed may leave a journal that only a writer can roll back. Readers are let in behind that. */
static bool roll_back(tby_db *db)
{
    const int code = sqlite3_extended_errcode(db->sql);
    if (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY)
        return false;
    sqlite3_close(db->sql);
    db->sql = NULL;
    if (sqlite3_open_v2(db->path, &db->sql, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
        sqlite3_exec(db->sql, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    sqlite3_close(db->sql);
    db->sql = NULL;
    return true;
}

tby_db *tby_db_open(const char *path, tby_db_mode mode, char error[TBY_DB_ERROR_SIZE])
{
    tby_db *db = calloc(1, sizeof *db);
    if (!db || !(db->path = strdup(path))) {
        free(db);
        snprintf(error, TBY_DB_ERROR_SIZE, "out of memory");
        return NULL;
    }
    db->mode = mode;
    if (!connect(db) && !(roll_back(db) && connect(db))) {
        snprintf(error, TBY_DB_ERROR_SIZE, "%s", db->error);
        tby_db_close(db);
        return NULL;
    }
    return db;
}

void tby_db_close(tby_db *db)
{
    if (!db)
        return;
    tby_intake_free(db->intake);
    tby_readers_free(db->readers);
    for (int i = 0; i < SQL_STATEMENTS; i++)
        sqlite3_finalize(db->statements[i]);
    /* Fails, harmlessly, where others have it open. */
    if (db->sql && db->mode != TBY_DB_READ)
        sqlite3_exec(db->sql, "PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(db->sql);
    free(db->row);
    free(db->path);
    free(db);
}

/* ---- Transactions --------------------------------------------------------------------------------------- */

bool tby_db_begin(tby_db *db) { return tby_db_run(db, "BEGIN IMMEDIATE"); }

int64_t tby_db_n_games(tby_db *db)
{
    int64_t n = -1;
    tby_db_number(db, "SELECT count(*) FROM game", &n);
    return n;
}
