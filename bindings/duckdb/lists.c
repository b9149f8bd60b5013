/*
 * lists.c - the rows of a table as a list: moves(game) is a list of structs with the columns of the table moves, for
 *
 *     SELECT id, unnest(moves(game), recursive := true) FROM games
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct list_writer {
    table_rows rows;
    duckdb_vector list, record;
    uint64_t n, cap; /* rows of all lists */
    char error[ERROR_SIZE];
} list_writer;

static bool reserve(list_writer *w)
{
    if (w->n < w->cap)
        return true;
    w->cap = 2 * w->cap + 1024;
    /* The size is what keeps rows when the memory moves. */
    return duckdb.list_vector_set_size(w->list, w->n) == DUCKDB_SUCCESS &&
           duckdb.list_vector_reserve(w->list, w->cap) == DUCKDB_SUCCESS;
}

static bool write_rows(list_writer *w, int argc, sqlite3_value **argv)
{
    const made_table *table = w->rows.table;
    if (!rows_begin(&w->rows, argc, argv, w->error))
        return false;
    while (!rows_at_end(&w->rows)) {
        if (!reserve(w)) {
            memcpy(w->error, "out of memory", sizeof "out of memory");
            return false;
        }
        for (int i = 0; i < table->n_columns; i++) {
            const duckdb_vector vector = duckdb.struct_vector_get_child(w->record, (uint64_t)i);
            const answer_place place = {vector, table->columns[i].type, w->n};
            if (!rows_answer(&w->rows, i, place, w->error))
                return false;
        }
        w->n++;
        if (!rows_next(&w->rows, w->error))
            return false;
    }
    return true;
}

static void call(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const made_table *table = duckdb.scalar_function_get_extra_info(info);
    const uint64_t n_rows = duckdb.data_chunk_get_size(input);
    const int n_args = (int)duckdb.data_chunk_get_column_count(input);
    argument_column columns[ARGUMENTS_MAX];
    sqlite3_value values[ARGUMENTS_MAX], *argv[ARGUMENTS_MAX];
    list_writer w = {.list = output, .record = duckdb.list_vector_get_child(output)};
    duckdb_list_entry *entries = duckdb.vector_get_data(output);
    bool is_good = rows_open(&w.rows, table, w.error);
    for (int i = 0; i < n_args; i++) {
        columns[i] = argument_column_of(duckdb.data_chunk_get_vector(input, (uint64_t)i));
        argv[i] = &values[i];
    }
    for (uint64_t row = 0; is_good && row < n_rows; row++) {
        for (int i = 0; i < n_args; i++)
            values[i] = argument_at(&columns[i], row);
        entries[row] = (duckdb_list_entry){w.n, 0};
        if (values[0].type == SQLITE_NULL)
            answer_null(&(answer_place){output, DUCKDB_TYPE_LIST, row});
        else
            is_good = write_rows(&w, n_args, argv);
        entries[row].length = w.n - entries[row].offset;
    }
    duckdb.list_vector_set_size(output, w.n);
    if (!is_good)
        duckdb.scalar_function_set_error(info, w.error);
    rows_close(&w.rows);
}

static duckdb_logical_type list_type(const made_table *table)
{
    duckdb_logical_type types[COLUMNS_MAX];
    const char *names[COLUMNS_MAX];
    for (int i = 0; i < table->n_columns; i++) {
        types[i] = duckdb.create_logical_type(table->columns[i].type);
        names[i] = table->columns[i].name;
    }
    duckdb_logical_type record = duckdb.create_struct_type(types, names, (uint64_t)table->n_columns);
    const duckdb_logical_type list = duckdb.create_list_type(record);
    duckdb.destroy_logical_type(&record);
    for (int i = 0; i < table->n_columns; i++)
        duckdb.destroy_logical_type(&types[i]);
    return list;
}

/* A game or board, and perhaps the record of the whole game; postings(entries, first, board). */
bool register_list(duckdb_connection connection, made_table *table)
{
    static const signature types[] = {{"v", 0}, {"vb", 0}, {"biv", 0}};
    const overload overloads[] = {{&types[0], table}, {&types[1], table}, {&types[2], table}};
    const int first = table->n_needed - 1, n = table->n_arguments - table->n_needed + 1;
    duckdb_logical_type answer = list_type(table);
    const bool is_good = register_overloads(connection, table->name, overloads + first, n, answer, call);
    duckdb.destroy_logical_type(&answer);
    return is_good;
}
