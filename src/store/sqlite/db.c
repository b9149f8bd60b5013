/*
 * db.c - opens and creates databases, and runs their SQL.
 *
 * A database is an SQLite file with an application id and a schema version; docs/formats/database.md explains the
 * tables. While games are added the file is in WAL mode, so that readers are not disturbed; when the last writer closes
 * it, it is one plain file again. Only a database that was just created is filled with a rollback journal, which writes
 * each page once where WAL writes it twice: readers that come this early may have to wait for a commit. Nothing in the
 * file is trusted: it may be damaged or malicious.
 */
#include "store/sqlite/db.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/index/sorter.h"
#include "store/sqlite/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Readers may have to wait for a commit, writers for each other. */
enum { READER_MILLISECONDS = 60 * 1000, WRITER_MILLISECONDS = 3600 * 1000, WAIT_MILLISECONDS = 5 };

/* ---- Errors --------------------------------------------------------------------------------------------- */

tby_status lite_status_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_NOMEM: return TBY_NO_MEMORY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return TBY_BUSY;
    case SQLITE_INTERRUPT: return TBY_INTERRUPTED;
    case SQLITE_ERROR:
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_NOTADB: return TBY_INVALID_DATABASE;
    default: return TBY_IO_ERROR;
    }
}

bool lite_fail_sql(lite *db, const char *what)
{
    const int code = sqlite3_errcode(db->sql);
    if (code == SQLITE_FULL)
        return lite_fail(db, TBY_IO_ERROR, "%s: the disk is full", what);
    if (code == SQLITE_NOMEM)
        return lite_fail_memory(db);
    return lite_fail(db, lite_status_of(code), "%s: %s", what, sqlite3_errmsg(db->sql));
}

/* ---- Statements ----------------------------------------------------------------------------------------- */

const char *const lite_tables[LITE_TABLES] = {"sketch",   "fact",  "position", "stood",
                                              "material", "pawns", "eco",      "word"};
static const char *const lite_columns[LITE_TABLES] = {"records", "records", "entries", "records",
                                                      "games",   "games",   "games",   "names"};

/* Statements with all columns of a game are generated from the table of columns. */
static const char *const statement_texts[SQL_STATEMENTS] = {
    [SQL_LAST_ID] = "SELECT max(id) FROM game NOT INDEXED",
    [SQL_GAME_MOVES] = "SELECT moves FROM game WHERE id = ?1",
    [SQL_GAME_NEXT] = "SELECT coalesce(min(id), 0) FROM game WHERE id >= ?1",
    [SQL_FACTS_RANGE] = "SELECT block, records FROM fact WHERE block BETWEEN ?1 AND ?2",
    [SQL_COUNTS_GET] = "SELECT counts FROM common WHERE run = ?1 AND key = ?2",
    [SQL_HASH_GET] = "SELECT game FROM hash WHERE hash = ?1",
    [SQL_HASH_DELETE] = "DELETE FROM hash WHERE hash = ?1 AND game = ?2",
    [SQL_COUNTER_GET] = "SELECT value FROM counter WHERE name = ?1",
    [SQL_COUNTER_ADD] = "UPDATE counter SET value = value + ?2 WHERE name = ?1",
};

bool lite_run(lite *db, const char *sql)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK || lite_fail_sql(db, "database");
}

sqlite3_stmt *lite_prepare(lite *db, const char *sql)
{
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v2(db->sql, sql, -1, &made, NULL) != SQLITE_OK)
        lite_fail_sql(db, "database");
    return made;
}

static sqlite3_stmt *prepare_text(lite *db, buffer *sql, unsigned flags)
{
    sqlite3_stmt *made = NULL;
    if (sql->has_failed)
        lite_fail_memory(db);
    else if (sqlite3_prepare_v3(db->sql, sql->s, -1, flags, &made, NULL) != SQLITE_OK)
        lite_fail_sql(db, "database");
    buffer_free(sql);
    return made;
}

sqlite3_stmt *lite_prepare_text(lite *db, buffer *sql) { return prepare_text(db, sql, 0); }

