/*
 * open.c - opens and creates databases.
 *
 * A database is an SQLite file with an application id and a schema version; docs/formats/database.md explains the
 * tables. While games are added the file is in WAL mode, so that readers are not disturbed; when the last writer closes
 * it, it is one plain file again. Only a database that was just created is filled with a rollback journal, which writes
 * each page once where WAL writes it twice: readers that come this early may have to wait for a commit.
 *
 * Nothing in the file or beside it is trusted: it may be damaged or malicious. vfs.c decides which files are opened,
 * and the schema is read with limits until it is known to be ours.
 */
#include "os/file.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/index/sorter.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/vfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Readers may have to wait for a commit, writers for each other. */
enum { READER_MILLISECONDS = 60 * 1000, WRITER_MILLISECONDS = 3600 * 1000, WAIT_MILLISECONDS = 5 };

/* ---- Foreign files -------------------------------------------------------------------------------------- */

/* Nothing in the file may call functions, or change the schema behind SQLite's back. Our files have no triggers; those
   of a foreign file must not run before it is refused. */
static void distrust(sqlite3 *sql)
{
    sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

/* SQLite parses the whole schema before its first statement, and reads the statistics of ANALYZE. Ours take a few
   hundred steps, and thousands with statistics, whose samples may contain whole games. */
enum { GUARD_INTERVAL = 100, GUARD_STEPS = 40000, GUARD_LENGTH = 1 << 20, GUARD_SQL_LENGTH = 1 << 14 };

static int count_steps(void *context)
{
    lite *db = context;
    db->guard_steps += GUARD_INTERVAL;
    return db->guard_steps > GUARD_STEPS;
}

/* From here on until `guard_end`, a schema that is too large to be ours is an error. */
static void guard_begin(lite *db)
{
    db->guard_steps = 0;
    db->lengths[0] = sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, GUARD_LENGTH);
    db->lengths[1] = sqlite3_limit(db->sql, SQLITE_LIMIT_SQL_LENGTH, GUARD_SQL_LENGTH);
    sqlite3_progress_handler(db->sql, GUARD_INTERVAL, count_steps, db);
}

static bool guard_end(lite *db, bool is_good)
{
    sqlite3_progress_handler(db->sql, 0, NULL, NULL);
    sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, db->lengths[0]);
    sqlite3_limit(db->sql, SQLITE_LIMIT_SQL_LENGTH, db->lengths[1]);
    if (db->guard_steps <= GUARD_STEPS && (is_good || sqlite3_errcode(db->sql) != SQLITE_TOOBIG))
        return is_good;
    return lite_fail(db, TBY_INVALID_DATABASE, "its schema is not the one tabiya writes: it is too large");
}

static bool open_file(lite *db, int flags)
{
    if (!db->vfs && !(db->vfs = lite_vfs_new()))
        return false;
    const bool is_open = sqlite3_open_v2(db->path, &db->sql, flags, lite_vfs_name(db->vfs)) == SQLITE_OK;
    if (is_open)
        distrust(db->sql);
    return is_open;
}

/* ---- The schema ----------------------------------------------------------------------------------------- */

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

static bool is_known(int64_t version) { return version >= SCHEMA_OLDEST && version <= SCHEMA_VERSION; }

/* One snapshot, in case others are creating the tables. */
static bool look_at_schema(lite *db, int64_t *id, int64_t *version)
{
    bool is_alone;
    if (!lite_begin_reading(db, &is_alone))
        return false;
    const bool is_good = schema_of(db, id, version) &&
                         (*id != SCHEMA_APPLICATION_ID || !is_known(*version) || schema_check(db, *version));
    lite_end_reading(db, is_alone);
    return is_good;
}

static bool upgrade(lite *db)
{
    snprintf(db->note, sizeof db->note, "it was upgraded from version %d of its schema to version %d", db->version,
             SCHEMA_VERSION);
    db->version = SCHEMA_VERSION;
    return schema_upgrade(db) && schema_check(db, SCHEMA_VERSION);
}

/* A file of the version before can be read as it is. Version 4 had no columns for the possible days of a date: a view
   with the table's name adds them, which SQLite replaces by the table itself wherever it is used. */
