/*
 * columns_sql.c - the columns of a stored game in SQL.
 */
#include "row/columns.h"

#include <string.h>

static void put_all(tby_sink sink, void *context, const char *const *parts)
{
    for (; *parts; parts++)
        if (**parts)
            sink(context, *parts, strlen(*parts));
}
#define PUT(...) put_all(sink, context, (const char *const[]){__VA_ARGS__, NULL})

/* ---- Tables --------------------------------------------------------------------------------------------- */

/* A server packs a row more tightly if the widest numbers come first, and texts last. */
static int width_rank(const row_column *c)
{
    if (c->kind == COLUMN_HASH)
        return 0;
    return column_is(c, KIND(COLUMN_NUMBER) | KIND(COLUMN_DATE) | KIND(COLUMN_DAY) | KIND(COLUMN_COUNT) |
                            KIND(COLUMN_SHAPE))
               ? 1
               : 2;
}

void column_define(tby_sink sink, void *context, tby_sql sql, const row_column *c)
{
    static const char *const types[][2] = {
        [COLUMN_NAME] = {" INTEGER", " text COLLATE \"C\""},
        [COLUMN_TEXT] = {" TEXT", " text COLLATE \"C\""},
        [COLUMN_NUMBER] = {" INTEGER", " integer"},
        [COLUMN_DATE] = {" INTEGER", " integer"},
        [COLUMN_CHOICE] = {" TEXT", " text COLLATE \"C\""},
        [COLUMN_DAY] = {" INTEGER", " integer"},
        [COLUMN_COUNT] = {" INTEGER", " integer"},
        [COLUMN_SHAPE] = {" INTEGER", " integer"},
        [COLUMN_JSON] = {" TEXT", " json"},
        [COLUMN_HASH] = {" INTEGER", " bigint"},
        [COLUMN_MOVES] = {" BLOB", " chessgame"},
        [COLUMN_RECORD] = {" BLOB", " bytea"},
    };
    PUT(c->name, types[c->kind][sql], column_is_needed(c) ? " NOT NULL" : "");
    if (sql == TBY_SQL_SQLITE && column_is(c, KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE)))
        PUT(" REFERENCES ", name_tables[c->names]);
}

void tby_columns_define(tby_sink sink, void *context, tby_sql sql)
{
    const char *between = "";
    for (int rank = 0; rank <= 2; rank++)
        for (size_t i = 0; i < n_row_columns; i++) {
            const row_column *c = &row_columns[i];
            if (sql == TBY_SQL_SQLITE ? rank != 0 : rank != width_rank(c))
                continue;
            PUT(between);
            column_define(sink, context, sql, c);
            between = ", ";
        }
}

void tby_columns_names(tby_sink sink, void *context)
{
    for (size_t i = 0; i < n_row_columns; i++)
        PUT(i ? ", " : "", row_columns[i].name);
}

void tby_columns_comment(tby_sink sink, void *context)
{
    char version[TBY_ROW_TEXT_SIZE];
    number_write(version, TBY_SCHEMA_VERSION);
    PUT("games of tabiya, version ", version);
}

/* ---- Values --------------------------------------------------------------------------------------------- */

void columns_select(tby_sink sink, void *context, tby_sql sql, unsigned kinds, const char *shape)
{
    for (size_t i = 0; i < n_row_columns; i++) {
        const row_column *c = &row_columns[i];
        PUT(i ? ", " : "");
        if (!column_is(c, kinds))
            PUT("NULL");
        else if (c->kind == COLUMN_SHAPE)
            PUT(shape);
        else if (sql == TBY_SQL_SQLITE && c->kind == COLUMN_NAME)
            PUT("coalesce(", c->name, "_name.name, ", c->name, ")");
        else if (sql == TBY_SQL_SQLITE)
            PUT(c->name);
        else
            PUT("g.", c->name, c->kind == COLUMN_JSON ? "::text" : "");
    }
}

void columns_joins(tby_sink sink, void *context, unsigned kinds)
{
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++)
        if (column_is(c, kinds & (KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE))))
            PUT(" LEFT JOIN ", name_tables[c->names], " AS ", c->name, "_name ON ", c->name, "_name.id = ", c->name);
}

/* ---- Views ---------------------------------------------------------------------------------------------- */

/* "2019-05-31", "2019-05", "2019" */
static const char *const shown_dates[] = {
    [TBY_SQL_SQLITE] = "CASE WHEN date % 10000 = 0 THEN printf('%04d', date / 10000)"
                       " WHEN date % 100 = 0 THEN printf('%04d-%02d', date / 10000, date / 100 % 100)"
                       " WHEN date IS NOT NULL"
                       " THEN printf('%04d-%02d-%02d', date / 10000, date / 100 % 100, date % 100) END",
    [TBY_SQL_POSTGRES] = "CASE WHEN date % 10000 = 0 THEN to_char(date / 10000, 'FM0000')"
                         " WHEN date % 100 = 0 THEN to_char(date / 100, 'FM0000\"-\"00')"
                         " ELSE to_char(date, 'FM0000\"-\"00\"-\"00') END COLLATE \"C\"",
};

void tby_columns_show(tby_sink sink, void *context, tby_sql sql)
{
    const unsigned kinds = KINDS_LISTED | KIND(COLUMN_JSON) | KIND(COLUMN_MOVES) | KIND(COLUMN_RECORD);
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++) {
        if (!column_is(c, kinds))
            continue;
        PUT(c == row_columns ? "" : ", ");
        if (c->kind == COLUMN_DATE)
            PUT(shown_dates[sql], " AS ");
        else if (c->kind == COLUMN_NAME && sql == TBY_SQL_SQLITE)
            PUT(c->name, "_name.name AS ");
        PUT(c->name);
    }
}
