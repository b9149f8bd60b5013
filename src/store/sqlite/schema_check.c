/*
 * schema_check.c - compares the schema of a file with the schema that this program writes.
 *
 * A foreign file may contain a trigger that never ends or deletes games, a view that hides games, or an index that
 * calls functions. This program never writes such things, so each object must match one of ours exactly; otherwise the
 * file is refused.
 *
 * Accepts  any subset of the tables and indexes that are created later; the columns of a game in any order, because new
 *          versions add theirs at the end; the indexes that SQLite creates for UNIQUE, and the tables of ANALYZE. In a
 *          file that is not upgraded yet also fewer columns, the former table `run`, and any view `games`: upgrade.c
 *          drops it without reading it.
 */
#include "store/sqlite/index/traits.h"
#include "store/sqlite/schema.h"

#include <string.h>

typedef struct object {
    const char *type, *name, *sql; /* sql is NULL for an automatic index */
} object;

/* ---- Expected statements -------------------------------------------------------------------------------- */

/* Statements as SQLite stores them, each with a semicolon before and after it. */
static void add_stored(buffer *out, const char *statements)
{
    static const char condition[] = "IF NOT EXISTS ";
    buffer_string(out, ";");
    for (const char *found; (found = strstr(statements, condition)) != NULL; statements = found + sizeof condition - 1)
        buffer_add(out, statements, (size_t)(found - statements));
    buffer_string(out, statements);
    buffer_string(out, ";");
}

static bool write_expected(lite *db, buffer *out)
{
    static const char *const later[] = {SCHEMA_NAME_INDEXES, SCHEMA_EVENT_INDEXES, SCHEMA_OPENING_INDEX,
                                        SCHEMA_WORD,         SCHEMA_STOOD,         SCHEMA_COLLECTION};
    buffer tables = {0}, list = {0};
    schema_tables(&tables);
    for (unsigned i = 0; i < TRAITS_LISTS; i++)
        buffer_printf(&list, SCHEMA_LIST, traits_tables[i].name);
    if (!tables.has_failed && !list.has_failed) {
        add_stored(out, tables.s);
        add_stored(out, list.s);
        for (size_t i = 0; i < sizeof later / sizeof *later; i++)
            add_stored(out, later[i]);
    }
    const bool is_good = !tables.has_failed && !list.has_failed && !out->has_failed;
    buffer_free(&tables);
    buffer_free(&list);
    return is_good || lite_fail_memory(db);
}

/* Is the statement at `at`, right after a semicolon? Then the next one begins at `*next`. */
static bool is_statement_at(const char *at, const char *sql, size_t n, const char **next)
{
    if (strncmp(at, sql, n) != 0 || at[n] != ';')
        return false;
    *next = at + n + strspn(at + n, ";");
    return true;
}

/* Files usually have their objects in our order, so `*next` is tried first. */
static bool has_statement(const buffer *expected, const char *sql, const char **next)
{
    const size_t n = strlen(sql);
    if (is_statement_at(*next, sql, n, next))
        return true;
    for (const char *at = expected->s; (at = strstr(at, sql)) != NULL; at++)
        if (at > expected->s && at[-1] == ';' && is_statement_at(at, sql, n, next))
            return true;
    return false;
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
static bool is_table_of_games(const char *sql, const buffer *expected, bool is_former)
{
    static const char begin[] = "CREATE TABLE game(", id[] = "id INTEGER PRIMARY KEY";
    const char *columns = strstr(expected->s, begin) + sizeof begin - 1 + sizeof id - 1;
    size_t n = 0;
    if (!passes(&sql, begin) || !passes(&sql, id))
        return false;
    for (; passes(&sql, ","); n++)
        if (!passes_column(&sql, columns))
            return false;
    return strcmp(sql, ")") == 0 && (is_former || n == n_row_columns);
}

/* ---- All objects ---------------------------------------------------------------------------------------- */

static bool is_of_sqlite(const object *o)
{
    return (strcmp(o->type, "index") == 0 && !o->sql) ||
           (strcmp(o->type, "table") == 0 &&
            (strcmp(o->name, "sqlite_stat1") == 0 || strcmp(o->name, "sqlite_stat4") == 0));
}

static bool is_former_object(const object *o)
{
    return (strcmp(o->type, "view") == 0 && strcmp(o->name, "games") == 0) || strcmp(o->sql, SCHEMA_FORMER_RUN) == 0;
}

static bool is_ours(const object *o, const buffer *expected, const char **next, bool is_former)
{
    return is_of_sqlite(o) ||
           (o->sql && (has_statement(expected, o->sql, next) || is_table_of_games(o->sql, expected, is_former) ||
                       (is_former && is_former_object(o))));
}

bool schema_check(lite *db, bool is_former)
{
    buffer expected = {0};
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT type, name, sql FROM sqlite_schema"));
    r.failed = r.failed || !write_expected(db, &expected);
    const char *next = r.failed ? NULL : expected.s + strspn(expected.s, ";");
    while (lite_next(&r)) {
        const object o = {(const char *)sqlite3_column_text(r.s, 0), (const char *)sqlite3_column_text(r.s, 1),
                          (const char *)sqlite3_column_text(r.s, 2)};
        if (sqlite3_errcode(db->sql) == SQLITE_NOMEM)
            r.failed = !lite_fail_memory(db);
        else if (!o.type || !o.name || !is_ours(&o, &expected, &next, is_former))
            r.failed = !lite_fail(db, TBY_INVALID_DATABASE,
                                  "its schema is not the one tabiya writes: unexpected or changed %.20s \"%.100s\"",
                                  o.type ? o.type : "object", o.name ? o.name : "?");
    }
    buffer_free(&expected);
    return lite_end(&r);
}