static bool accept_former(lite *db)
{
    enum { HAS_DAYS = 5 };
    if (db->mode != TBY_DB_READ)
        return upgrade(db);
    if (db->version < SCHEMA_READABLE)
        return lite_fail(db, TBY_INVALID_DATABASE,
                         "its schema has version %d, this program's has %d: importing any file, even an empty one, "
                         "upgrades it",
                         db->version, SCHEMA_VERSION);
    snprintf(db->note, sizeof db->note,
             "its schema has version %d; the next import, even of no games, upgrades it to version %d. Until then, "
             "searches by date may be wrong for dates with unknown parts (201?.??.??, 2019.??.12, 0000.00.00) and for "
             "those that do not begin with the year",
             db->version, SCHEMA_VERSION);
    return db->version >= HAS_DAYS ||
           lite_run(db, "CREATE TEMP VIEW game AS SELECT *, date AS first_day, date + CASE WHEN date % 10000 = 0 THEN "
                        "9999 WHEN date % 100 = 0 THEN 99 ELSE 0 END AS last_day FROM main.game");
}

/* An empty file becomes a database; any other must be ours. */
static bool accept_schema(lite *db, int64_t id, int64_t version, bool *is_new)
{
    if (id == 0 && db->mode == TBY_DB_CREATE) {
        if (!make_schema(db, &id, &version))
            return false;
        *is_new = id == 0;
        db->version = SCHEMA_VERSION;
        if (*is_new)
            return true;
    }
    if (id != SCHEMA_APPLICATION_ID)
        return lite_fail(db, TBY_INVALID_DATABASE, "not a tabiya database");
    if (!is_known(version))
        return lite_fail(db, TBY_INVALID_DATABASE, "its schema has version %lld, this program supports version %d",
                         (long long)version, SCHEMA_VERSION);
    db->version = (int)version;
    return version == SCHEMA_VERSION || accept_former(db);
}

/* If others are just creating the database, it may fail to enter WAL: then the journal mode does not change. Neither does it
   on a network drive, where the log's shared memory would not be shared. */
static bool enter_wal(lite *db)
{
    if (os_is_remote(db->path))
        return true;
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
static bool set_pragmas(lite *db)
{
    return lite_run(db, "PRAGMA mmap_size = 0") &&
           lite_run(db, db->mode == TBY_DB_READ ? SQL_LITTLE_MEMORY : SQL_MUCH_MEMORY) &&
           (db->mode == TBY_DB_READ ||
            (lite_run(db, "PRAGMA synchronous = EXTRA") && lite_run(db, "PRAGMA page_size = 8192")));
}

static bool set_up(lite *db)
{
    int64_t id = 0, version = 0;
    bool is_new = false;
    sqlite3_busy_handler(db->sql, wait_for_others, db);
    guard_begin(db);
    if (!guard_end(db, set_pragmas(db) && look_at_schema(db, &id, &version)) ||
        !accept_schema(db, id, version, &is_new))
        return false;
    db->is_accepted = true;
    return db->mode == TBY_DB_READ || is_new || enter_wal(db);
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
    const char *refusal = db->vfs ? lite_vfs_refusal(db->vfs) : NULL;
    if (refusal)
        return lite_fail(db, TBY_IO_ERROR, "%s", refusal);
    int number = db->sql ? os_errno_of(sqlite3_system_errno(db->sql)) : ENOMEM;
    if (!number && db->path && os_is_folder(db->path))
        number = EISDIR;
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
   The statement needs no schema. */
static bool roll_back(lite *db)
{
    const int code = db->sql ? sqlite3_extended_errcode(db->sql) : SQLITE_OK;
    int64_t version;
    if (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY)
        return false;
    sqlite3_close(db->sql);
    db->sql = NULL;
    const bool is_good = open_file(db, SQLITE_OPEN_READWRITE) ? lite_number(db, "PRAGMA user_version", &version)
                                                              : fail_to_open(db);
    sqlite3_close(db->sql);
    db->sql = NULL;
    return is_good;
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
