/*
 * db.h - what the parts of the database share: the connection, statements, errors.
 */
#ifndef TBY_STORE_SQLITE_DB_H
#define TBY_STORE_SQLITE_DB_H

#include "store/access.h"
#include "store/sqlite/index/indexes.h"

#include <sqlite3.h>

/* Tables of bytes by number. */
typedef enum lite_table {
    TABLE_SKETCH,
    TABLE_FACT,
    TABLE_POSITION,
    TABLE_WORD,
    TABLE_INDEX, /* one for each of INDEXES */
    LITE_TABLES = TABLE_INDEX + N_INDEXES
} lite_table;
const char *lite_table_name(lite_table table);

/* Statements that are used repeatedly; each is prepared when it is first needed. */
typedef enum statement {
    SQL_GAME_INSERT,
    SQL_GAME_BY_ID,
    SQL_ROWS_FROM, /* the columns of lists, the moves and the number, from a game on */
    SQL_LAST_ID,
    SQL_GAME_MOVES,
    SQL_GAME_NEXT,
    SQL_FACTS_RANGE,
    SQL_COUNTS_GET,
    SQL_HASH_GET,
    SQL_HASH_DELETE,
    SQL_COUNTER_GET,
    SQL_COUNTER_ADD,
    SQL_TABLE_GET, /* one of each kind per table */
    SQL_TABLE_PUT = SQL_TABLE_GET + LITE_TABLES,
    SQL_STATEMENTS = SQL_TABLE_PUT + LITE_TABLES
} statement;

/* How much memory SQLite may use; the rest goes to an unnamed file. Less is faster for its sorter, which then works in
   the processor's cache, piece by piece, and for reading: the system caches the file's pages anyway, and replacing a
   page costs less than fresh memory. */
#define SQL_MUCH_MEMORY "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE"
#define SQL_LITTLE_MEMORY "PRAGMA cache_size = -2048; PRAGMA temp_store = FILE"

struct lite;
typedef struct intake intake;   /* names and hashes known while games are added: add.c */
typedef struct readers readers; /* more connections for searching in threads: readers.c */

/* How memory is divided while games are added and indexed, besides SQLite's own. */
typedef struct lite_memory {
    size_t n_hashes;    /* of games not yet in the table of hashes */
    size_t name_bytes;  /* of the names of one table seen so far */
    size_t n_positions; /* positions sorted at a time */
} lite_memory;
void lite_limit_memory(struct lite *db, uint64_t n_bytes);

typedef struct lite {
    tby_db base;
    sqlite3 *sql;
    struct lite_vfs *vfs; /* which files the connection may open */
    char *path;
    tby_db_mode mode;
    int version;      /* of the file's schema, once it is known */
    char note[400];   /* about a file of an earlier version; empty: none */
    bool is_accepted; /* the schema is ours */
    int guard_steps;  /* while the schema is unknown: steps of SQLite, and the limits that are to be restored */
    int lengths[2];
    sqlite3_stmt *statements[SQL_STATEMENTS];
    intake *intake;
    readers *readers;
    int64_t data_version;      /* changes when others have written */
    struct visiting *visiting; /* how the games of the current search are read; NULL: no search */
    char *row;                 /* the texts of lite_row */
    size_t cap_row;
    int patience; /* milliseconds to wait for others */
    lite_memory memory;
    db_report upgrading; /* for schema_upgrade */
} lite;

/* The status for an SQLite error code. */
tby_status lite_status_of(int code);
/* All return false, so that callers can `return lite_fail(...)`; the message is SQLite's or ours. */
bool lite_fail_sql(lite *db, const char *what);
#define lite_fail(db, ...) db_fail(&(db)->base, __VA_ARGS__)
static inline bool lite_fail_memory(lite *db) { return db_fail_memory(&db->base); }

