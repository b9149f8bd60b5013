/*
 * tables.c - the list of all tables, and their rows one after the other.
 */
#include "sql.h"

#include <stdlib.h>

const sql_table *sql_table_at(size_t i)
{
    static const sql_table *const tables[] = {&sql_moves, &sql_positions, &sql_legal_moves, &sql_read_pgn,
                                              &sql_postings};
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}

bool sql_scan_open(sql_scan *scan, const sql_table *table)
{
    scan->table = table;
    scan->rows = calloc(1, table->cursor_size);
    return scan->rows || sql_fail_memory(&scan->call);
}

bool sql_scan_begin(sql_scan *scan, const sql_value *args, int n_args)
{
    scan->table->end(scan->rows);
    memset(scan->rows, 0, scan->table->cursor_size);
    scan->rows->is_end = true;
    sql_call_begin(&scan->call, args, n_args);
    return scan->table->begin(scan->rows, &scan->call);
}

bool sql_scan_next(sql_scan *scan) { return scan->table->next(scan->rows, &scan->call); }

bool sql_scan_column(sql_scan *scan, int column)
{
    sql_call_begin(&scan->call, NULL, 0);
    scan->table->column(scan->rows, &scan->call, scan->table->columns[column].what);
    return !scan->call.error[0];
}

void sql_scan_close(sql_scan *scan)
{
    if (scan->rows)
        scan->table->end(scan->rows);
    sql_call_end(&scan->call);
    free(scan->rows);
    scan->rows = NULL;
}
