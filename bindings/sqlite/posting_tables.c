/*
 * posting_tables.c - the index of positions of a tabiya database, in SQL.
 *
 *     positionRow(run, row_bits, board)   the number of the row of table `position` that has this position
 *     postings(entries, first, board)     game: those of such a row that may come to it
 */
#include "table.h"

#include <string.h>

static void position_row(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    const sqlite3_int64 bits = sqlite3_value_int64(argv[1]);
    if (position_argument(context, argv, 2, &pos))
        sqlite3_result_int64(context, tby_postings_row(sqlite3_value_int64(argv[0]),
                                                       bits > 0 && bits <= TBY_POSTINGS_ROW_BITS ? (unsigned)bits : 0,
                                                       tby_position_key(&pos)));
}

typedef struct cursor {
    sqlite3_vtab_cursor base;
    uint8_t *row;
    tby_postings postings;
    tby_posting posting;
    uint64_t key;
    int64_t number;
    bool is_end;
} cursor;

static cursor *cursor_of(sqlite3_vtab_cursor *base) { return (cursor *)(void *)base; }

static int close_cursor(sqlite3_vtab_cursor *base)
{
    sqlite3_free(cursor_of(base)->row);
    sqlite3_free(base);
    return SQLITE_OK;
}

static int next_posting(sqlite3_vtab_cursor *base)
{
    cursor *c = cursor_of(base);
    c->is_end = !tby_postings_next(&c->postings, &c->posting);
    if (c->is_end && tby_postings_find(&c->postings, c->key)) /* another position with the same part of its key */
        c->is_end = !tby_postings_next(&c->postings, &c->posting);
    c->number++;
    if (c->postings.is_damaged)
        return table_error(base->pVtab, sqlite3_mprintf("the row of the index is damaged"));
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc, sqlite3_value **argv)
{
    cursor *c = cursor_of(base);
    tby_position pos;
    char *message;
    (void)number, (void)text;
    sqlite3_free(c->row);
    c->row = NULL;
    c->is_end = true;
    c->number = 0;
    if (has_null(argc, argv))
        return SQLITE_OK;
    if (!position_copy(argv[2], &pos, &message))
        return table_error(base->pVtab, message);
    const size_t n = (size_t)sqlite3_value_bytes(argv[0]);
    c->row = sqlite3_malloc64(n + 1);
    if (!c->row)
        return SQLITE_NOMEM;
    if (n)
        memcpy(c->row, sqlite3_value_blob(argv[0]), n);
    c->postings = tby_postings_begin(c->row, n, sqlite3_value_int64(argv[1]));
    c->key = tby_position_key(&pos);
    return next_posting(base);
}

static int answer_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    const cursor *c = cursor_of(base);
    if (number == 0)
        sqlite3_result_int64(context, c->posting.game);
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base) { return cursor_of(base)->is_end; }

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = cursor_of(base)->number;
    return SQLITE_OK;
}

int create_posting_tables(sqlite3 *db)
{
    static const sql_function functions[] = {{"positionRow", 3, position_row}};
    static const sqlite3_module module = {
        .xConnect = table_connect,
        .xBestIndex = table_best_index,
        .xDisconnect = table_disconnect,
        .xOpen = table_open,
        .xClose = close_cursor,
        .xFilter = filter,
        .xNext = next_posting,
        .xEof = at_end,
        .xColumn = answer_column,
        .xRowid = row_number,
    };
    static const sql_table table = {"postings",
                                    "CREATE TABLE x(game INTEGER, entries HIDDEN, first HIDDEN, board HIDDEN)",
                                    1,
                                    3,
                                    3,
                                    SQLITE_VTAB_INNOCUOUS,
                                    sizeof(cursor)};
    const int status = create_functions(db, functions, 1);
    return status == SQLITE_OK ? sqlite3_create_module_v2(db, table.name, &module, (void *)(uintptr_t)&table, NULL)
                               : status;
}
