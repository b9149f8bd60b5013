/*
 * db.c - runs the SQL of a database: statements, their rows, counters and errors. open.c opens it.
 */
#include "base/contract.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/vfs.h"

#include <stdlib.h>
#include <string.h>

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
    if (lite_vfs_refusal(db->vfs)) {
        lite_fail(db, TBY_INVALID_DATABASE, "%s", lite_vfs_refusal(db->vfs));
        lite_vfs_forgive(db->vfs);
        return false;
    }
    if (code == SQLITE_FULL)
        return lite_fail(db, TBY_IO_ERROR, "%s: the disk is full", what);
    if (code == SQLITE_NOMEM)
        return lite_fail_memory(db);
    return lite_fail(db, lite_status_of(code), "%s: %s", what, sqlite3_errmsg(db->sql));
}

/* ---- Statements ----------------------------------------------------------------------------------------- */

const char *lite_table_name(lite_table table)
{
    static const char *const names[] = {"sketch", "fact", "position", "word"};
    return table < TABLE_INDEX ? names[table] : db_indexes[table - TABLE_INDEX]->name;
}

/* The column of bytes. */
static const char *column_of(lite_table table)
{
    static const char *const columns[] = {"records", "records", "entries", "names"};
    return table < TABLE_INDEX                                            ? columns[table]
           : db_indexes[table - TABLE_INDEX]->storage == STORED_AS_BLOCKS ? "records"
                                                                          : "games";
}

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
    } else if (which == SQL_GAME_BY_ID) {
        schema_select(&sql, KINDS_ALL, "", "");
        buffer_string(&sql, " WHERE game.id = ?1");
    } else if (which == SQL_ROWS_FROM) {
        schema_select(&sql, KINDS_OF_ROWS, ", game.id", " NOT INDEXED");
        buffer_string(&sql, " WHERE game.id >= ?1 ORDER BY game.id");
    } else if (which >= SQL_TABLE_PUT) {
        buffer_printf(&sql, "INSERT OR REPLACE INTO %s VALUES(?1, ?2)",
                      lite_table_name((lite_table)(which - SQL_TABLE_PUT)));
    } else if (which >= SQL_TABLE_GET) {
        const lite_table table = (lite_table)(which - SQL_TABLE_GET);
        buffer_printf(&sql, "SELECT ?1, %s FROM %s WHERE rowid = ?1", column_of(table), lite_table_name(table));
    } else {
        buffer_string(&sql, statement_texts[which]);
    }
    return prepare_text(db, &sql, SQLITE_PREPARE_PERSISTENT);
}

sqlite3_stmt *lite_statement(lite *db, statement which)
{
    TBY_CONTRACT((unsigned)which < SQL_STATEMENTS);
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
    TBY_CONTRACT(at > 0);
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
    TBY_CONTRACT(at >= 0);
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
    TBY_CONTRACT(bytes || n == 0);
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
    TBY_CONTRACT(most >= 0);
    return lite_counter_or(db, name, -1, out) &&
           ((*out >= -1 && *out <= most) ||
            lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: its counter %s is wrong", name));
}

bool lite_counter(lite *db, const char *name, int64_t most, int64_t *out)
{
    TBY_CONTRACT(most >= 0);
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

/* ---- Closing -------------------------------------------------------------------------------------------- */

void lite_close(lite *db)
{
    if (!db)
        return;
    intake_free(db->intake);
    readers_free(db->readers);
    for (int i = 0; i < SQL_STATEMENTS; i++)
        sqlite3_finalize(db->statements[i]);
    if (db->is_accepted && db->mode != TBY_DB_READ)
        lite_settle(db->sql);
    sqlite3_close(db->sql);
    lite_vfs_free(db->vfs);
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
