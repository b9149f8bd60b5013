/*
 * schema_check.c - compares the schema of a file with the schema that this program writes.
 *
 * A foreign file may contain a trigger that never ends or deletes games, a view that hides games, or an index that
 * calls functions. This program never writes such things, so each object must match one of ours exactly; otherwise the
 * file is refused.
 *
 * Accepts  any subset of the tables and indexes that are created later; the columns of a game in any order, because new
 *          versions add theirs at the end; the indexes that SQLite creates for UNIQUE, and the tables of ANALYZE. In a
 *          file of an earlier version also fewer columns, in those that are only upgraded and never read as they are the
 *          former table `run`, and before an upgrade any view `games`: upgrade.c drops it without reading it.
 */
#include "store/sqlite/index/index.h"
#include "store/sqlite/schema.h"

#include <string.h>

/* ---- Expected statements -------------------------------------------------------------------------------- */

/* In the order in which an import creates them. */
static bool write_expected(lite *db, buffer *out)
{
    static const char *const later[] = {SCHEMA_NAME_INDEXES,
                                        SCHEMA_OPENING_INDEX,
                                        SCHEMA_WORD,
                                        SCHEMA_COLLECTION,
                                        "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
                                        "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"};
    buffer_reserve(out, 4096); /* enough for all */
    schema_tables(out);
    indexes_schema(out);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        buffer_string(out, later[i]);
        buffer_string(out, ";");
    }
    return !out->has_failed || lite_fail_memory(db);
}

static const char *next_statement(const char *at)
{
    at += strcspn(at, ";");
    return at + strspn(at, ";");
}

/* SQLite stores a statement without "IF NOT EXISTS ". */
static bool is_statement_at(const char *at, const char *sql, const char **next)
{
    static const char condition[] = "IF NOT EXISTS ";
    enum { N_BEGIN = sizeof "CREATE TABLE " - 1, N_CONDITION = sizeof condition - 1 };
    const size_t n = strlen(sql);
    size_t n_same = 0;
    if (strncmp(at, sql, N_BEGIN) == 0 && strncmp(at + N_BEGIN, condition, N_CONDITION) == 0) {
        n_same = N_BEGIN;
        at += N_CONDITION;
    }
    if (strncmp(at + n_same, sql + n_same, n - n_same) != 0 || at[n] != ';')
        return false;
    *next = at + n + strspn(at + n, ";");
    return true;
}

/* Files usually have their objects in our order, so `*next` is tried first. */
static bool has_statement(const buffer *expected, const char *sql, const char **next)
{
    bool is_found = is_statement_at(*next, sql, next);
    for (const char *at = expected->s; !is_found && *at; at = next_statement(at))
        is_found = is_statement_at(at, sql, next);
    return is_found;
}

/* ---- The table of games --------------------------------------------------------------------------------- */

/* Skips blanks and `text` at *s; false if it is not there. */
static bool passes(const char **s, const char *text)
{
    const char *at = *s + strspn(*s, " ");
    const size_t n = strlen(text);
    if (strncmp(at, text, n) != 0)
        return false;
    *s = at + n;
    return true;
}

/* Skips the definition of a column at *s, if it is one of `columns`. */
static bool passes_column(const char **s, const char *columns)
{
    const char *at = *s + strspn(*s, " "), *end = columns + strcspn(columns, ")");
    const size_t n = strcspn(at, ",)");
    for (; n && columns + n <= end; columns++)
        if (columns[-1] == ' ' && columns[-2] == ',' && strncmp(columns, at, n) == 0 && strchr(",)", columns[n])) {
            *s = at + n;
            return true;
        }
    return false;
}

/* SQLite itself refuses duplicate columns. */
static bool is_table_of_games(const char *sql, const buffer *expected, int64_t version)
{
    static const char begin[] = "CREATE TABLE game(", id[] = "id INTEGER PRIMARY KEY";
    const char *columns = strstr(expected->s, begin) + sizeof begin - 1 + sizeof id - 1;
    size_t n = 0;
    if (!passes(&sql, begin) || !passes(&sql, id))
        return false;
    for (; passes(&sql, ","); n++)
        if (!passes_column(&sql, columns))
            return false;
    return strcmp(sql, ")") == 0 && (version < SCHEMA_VERSION || n == n_row_columns);
}

/* ---- All objects ---------------------------------------------------------------------------------------- */

/* SQLite itself checks that a statement creates the object of its row, and that only an index that it made for UNIQUE has
   no statement. */
static bool is_ours(const char *sql, const buffer *expected, const char **next, int64_t version, bool is_read)
{
    static const char view[] = "CREATE VIEW games AS ";
    return has_statement(expected, sql, next) || is_table_of_games(sql, expected, version) ||
           (version < SCHEMA_READABLE && strcmp(sql, SCHEMA_FORMER_RUN) == 0) ||
           (!is_read && strncmp(sql, view, sizeof view - 1) == 0);
}

static bool check_object(lite *db, sqlite3_stmt *s, const buffer *expected, const char **next, int64_t version)
{
    const char *sql = (const char *)sqlite3_column_text(s, 0);
    if (!sql && sqlite3_errcode(db->sql) == SQLITE_NOMEM)
        return lite_fail_memory(db);
    const bool is_read = version == SCHEMA_VERSION || (version >= SCHEMA_READABLE && db->mode == TBY_DB_READ);
    if (!sql || is_ours(sql, expected, next, version, is_read))
        return true;
    const char *name = (const char *)sqlite3_column_text(s, 1);
    return lite_fail(db, TBY_INVALID_DATABASE,
                     "its schema is not the one tabiya writes: \"%.100s\" is unexpected or changed", name ? name : "?");
}

bool schema_check(lite *db, int64_t version)
{
    buffer expected = {0};
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT sql, name FROM sqlite_schema"));
    r.failed = r.failed || !write_expected(db, &expected);
    const char *next = expected.s;
    while (lite_next(&r))
        r.failed = !check_object(db, r.s, &expected, &next, version);
    buffer_free(&expected);
    return lite_end(&r);
}
