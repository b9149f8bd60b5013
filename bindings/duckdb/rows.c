/*
 * rows.c - the rows of a table, one after the other.
 */
#include "engine.h"

#include <stdlib.h>

bool rows_open(table_rows *rows, const sql_table *table)
{
    *rows = (table_rows){.table = table, .rows = calloc(1, table->cursor_size)};
    return rows->rows || sql_fail_memory(&rows->call);
}

bool rows_begin(table_rows *rows, const sql_value *args, int n_args)
{
    rows->table->end(rows->rows);
    sql_call_begin(&rows->call, args, n_args);
    return rows->table->begin(rows->rows, &rows->call);
}

bool rows_next(table_rows *rows) { return rows->table->next(rows->rows, &rows->call); }

bool rows_answer(table_rows *rows, int column, answer_place place)
{
    sql_call_begin(&rows->call, NULL, 0);
    rows->table->column(rows->rows, &rows->call, rows->table->columns[column].what);
    answer_put(&place, &rows->call.answer);
    return !rows->call.error[0];
}

void rows_close(table_rows *rows)
{
    if (rows->rows)
        rows->table->end(rows->rows);
    sql_call_end(&rows->call);
    free(rows->rows);
    rows->rows = NULL;
}