static sqlite3_stmt *prepare_kept(lite *db, statement which)
{
    buffer sql = {0};
    if (which == SQL_GAME_INSERT) {
        schema_insert(&sql);
    } else if (which == SQL_GAME_BY_ID || which == SQL_ROW_BY_ID) {
        schema_select(&sql, which == SQL_GAME_BY_ID ? KINDS_ALL : KINDS_OF_ROWS, "", "");
        buffer_string(&sql, " WHERE game.id = ?1");
    } else if (which >= SQL_TABLE_PUT) {
        buffer_printf(&sql, "INSERT OR REPLACE INTO %s VALUES(?1, ?2)", lite_tables[which - SQL_TABLE_PUT]);
    } else if (which >= SQL_TABLE_GET) {
        buffer_printf(&sql, "SELECT ?1, %s FROM %s WHERE rowid = ?1", lite_columns[which - SQL_TABLE_GET],
                      lite_tables[which - SQL_TABLE_GET]);
    } else {
        buffer_string(&sql, statement_texts[which]);
    }
    return prepare_text(db, &sql, SQLITE_PREPARE_PERSISTENT);
}

sqlite3_stmt *lite_statement(lite *db, statement which)
{
    sqlite3_stmt **kept = &db->statements[which];
    if (!*kept)
        return *kept = prepare_kept(db, which);
    sqlite3_reset(*kept);
    sqlite3_clear_bindings(*kept);
    return *kept;
}

bool lite_run_text(lite *db, buffer *sql)
{
    const bool is_good = sql->has_failed ? lite_fail_memory(db) : lite_run(db, sql->s);
    buffer_free(sql);
    return is_good;
}

lite_rows lite_rows_of(lite *db, sqlite3_stmt *s)
{
    return (lite_rows){.db = db, .s = s, .number = INT64_MIN, .failed = !s};
}

lite_rows lite_rows_again(lite *db, sqlite3_stmt *s)
{
    lite_rows r = lite_rows_of(db, s);
    r.is_kept = true;
    return r;
}

lite_rows lite_rows_kept(lite *db, statement which, int64_t first)
{
    const lite_rows r = lite_rows_again(db, lite_statement(db, which));
    lite_bind(&r, 1, first);
    return r;
}

void lite_bind(const lite_rows *r, int at, int64_t value)
{
    if (r->s)
        sqlite3_bind_int64(r->s, at, value);
}

