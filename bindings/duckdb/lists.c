/*
 * lists.c - the rows of a table as a list: moves(game) is a list of structs with the columns of the table moves, for
 *
 *     SELECT id, unnest(moves(game), recursive := true) FROM games
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct list_writer {
    sql_scan scan;
    duckdb_vector list, record;
    uint64_t n, cap; /* rows of all lists */
} list_writer;

static bool reserve(list_writer *w)
{
    if (w->n < w->cap)
        return true;
    w->cap = 2 * w->cap + 1024;
    /* Rows below the set size are kept when the memory moves. */
    return duckdb.list_vector_set_size(w->list, w->n) == DUCKDB_SUCCESS &&
           duckdb.list_vector_reserve(w->list, w->cap) == DUCKDB_SUCCESS;
}

static bool write_rows(list_writer *w, const sql_value *args, int n_args)
{
    const int n_columns = sql_n_columns(w->scan.table);
    if (!sql_scan_begin(&w->scan, args, n_args))
        return false;
    while (!w->scan.rows->is_end) {
        if (!reserve(w))
            return sql_fail_memory(&w->scan.call);
        for (int i = 0; i < n_columns; i++)
            if (!answer_column(&w->scan, i, duckdb.struct_vector_get_child(w->record, (uint64_t)i), w->n))
                return false;
        w->n++;
        if (!sql_scan_next(&w->scan))
            return false;
    }
    return true;
}

static void call(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const sql_table *table = duckdb.scalar_function_get_extra_info(info);
    const uint64_t n_rows = duckdb.data_chunk_get_size(input);
    const int n_args = (int)duckdb.data_chunk_get_column_count(input);
    argument_column columns[SQL_ARGUMENTS_MAX];
    sql_value values[SQL_ARGUMENTS_MAX];
    list_writer w = {.list = output, .record = duckdb.list_vector_get_child(output)};
    duckdb_list_entry *entries = duckdb.vector_get_data(output);
    bool is_good = sql_scan_open(&w.scan, table);
    for (int i = 0; i < n_args; i++)
        columns[i] = argument_column_of(duckdb.data_chunk_get_vector(input, (uint64_t)i));
    for (uint64_t row = 0; is_good && row < n_rows; row++) {
        for (int i = 0; i < n_args; i++)
            values[i] = argument_at(&columns[i], row);
        entries[row] = (duckdb_list_entry){w.n, 0};
        if (values[0].type == SQL_NULL)
            answer_put(output, DUCKDB_TYPE_LIST, row, &values[0]);
        else
            is_good = write_rows(&w, values, n_args);
        entries[row].length = w.n - entries[row].offset;
    }
    duckdb.list_vector_set_size(output, w.n);
    if (!is_good)
        duckdb.scalar_function_set_error(info, error_of(&w.scan.call));
    sql_scan_close(&w.scan);
}

static duckdb_logical_type list_type(const sql_table *table)
{
    duckdb_logical_type types[SQL_COLUMNS_MAX];
    const char *names[SQL_COLUMNS_MAX];
    const int n = sql_n_columns(table);
    for (int i = 0; i < n; i++) {
        types[i] = duckdb.create_logical_type(type_of_letter(table->columns[i].type));
        names[i] = table->columns[i].name;
    }
    duckdb_logical_type record = duckdb.create_struct_type(types, names, (uint64_t)n);
    const duckdb_logical_type list = duckdb.create_list_type(record);
    duckdb.destroy_logical_type(&record);
    for (int i = 0; i < n; i++)
        duckdb.destroy_logical_type(&types[i]);
    return list;
}

/* Takes a game or board, and optionally the record of the whole game; or postings(entries, first, board). */
bool register_list(duckdb_connection connection, const sql_table *table)
{
    overload overloads[SQL_ARGUMENTS_MAX] = {0};
    int n = 0;
    for (size_t n_args = (size_t)table->n_needed; n_args <= strlen(table->types); n_args++) {
        memcpy(overloads[n].types, table->types, n_args);
        overloads[n++].info = table;
    }
    duckdb_logical_type answer = list_type(table);
    const bool is_good = register_overloads(connection, table->name, overloads, n, answer, call);
    duckdb.destroy_logical_type(&answer);
    return is_good;
}