/* Statements without results. */
bool lite_run(lite *db, const char *sql);
/* A cached statement, reset and without values; NULL after lite_fail_sql. */
sqlite3_stmt *lite_statement(lite *db, statement which);
/* A new statement, to be finalized; NULL after lite_fail_sql. */
sqlite3_stmt *lite_prepare(lite *db, const char *sql);
/* The same for generated texts, which are freed. */
bool lite_run_text(lite *db, buffer *sql);
sqlite3_stmt *lite_prepare_text(lite *db, buffer *sql);
/* The single number that a query returns; returning none is a failure too. */
bool lite_number(lite *db, const char *sql, int64_t *out);
/* Both, written by a format. */
sqlite3_stmt *lite_prepare_of(lite *db, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool lite_number_of(lite *db, int64_t *out, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The value of a counter, which must be from 0 to `most`. */
bool lite_counter(lite *db, const char *name, int64_t most, int64_t *out);
/* The same for a counter that may be missing: -1. */
bool lite_counter_if(lite *db, const char *name, int64_t most, int64_t *out);
/* The same if any value is valid. */
bool lite_counter_or(lite *db, const char *name, int64_t otherwise, int64_t *out);
/* Adds `by` to a counter. */
bool lite_count_on(lite *db, const char *name, int64_t by);

/* Runs a statement that returns no rows, and resets it. */
bool lite_do(lite *db, sqlite3_stmt *statement);

/* The rows of a statement:
 *
 *     lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT name FROM player WHERE id > ?1"));
 *     lite_bind(&r, 1, id);
 *     while (lite_next(&r))
 *         r.failed = !use(sqlite3_column_text(r.s, 0));
 *     return lite_end(&r);
 */
typedef struct lite_rows {
    lite *db;
    sqlite3_stmt *s; /* NULL: it could not be prepared */
    int64_t number;  /* the first column of the row, after lite_next_up */
    bool is_kept;    /* lite_end resets the statement instead of finalizing it */
    bool failed;     /* ends the loop; db->base.failure says why */
} lite_rows;

/* Of a statement that is finalized at the end; of one that is only reset; and of a cached one, with ?1 bound. */
lite_rows lite_rows_of(lite *db, sqlite3_stmt *s);
lite_rows lite_rows_again(lite *db, sqlite3_stmt *s);
lite_rows lite_rows_kept(lite *db, statement which, int64_t first);
void lite_bind(const lite_rows *r, int at, int64_t value);
/* False at the end and after a failure. */
bool lite_next(lite_rows *r);
/* The same for rows whose first column, a number, must increase: a damaged file may return the same rows endlessly. */
bool lite_next_up(lite_rows *r);
/* False after a failure. */
bool lite_end(const lite_rows *r);

/* The bytes of a column; NULL and 0 if there are none. */
typedef struct lite_bytes {
    const uint8_t *s;
    size_t n;
} lite_bytes;
lite_bytes lite_bytes_at(const lite_rows *r, int at);
/* The text of a column; empty if there is none. */
tby_text lite_text_at(sqlite3_stmt *s, int at);

/* A row of such a table, if it exists: the number and the bytes. */
lite_rows lite_rows_in(lite *db, lite_table table, int64_t id);
/* Stores a row, or replaces it. */
bool lite_put(lite *db, lite_table table, int64_t id, const void *bytes, size_t n);

/* False, with a failure set, if the caller wants to stop. */
static inline bool lite_goes_on(lite *db)
{
    return db_goes_on(&db->base) || lite_fail(db, TBY_INTERRUPTED, "interrupted");
}

/* One transaction for everything that is read, unless there is one already: the data is consistent, and SQLite need not
   lock and unlock the file for every row. */
bool lite_begin_reading(lite *db, bool *is_alone);
void lite_end_reading(lite *db, bool is_alone);

/* The operations of the backend, by file; as in tabiya_db.h. */
lite *lite_open(const char *path, tby_db_mode mode, db_report upgrading, tby_failure *failure);
void lite_close(lite *db);
static inline lite *lite_of(tby_db *db) { return (lite *)db; }
static inline const char *lite_error(const lite *db) { return db->base.failure.text; }
bool lite_begin(lite *db);
bool lite_add(tby_db *base, const tby_batch *b, tby_duplicates duplicates, tby_db_added *added);
bool lite_commit(lite *db);
/* Commits, or rolls back unless `is_good`; then, and after a failure, it returns false. */
bool lite_finish(lite *db, bool is_good);
/* The same for what may be part of a larger transaction, which then ends it; lite_end_part returns false if not `is_good`. */
bool lite_begin_part(lite *db, bool *is_own);
bool lite_end_part(lite *db, bool is_own, bool is_good);
void lite_rollback(lite *db);
/* Before a writer closes: moves the write-ahead log into the file, as far as others that read it allow. */
void lite_fold(sqlite3 *sql);
/* The same for a database of games, which becomes one plain file again unless others have it open. */
void lite_settle(sqlite3 *sql);
bool lite_want_index(tby_db *base, const char *name);
bool lite_index(tby_db *base, int plies, tby_db_progress progress, void *context);
bool lite_erase(tby_db *base, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
bool lite_n_games(tby_db *base, int64_t *out);
bool lite_last_id(lite *db, int64_t *out);
/* The row of a game, valid until the end of the returned rows; these have failed if there is none. */
lite_rows lite_row_begin(lite *db, tby_game_id id, tby_row *out);
bool lite_row(tby_db *base, tby_game_id id, tby_row *out);
bool lite_facts(tby_db *base, tby_game_id id, tby_db_facts *out);
db_plan *lite_plan(tby_db *base, const tby_db_search *search, const tby_position *pos, query_members *members);
void lite_plan_free(tby_db *base, db_plan *plan);
bool lite_describe_plan(tby_db *base, db_plan *plan, buffer *out);
bool lite_run_plan(tby_db *base, db_plan *plan, tby_db_visit visit, void *context);
bool lite_count(tby_db *base, db_plan *plan, int64_t *out);
bool lite_reach(tby_db *base, db_plan *plan, const reaching_visitor *visitor);
bool lite_check_where(tby_db *base, const char *where);
bool lite_verify(tby_db *base, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);
bool lite_summarize(tby_db *base, tby_db_summary *out);
bool lite_sizes(tby_db *base, tby_db_size visit, void *context);

/* Collections. (collections.c) */
bool lite_collections(tby_db *base, tby_game_id game, collection_take take, void *context);
bool lite_members(tby_db *base, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
bool lite_collect_games(tby_db *base, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                        int64_t *n_changed);
/* Removes games that are no longer in the database from all collections, within the caller's transaction. */
bool collections_forget(lite *db);
/* Reports games or collections that are missing. */
bool collections_verify(lite *db, tby_db_fault fault, void *context);

/* Statements with a user's condition, which may only read. (where.c) */
/* The view that the condition refers to; its game has a second name. */
#define WHERE_TABLE "(SELECT *, moves AS game FROM games) AS games"

/* Like lite_prepare_text. */
sqlite3_stmt *lite_prepare_where(lite *db, buffer *sql);

void intake_free(intake *in);
/* Stores what was held back until the end of a transaction. */
bool intake_flush(lite *db);
/* Adds the games that are missing to the table of hashes. */
bool hashes_build(lite *db);
/* Drops the cached data about the games, which is read again when needed. */
void intake_forget(lite *db);
void readers_free(readers *r);

#endif