bool lite_next(lite_rows *r)
{
    const int code = r->failed || !r->s ? SQLITE_DONE : sqlite3_step(r->s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        r->failed = !lite_fail_sql(r->db, "database");
    return code == SQLITE_ROW;
}

bool lite_next_up(lite_rows *r)
{
    if (!lite_next(r))
        return false;
    const int64_t before = r->number;
    r->number = sqlite3_column_int64(r->s, 0);
    if (r->number <= before)
        r->failed = !lite_fail(r->db, TBY_INVALID_DATABASE, "the database is damaged: rows are out of order");
    return !r->failed;
}

bool lite_end(const lite_rows *r)
{
    if (r->is_kept)
        sqlite3_reset(r->s);
    else
        sqlite3_finalize(r->s);
    return !r->failed;
}

lite_bytes lite_bytes_at(const lite_rows *r, int at)
{
    const uint8_t *bytes = sqlite3_column_blob(r->s, at);
    return (lite_bytes){bytes, bytes ? (size_t)sqlite3_column_bytes(r->s, at) : 0};
}

tby_text lite_text_at(sqlite3_stmt *s, int at)
{
    const char *bytes = sqlite3_column_blob(s, at);
    return (tby_text){bytes ? bytes : "", bytes ? (size_t)sqlite3_column_bytes(s, at) : 0};
}

bool lite_do(lite *db, sqlite3_stmt *s)
{
    lite_rows r = lite_rows_again(db, s);
    lite_next(&r);
    return lite_end(&r);
}

lite_rows lite_rows_in(lite *db, lite_table table, int64_t id)
{
    return lite_rows_kept(db, (statement)(SQL_TABLE_GET + table), id);
}

bool lite_put(lite *db, lite_table table, int64_t id, const void *bytes, size_t n)
{
    const lite_rows r = lite_rows_kept(db, (statement)(SQL_TABLE_PUT + table), id);
    if (r.s)
        sqlite3_bind_blob64(r.s, 2, bytes, n, SQLITE_STATIC);
    return r.s && lite_do(db, r.s);
}

bool lite_number(lite *db, const char *sql, int64_t *out)
{
    lite_rows r = lite_rows_of(db, lite_prepare(db, sql));
    if (lite_next(&r))
        *out = sqlite3_column_int64(r.s, 0);
    else if (!r.failed)
        r.failed = !lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: no result for %s", sql);
    return lite_end(&r);
}

sqlite3_stmt *lite_prepare_of(lite *db, const char *format, ...)
{
    buffer sql = {0};
    va_list args;
    va_start(args, format);
    buffer_list(&sql, format, args);
    va_end(args);
    return lite_prepare_text(db, &sql);
}

bool lite_number_of(lite *db, int64_t *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *sql = sqlite3_vmprintf(format, args);
    va_end(args);
    const bool is_good = sql ? lite_number(db, sql, out) : lite_fail_memory(db);
    sqlite3_free(sql);
    return is_good;
}

bool lite_counter_or(lite *db, const char *name, int64_t otherwise, int64_t *out)
{
    lite_rows r = lite_rows_again(db, lite_statement(db, SQL_COUNTER_GET));
    if (r.s)
        sqlite3_bind_text(r.s, 1, name, -1, SQLITE_STATIC);
    *out = lite_next(&r) ? sqlite3_column_int64(r.s, 0) : otherwise;
    return lite_end(&r);
}

bool lite_counter_if(lite *db, const char *name, int64_t most, int64_t *out)
{
    return lite_counter_or(db, name, -1, out) &&
           ((*out >= -1 && *out <= most) ||
            lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: its counter %s is wrong", name));
}

bool lite_counter(lite *db, const char *name, int64_t most, int64_t *out)
{
    int64_t value;
    if (!lite_counter_if(db, name, most, &value))
        return false;
    if (value < 0)
        return lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: its counter %s is missing", name);
    *out = value;
    return true;
}

bool lite_count_on(lite *db, const char *name, int64_t by)
{
    sqlite3_stmt *s = by ? lite_statement(db, SQL_COUNTER_ADD) : NULL;
    if (!s)
        return by == 0;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, by);
    return lite_do(db, s);
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

void lite_distrust(sqlite3 *sql)
{
    sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
}

/* Our files have no triggers; those of a foreign file must not run before it is refused. */
static bool open_file(lite *db, int flags)
{
    const bool is_open = sqlite3_open_v2(db->path, &db->sql, flags, NULL) == SQLITE_OK;
    if (is_open) {
        lite_distrust(db->sql);
        sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    }
    return is_open;
}

/* Retries until there is a moment between two transactions of others. */
static int wait_for_others(void *context, int n_times)
{
    const lite *db = context;
    if (n_times >= db->patience / WAIT_MILLISECONDS || !db_goes_on(&db->base))
        return 0;
    sqlite3_sleep(WAIT_MILLISECONDS);
    return 1;
}

/* 0 for an empty file, -1 for a file of another program. */
static bool schema_of(lite *db, int64_t *id, int64_t *version)
{
    int64_t n_objects = 0;
    if (!lite_number(db, "PRAGMA application_id", id) || !lite_number(db, "PRAGMA user_version", version) ||
        (*id == 0 && !lite_number(db, "SELECT count(*) FROM sqlite_schema", &n_objects)))
        return false;
    *id = n_objects > 0 ? -1 : *id;
    return true;
}

static bool make_tables(lite *db)
{
    buffer sql = {0};
    buffer_printf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
    schema_tables(&sql);
    buffer_string(&sql, "INSERT INTO counter VALUES('last_game', 0), ('last_run', 0), ('deleted', 0), ('plies', 0), "
                        "('annotated', 0), ('common', 0), ('hashes', 0)");
    return lite_run_text(db, &sql);
}

/* Others may create it at the same time. */
static bool make_schema(lite *db, int64_t *id, int64_t *version)
{
    if (!lite_run(db, "BEGIN IMMEDIATE"))
        return false;
    if (schema_of(db, id, version) && (*id != 0 || make_tables(db)) && lite_run(db, "COMMIT"))
        return true;
    sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static bool is_readable(int64_t version) { return version >= SCHEMA_OLDEST && version <= SCHEMA_VERSION; }

/* An empty file becomes a database; any other must be ours. */
static bool check_schema(lite *db, bool *is_new)
{
    int64_t id = 0, version = 0;
    bool is_alone;
    if (!lite_begin_reading(db, &is_alone)) /* one snapshot, in case others are creating the tables */
        return false;
    const bool is_known = schema_of(db, &id, &version) && (id != SCHEMA_APPLICATION_ID || !is_readable(version) ||
                                                           schema_check(db, version < SCHEMA_VERSION));
    lite_end_reading(db, is_alone);
    if (!is_known)
        return false;
    if (id == 0 && db->mode == TBY_DB_CREATE) {
        if (!make_schema(db, &id, &version))
            return false;
        *is_new = id == 0;
        if (*is_new)
            return true;
    }
    if (id != SCHEMA_APPLICATION_ID)
        return lite_fail(db, TBY_INVALID_DATABASE, "not a tabiya database");
    if (is_readable(version) && version < SCHEMA_VERSION)
        return db->mode != TBY_DB_READ
                   ? schema_upgrade(db) && schema_check(db, false)
                   : lite_fail(db, TBY_INVALID_DATABASE,
                               "its schema has version %d, this program's has %d: importing any file, even an empty "
                               "one, upgrades it",
                               (int)version, SCHEMA_VERSION);
    if (version != SCHEMA_VERSION)
        return lite_fail(db, TBY_INVALID_DATABASE, "its schema has version %d, this program supports version %d",
                         (int)version, SCHEMA_VERSION);
    return true;
}

/* If others are just creating the database, it may fail to enter WAL: then the journal mode does not change. */
static bool enter_wal(lite *db)
{
    sqlite3_stmt *s = lite_prepare(db, "PRAGMA journal_mode = WAL");
    if (!s)
        return false;
    const int code = sqlite3_step(s);
    const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    const bool is_wal = mode && strcmp(mode, "wal") == 0;
    const bool is_good = code == SQLITE_ROW || code == SQLITE_BUSY || lite_fail_sql(db, "database");
    sqlite3_finalize(s);
    return is_good && (!is_wal || lite_run(db, "PRAGMA synchronous = NORMAL"));
}

/* After a power cut, every commit is there with whole games: a rollback journal needs EXTRA for this, WAL only NORMAL.
   The file is not mapped into memory: if another program truncates it, reading must be an error and not a signal. */
static bool set_up(lite *db)
{
    bool is_new = false;
    sqlite3_busy_handler(db->sql, wait_for_others, db);
    const char *memory = db->mode == TBY_DB_READ ? SQL_LITTLE_MEMORY : SQL_MUCH_MEMORY;
    if (!lite_run(db, "PRAGMA mmap_size = 0") || !lite_run(db, memory))
        return false;
    if (db->mode == TBY_DB_READ)
        return check_schema(db, &is_new);
    if (!lite_run(db, "PRAGMA synchronous = EXTRA") || !lite_run(db, "PRAGMA page_size = 8192") ||
        !check_schema(db, &is_new))
        return false;
    return is_new || enter_wal(db);
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

static size_t share(uint64_t bytes, uint64_t size, size_t least, size_t most)
{
    const uint64_t n = bytes / size;
    return n < least ? least : n > most ? most : (size_t)n;
}

/* SQLite has its own page cache (SQL_MUCH_MEMORY). While games are added, half of the rest is for hashes, which take 80
   bytes including the memory to sort them into their table, and an eighth is for names. While games are indexed these
   are not needed, and most of it is for positions: an entry of 16 bytes, and room for the parts being sorted. */
void lite_limit_memory(lite *db, uint64_t n_bytes)
{
    enum { PAGES = 64 << 20, HASH = 80, POSITION = 24 };
    const uint64_t rest = n_bytes > PAGES ? n_bytes - PAGES : 0;
    db->memory.n_hashes = share(rest / 2, HASH, 1 << 10, 1 << 23);
    db->memory.n_positions = share(rest / 4 * 3, POSITION, 1 << 16, SIZE_MAX);
    db->memory.name_bytes = share(rest / 8, N_NAME_TABLES, 1 << 16, SIZE_MAX);
}

/* The system's message is better than "unable to open database file". */
static bool fail_to_open(lite *db)
{
    const int number = db->sql ? sqlite3_system_errno(db->sql) : ENOMEM;
    return lite_fail(db,
                     number == ENOMEM   ? TBY_NO_MEMORY
                     : number == ENOENT ? TBY_NOT_FOUND
                                        : TBY_IO_ERROR,
                     "%s", number ? strerror(number) : sqlite3_errmsg(db->sql));
}

/* Refuses names that SQLite would not treat as a file of that name. */
static bool check_name(lite *db)
{
    if (!*db->path)
        return lite_fail(db, TBY_NOT_FOUND, "the name of a file is needed");
    if (db->path[0] == ':' || strncmp(db->path, "file:", 5) == 0)
        return lite_fail(db, TBY_NOT_FOUND, "SQLite does not treat this as a file name; use ./%s", db->path);
    return true;
}

static bool connect(lite *db)
{
    static const int flags[] = {
        [TBY_DB_READ] = SQLITE_OPEN_READONLY,
        [TBY_DB_WRITE] = SQLITE_OPEN_READWRITE,
        [TBY_DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    if (!check_name(db))
        return false;
    errno = 0; /* not every failure sets it */
    if (!open_file(db, flags[db->mode] | SQLITE_OPEN_NOMUTEX))
        return fail_to_open(db);
    return set_up(db) && conditions_register(db);
}

/* A writer that was killed may leave a journal that only a writer can roll back. Readers can open the file after that.
   */
static bool roll_back(lite *db)
{
    const int code = db->sql ? sqlite3_extended_errcode(db->sql) : SQLITE_OK;
    if (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY)
        return false;
    sqlite3_close(db->sql);
    db->sql = NULL;
    if (open_file(db, SQLITE_OPEN_READWRITE))
        sqlite3_exec(db->sql, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    sqlite3_close(db->sql);
    db->sql = NULL;
    return true;
}

lite *lite_open(const char *path, tby_db_mode mode, db_report upgrading, tby_failure *failure)
{
    lite *db = calloc(1, sizeof *db);
    if (!db || !(db->path = strdup(path))) {
        free(db);
        failure_no_memory(failure);
        return NULL;
    }
    db->mode = mode;
    db->upgrading = upgrading;
    lite_limit_memory(db, UINT64_MAX);
    db->memory.n_positions = SORTER_MEMORY;
    db->patience = mode == TBY_DB_READ ? READER_MILLISECONDS : WRITER_MILLISECONDS;
    if (!connect(db) && !(roll_back(db) && connect(db))) {
        *failure = db->base.failure;
        lite_close(db);
        return NULL;
    }
    return db;
}

void lite_close(lite *db)
{
    if (!db)
        return;
    intake_free(db->intake);
    readers_free(db->readers);
    for (int i = 0; i < SQL_STATEMENTS; i++)
        sqlite3_finalize(db->statements[i]);
    /* Fails, harmlessly, if others have the file open. */
    if (db->sql && db->mode != TBY_DB_READ)
        sqlite3_exec(db->sql, "PRAGMA busy_timeout = 0; PRAGMA synchronous = EXTRA; PRAGMA journal_mode = DELETE", NULL,
                     NULL, NULL);
    sqlite3_close(db->sql);
    free(db->row);
    free(db->path);
    free(db);
}

/* All numbers ever assigned, minus those of deleted games; the counters lag behind while games are added. */
bool lite_n_games(tby_db *base, int64_t *out)
{
    lite *db = lite_of(base);
    int64_t last = 0, deleted = 0;
    if (sqlite3_txn_state(db->sql, NULL) == SQLITE_TXN_WRITE)
        return lite_number(db, "SELECT count(*) FROM game", out);
    if (!lite_counter(db, "last_game", UINT32_MAX, &last) || !lite_counter(db, "deleted", last, &deleted))
        return false;
    *out = last - deleted;
    return true;
}

bool lite_last_id(lite *db, int64_t *out)
{
    lite_rows r = lite_rows_again(db, lite_statement(db, SQL_LAST_ID));
    if (lite_next(&r))
        *out = sqlite3_column_int64(r.s, 0); /* 0 for NULL */
    return lite_end(&r);
}
