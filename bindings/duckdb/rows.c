/*
 * rows.c - the rows of a table of sqlite/, one after the other.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever is declared while queries run is known already. */
static sqlite3 *nothing_to_declare(void)
{
    static struct sqlite3 none;
    return &none;
}

/* Says what went wrong. */
static bool fail(table_rows *rows, int status, char *error)
{
    const char *text = status == SQLITE_NOMEM ? "out of memory" : "the table cannot be read";
    if (rows->vtab && rows->vtab->zErrMsg)
        text = rows->vtab->zErrMsg;
    snprintf(error, ERROR_SIZE, "%s", text);
    if (rows->vtab) {
        free(rows->vtab->zErrMsg);
        rows->vtab->zErrMsg = NULL;
    }
    return false;
}

bool rows_open(table_rows *rows, const made_table *table, char *error)
{
    char *message = NULL;
    *rows = (table_rows){table, NULL, NULL};
    int status = table->module->xConnect(nothing_to_declare(), table->aux, 0, NULL, &rows->vtab, &message);
    free(message);
    if (status == SQLITE_OK)
        status = table->module->xOpen(rows->vtab, &rows->cursor);
    if (status != SQLITE_OK)
        return fail(rows, status, error);
    rows->cursor->pVtab = rows->vtab;
    return true;
}

bool rows_begin(table_rows *rows, int argc, sqlite3_value **argv, char *error)
{
    const int status = rows->table->module->xFilter(rows->cursor, 0, NULL, argc, argv);
    return status == SQLITE_OK || fail(rows, status, error);
}

bool rows_next(table_rows *rows, char *error)
{
    const int status = rows->table->module->xNext(rows->cursor);
    return status == SQLITE_OK || fail(rows, status, error);
}

bool rows_answer(table_rows *rows, int column, answer_place place, char *error)
{
    sqlite3_context context = {0};
    context_begin(&context, NULL, place);
    rows->table->module->xColumn(rows->cursor, &context, column);
    if (!context.has_answer)
        answer_null(&place);
    if (context.error[0])
        memcpy(error, context.error, ERROR_SIZE);
    return !context.error[0];
}

void rows_close(table_rows *rows)
{
    if (rows->cursor)
        rows->table->module->xClose(rows->cursor);
    if (rows->vtab)
        rows->table->module->xDisconnect(rows->vtab);
    rows->cursor = NULL;
    rows->vtab = NULL;
}
