/*
 * functions.c - scalar functions: one call per row of a chunk.
 *
 * A function that takes a game or a board has an overload for text and one for BLOB.
 */
#include "engine.h"

#include <stdlib.h>

/* ---- Calls -------------------------------------------------------------------------------------------------- */

static void call_function(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const sql_function *function = duckdb.scalar_function_get_extra_info(info);
    const uint64_t n_rows = duckdb.data_chunk_get_size(input);
    const int n_args = (int)strlen(function->types) - 1;
    argument_column columns[SQL_ARGUMENTS_MAX];
    sql_value values[SQL_ARGUMENTS_MAX];
    sql_call call = {.function = function};
    const duckdb_type type = type_of_vector(output);
    for (int i = 0; i < n_args; i++)
        columns[i] = argument_column_of(duckdb.data_chunk_get_vector(input, (uint64_t)i));
    for (uint64_t row = 0; row < n_rows && !call.error[0]; row++) {
        for (int i = 0; i < n_args; i++)
            values[i] = argument_at(&columns[i], row);
        sql_call_begin(&call, values, n_args);
        if (function->takes_null || !sql_has_null(&call))
            function->call(&call);
        answer_put(output, type, row, &call.answer);
    }
    if (call.error[0])
        duckdb.scalar_function_set_error(info, error_of(&call));
    sql_call_end(&call);
}

/* ---- Overloads ---------------------------------------------------------------------------------------------- */

/* Adds an overload for exactly these types of its `n_args` arguments. */
static bool add_overload(duckdb_scalar_function_set set, const char *name, const char *types, size_t n_args,
                         const void *info, duckdb_logical_type answer, duckdb_scalar_call how)
{
    duckdb_scalar_function function = duckdb.create_scalar_function();
    duckdb.scalar_function_set_name(function, name);
    for (size_t i = 0; i < n_args; i++) {
        duckdb_logical_type type = duckdb.create_logical_type(type_of_letter(types[i]));
        duckdb.scalar_function_add_parameter(function, type);
        duckdb.destroy_logical_type(&type);
    }
    const char letter = types[n_args] == '=' ? types[0] : types[n_args];
    duckdb_logical_type own = answer ? NULL : duckdb.create_logical_type(type_of_letter(letter));
    duckdb.scalar_function_set_return_type(function, answer ? answer : own);
    if (own)
        duckdb.destroy_logical_type(&own);
    duckdb.scalar_function_set_special_handling(function); /* the function handles NULL itself */
    duckdb.scalar_function_set_extra_info(function, (void *)(uintptr_t)info, NULL);
    duckdb.scalar_function_set_function(function, how);
    const bool is_added = duckdb.add_scalar_function_to_set(set, function) == DUCKDB_SUCCESS;
    duckdb.destroy_scalar_function(&function);
    return is_added;
}

/* Each bit of `choice` makes one 'v' a BLOB or text. False after the last choice. */
static bool resolve(const overload *from, unsigned choice, overload *out)
{
    *out = *from;
    for (char *letter = out->types; *letter; letter++)
        if (*letter == 'v') {
            *letter = choice & 1 ? 'b' : 't';
            choice >>= 1;
        }
    return choice == 0;
}

bool register_overloads(duckdb_connection connection, const char *name, const overload *overloads, int n,
                        duckdb_logical_type answer, duckdb_scalar_call how)
{
    bool is_good = true;
    overload one;
    duckdb_scalar_function_set set = duckdb.create_scalar_function_set(name);
    for (int i = 0; i < n && is_good; i++)
        for (unsigned choice = 0; is_good && resolve(&overloads[i], choice, &one); choice++)
            is_good = add_overload(set, name, one.types, strlen(one.types) - !answer, one.info, answer, how);
    is_good = is_good && duckdb.register_scalar_function_set(connection, set) == DUCKDB_SUCCESS;
    duckdb.destroy_scalar_function_set(&set);
    return is_good;
}

/* ---- All functions ------------------------------------------------------------------------------------------ */

/* Functions with the same name form one set, whatever their number of arguments. */
static bool register_name(duckdb_connection connection, size_t first)
{
    enum { SAME_NAME_MAX = 4 };
    overload overloads[SAME_NAME_MAX];
    int n = 0;
    const char *name = sql_function_at(first)->name;
    const sql_function *f;
    for (size_t i = first; (f = sql_function_at(i)); i++) {
        if (strcmp(f->name, name) != 0)
            continue;
        if (n == SAME_NAME_MAX)
            return false;
        overloads[n].info = f;
        memcpy(overloads[n++].types, f->types, strlen(f->types) + 1);
    }
    return register_overloads(connection, name, overloads, n, NULL, call_function);
}

static bool is_first(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(sql_function_at(i)->name, sql_function_at(index)->name) == 0)
            return false;
    return true;
}

bool register_functions(duckdb_connection connection)
{
    for (size_t i = 0; sql_function_at(i); i++)
        if (is_first(i) && !register_name(connection, i))
            return false;
    return true;
}
