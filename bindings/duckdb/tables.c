/*
 * tables.c - table functions: moves('1. e4 e5'), read_pgn('games.pgn'), read_pgn(['one.pgn', 'two.pgn']).
 *
 * DuckDB evaluates the arguments of a table function before it runs a statement, so they must be constants. For a
 * column of games, use the functions of lists.c.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

typedef struct table_call {
    const sql_table *table;
    sql_value values[SQL_ARGUMENTS_MAX]; /* with memory of their own */
    int n;
} table_call;

static void call_free(void *memory)
{
    table_call *call = memory;
    for (int i = 0; i < call->n; i++)
        duckdb.free((void *)(uintptr_t)call->values[i].bytes);
    free(call);
}

static duckdb_type type_of(duckdb_value value)
{
    /* The type belongs to the value and is not freed. */
    return duckdb.is_null_value(value) ? DUCKDB_TYPE_SQLNULL : duckdb.get_type_id(duckdb.get_value_type(value));
}

static sql_value value_of(duckdb_value value)
{
    switch (type_of(value)) {
    case DUCKDB_TYPE_SQLNULL: return (sql_value){.type = SQL_NULL};
    case DUCKDB_TYPE_VARCHAR: {
        const char *s = duckdb.get_varchar(value);
        return (sql_value){.type = SQL_TEXT, .bytes = s, .n = strlen(s)};
    }
    case DUCKDB_TYPE_BLOB: {
        const duckdb_blob blob = duckdb.get_blob(value);
        return (sql_value){.type = SQL_BLOB, .bytes = blob.data, .n = blob.size};
    }
    default: return (sql_value){.type = SQL_INTEGER, .number = duckdb.get_int64(value)};
    }
}

/* A list counts as several arguments. False if there are too many. */
static bool add_argument(table_call *call, duckdb_value value)
{
    if (type_of(value) != DUCKDB_TYPE_LIST) {
        if (call->n == (int)strlen(call->table->types))
            return false;
        call->values[call->n++] = value_of(value);
        return true;
    }
    bool is_good = true;
    for (uint64_t i = 0; is_good && i < duckdb.get_list_size(value); i++) {
        duckdb_value child = duckdb.get_list_child(value, i);
        is_good = type_of(child) != DUCKDB_TYPE_LIST && add_argument(call, child);
        duckdb.destroy_value(&child);
    }
    return is_good;
}

static void bind(duckdb_bind_info info)
{
    const sql_table *table = duckdb.bind_get_extra_info(info);
    bool is_good = true;
    table_call *call = calloc(1, sizeof *call);
    if (!call) {
        duckdb.bind_set_error(info, "out of memory");
        return;
    }
    call->table = table;
    for (uint64_t i = 0; is_good && i < duckdb.bind_get_parameter_count(info); i++) {
        duckdb_value value = duckdb.bind_get_parameter(info, i);
        is_good = add_argument(call, value);
        duckdb.destroy_value(&value);
    }
    for (int i = table->n_needed; is_good && table->types[i] && !table->opens_files; i++) {
        duckdb_value value = duckdb.bind_get_named_parameter(info, table->arguments[i]);
        is_good = !value || add_argument(call, value);
        duckdb.destroy_value(&value);
    }
    duckdb.bind_set_bind_data(info, call, call_free);
    if (!is_good || call->n < table->n_needed)
        duckdb.bind_set_error(info, is_good ? "too few arguments" : "too many arguments");
    for (int i = 0; i < sql_n_columns(table); i++) {
        duckdb_logical_type type = duckdb.create_logical_type(type_of_letter(table->columns[i].type));
        duckdb.bind_add_result_column(info, table->columns[i].name, type);
        duckdb.destroy_logical_type(&type);
    }
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

typedef struct table_scan {
    sql_scan rows;
    int columns[SQL_COLUMNS_MAX]; /* the requested columns; -1 for the row number */
    int n_columns;
} table_scan;

static void scan_free(void *memory)
{
    table_scan *scan = memory;
    sql_scan_close(&scan->rows);
    free(scan);
}

static void init(duckdb_init_info info)
{
    table_call *call = duckdb.init_get_bind_data(info);
    table_scan *scan = calloc(1, sizeof *scan);
    if (!scan) {
        duckdb.init_set_error(info, "out of memory");
        return;
    }
    duckdb.init_set_init_data(info, scan, scan_free);
    duckdb.init_set_max_threads(info, 1);
    const uint64_t n = duckdb.init_get_column_count(info);
    for (uint64_t i = 0; i < n && i < SQL_COLUMNS_MAX; i++) {
        const uint64_t column = duckdb.init_get_column_index(info, i);
        scan->columns[scan->n_columns++] = column < (uint64_t)sql_n_columns(call->table) ? (int)column : -1;
    }
    if (!sql_scan_open(&scan->rows, call->table) || !sql_scan_begin(&scan->rows, call->values, call->n))
        duckdb.init_set_error(info, error_of(&scan->rows.call));
}

static bool write_row(table_scan *scan, duckdb_data_chunk output, uint64_t row)
{
    for (int i = 0; i < scan->n_columns; i++) {
        if (scan->columns[i] < 0)
            continue;
        const duckdb_vector vector = duckdb.data_chunk_get_vector(output, (uint64_t)i);
        if (!answer_column(&scan->rows, scan->columns[i], vector, row))
            return false;
    }
    return sql_scan_next(&scan->rows);
}

static void next_rows(duckdb_function_info info, duckdb_data_chunk output)
{
    table_scan *scan = duckdb.function_get_init_data(info);
    const uint64_t n_max = duckdb.vector_size();
    uint64_t row = 0;
    bool is_good = true;
    for (; is_good && row < n_max && !scan->rows.rows->is_end; row++)
        is_good = write_row(scan, output, row);
    duckdb.data_chunk_set_size(output, row);
    if (!is_good)
        duckdb.function_set_error(info, error_of(&scan->rows.call));
}

/* ---- The function ------------------------------------------------------------------------------------------- */

/* An optional argument is passed by name: moves(game, record := ...). Functions that open files take a list instead. */
bool register_table(duckdb_connection connection, const sql_table *table)
{
    duckdb_table_function function = duckdb.create_table_function();
    duckdb_logical_type any = duckdb.create_logical_type(DUCKDB_TYPE_ANY);
    duckdb.table_function_set_name(function, table->name);
    for (int i = 0; i < table->n_needed; i++)
        duckdb.table_function_add_parameter(function, any);
    for (int i = table->n_needed; table->types[i] && !table->opens_files; i++)
        duckdb.table_function_add_named_parameter(function, table->arguments[i], any);
    duckdb.destroy_logical_type(&any);
    duckdb.table_function_set_extra_info(function, (void *)(uintptr_t)table, NULL);
    duckdb.table_function_set_bind(function, bind);
    duckdb.table_function_set_init(function, init);
    duckdb.table_function_set_function(function, next_rows);
    duckdb.table_function_supports_projection_pushdown(function, true);
    const bool is_good = duckdb.register_table_function(connection, function) == DUCKDB_SUCCESS;
    duckdb.destroy_table_function(&function);
    return is_good;
}
