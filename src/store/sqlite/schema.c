/*
 * schema.c - the tables of a database, generated from the columns of a game; docs/formats/database.md explains them.
 */
#include "store/sqlite/schema.h"
#include "base/contract.h"

/* ---- Tables --------------------------------------------------------------------------------------------- */

const char *schema_name_column(name_table table) { return table == NAMES_SHAPE ? "names" : "name"; }

static const char other_tables[] =
    "CREATE TABLE sketch(block INTEGER PRIMARY KEY, records BLOB NOT NULL);"
    "CREATE TABLE fact(block INTEGER PRIMARY KEY, records BLOB NOT NULL);" SCHEMA_RUN
    "CREATE TABLE position(id INTEGER PRIMARY KEY, entries BLOB NOT NULL);" SCHEMA_COMMON SCHEMA_HASH
    "CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;";

void schema_view(buffer *out)
{
    buffer_string(out, "CREATE VIEW games AS SELECT game.id, ");
    tby_columns_show(buffer_sink, out, TBY_SQL_SQLITE);
    buffer_string(out, " FROM game");
    columns_joins(buffer_sink, out, KIND(COLUMN_NAME));
    buffer_string(out, ";");
}

void schema_tables(buffer *out)
{
    for (int i = 0; i < N_NAME_TABLES; i++) {
        const char *const parts[] = {"CREATE TABLE ", name_tables[i], "(id INTEGER PRIMARY KEY, ",
                                     schema_name_column((name_table)i), " TEXT NOT NULL UNIQUE);"};
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
            buffer_string(out, parts[j]);
    }
    buffer_string(out, "CREATE TABLE game(id INTEGER PRIMARY KEY, ");
    tby_columns_define(buffer_sink, out, TBY_SQL_SQLITE);
    buffer_string(out, ");");
    schema_view(out);
    buffer_string(out, other_tables);
}

static bool is_name_of(const row_column *c, int table)
{
    return column_is(c, KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE)) && (int)c->names == table;
}

void schema_remember_names(buffer *out)
{
    const char *between = "INSERT OR IGNORE INTO temp.gone(kind, id) ";
    for (int i = 0; i < N_NAME_TABLES; i++)
        for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++)
            if (is_name_of(c, i)) {
                buffer_printf(out, "%sSELECT %d, %s FROM game WHERE id = ?1 AND %s IS NOT NULL", between, i, c->name,
                              c->name);
                between = " UNION ALL ";
            }
}

/* Uses an index of the column if there is one; otherwise the games are scanned once. Shapes have no index, but are few
   and shared by most games, so the scan ends at the first game with it. */
void schema_delete_names(buffer *out)
{
    for (int i = 0; i < N_NAME_TABLES; i++) {
        buffer_printf(out, "DELETE FROM %s WHERE id IN (SELECT id FROM temp.gone WHERE kind = %d)", name_tables[i], i);
        for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++)
            if (is_name_of(c, i) && c->kind == COLUMN_SHAPE)
                buffer_printf(out, " AND NOT EXISTS (SELECT 1 FROM game WHERE game.%s = %s.id)", c->name,
                              name_tables[i]);
            else if (is_name_of(c, i))
                buffer_printf(out,
                              " AND id NOT IN (SELECT %s FROM game WHERE %s IN"
                              " (SELECT id FROM temp.gone WHERE kind = %d))",
                              c->name, c->name, i);
        buffer_string(out, ";");
    }
    buffer_string(out, "DELETE FROM temp.gone");
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

void schema_insert(buffer *out)
{
    buffer_string(out, "INSERT INTO game(id, ");
    tby_columns_names(buffer_sink, out);
    buffer_string(out, ") VALUES(?1");
    for (size_t i = 0; i < n_row_columns; i++)
        buffer_printf(out, ", ?%zu", i + 2);
    buffer_string(out, ")");
}

void schema_select(buffer *out, unsigned kinds, const char *more, const char *hint)
{
    buffer_string(out, "SELECT ");
    columns_select(buffer_sink, out, TBY_SQL_SQLITE, kinds, "shape_name.names");
    buffer_printf(out, "%s FROM game%s", more, hint);
    columns_joins(buffer_sink, out, kinds);
}

/* SQLite returns no address for an empty value. A number is that of a name that the file lacks. */
static tby_text text_at(const void *from, int at)
{
    sqlite3_stmt *s = (sqlite3_stmt *)(uintptr_t)from;
    if (sqlite3_column_type(s, at) == SQLITE_INTEGER)
        return (tby_text){NULL, 0};
    const char *bytes = sqlite3_column_blob(s, at);
    if (bytes)
        return (tby_text){bytes, (size_t)sqlite3_column_bytes(s, at)};
    return (tby_text){sqlite3_column_type(s, at) == SQLITE_NULL ? NULL : "", 0};
}

static int64_t number_at(const void *from, int at) { return sqlite3_column_int64((sqlite3_stmt *)(uintptr_t)from, at); }

cells schema_cells(const sqlite3_stmt *s) { return (cells){text_at, number_at, s, 0}; }

void schema_row(tby_row *out, sqlite3_stmt *s, unsigned kinds)
{
    TBY_CONTRACT(s != NULL);
    const cells from = schema_cells(s);
    row_of_cells(out, &from, kinds);
}

bool schema_row_lacks_name(sqlite3_stmt *s, unsigned kinds)
{
    for (size_t i = 0; i < n_row_columns; i++)
        if (row_columns[i].kind == COLUMN_NAME && column_is(&row_columns[i], kinds) &&
            sqlite3_column_type(s, (int)i) == SQLITE_INTEGER)
            return true;
    return false;
}
