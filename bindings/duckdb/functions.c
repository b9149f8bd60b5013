/*
 * functions.c - scalar functions: a call for each row of a chunk.
 *
 * A function that takes a game or a board has an overload for text and one for BLOB.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- Calls -------------------------------------------------------------------------------------------------- */

static duckdb_type type_of(duckdb_vector vector)
{
    duckdb_logical_type type = duckdb.vector_get_column_type(vector);
    const duckdb_type id = duckdb.get_type_id(type);
    duckdb.destroy_logical_type(&type);
    return id;
}

static void call(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const made_function *function = duckdb.scalar_function_get_extra_info(info);
    const uint64_t n_rows = duckdb.data_chunk_get_size(input);
    const int n_args = function->n_args;
    argument_column columns[ARGUMENTS_MAX];
    sqlite3_value values[ARGUMENTS_MAX], *argv[ARGUMENTS_MAX];
    sqlite3_context context = {.user_data = function->user_data};
    answer_place place = {output, type_of(output), 0};
    for (int i = 0; i < n_args; i++) {
        columns[i] = argument_column_of(duckdb.data_chunk_get_vector(input, (uint64_t)i));
        argv[i] = &values[i];
    }
    for (; place.row < n_rows && !context.error[0]; place.row++) {
        for (int i = 0; i < n_args; i++)
            values[i] = argument_at(&columns[i], place.row);
        context_begin(&context, values, place);
        function->call(&context, n_args, argv);
        if (!context.has_answer)
            answer_null(&place);
    }
    if (context.error[0])
        duckdb.scalar_function_set_error(info, context.error);
    context_end(&context);
}

/* ---- Overloads ---------------------------------------------------------------------------------------------- */

duckdb_logical_type logical_type(char letter)
{
    switch (letter) {
    case 't': return duckdb.create_logical_type(DUCKDB_TYPE_VARCHAR);
    case 'i': return duckdb.create_logical_type(DUCKDB_TYPE_BIGINT);
    case 'y': return duckdb.create_logical_type(DUCKDB_TYPE_BOOLEAN);
    default: return duckdb.create_logical_type(DUCKDB_TYPE_BLOB);
    }
}

/* Adds an overload whose arguments have just these types. */
static bool add_overload(duckdb_scalar_function_set set, const char *name, const signature *types, const overload *from,
                         duckdb_logical_type answer, duckdb_scalar_call how)
{
    duckdb_scalar_function function = duckdb.create_scalar_function();
    duckdb.scalar_function_set_name(function, name);
    for (const char *letter = types->arguments; *letter; letter++) {
        duckdb_logical_type type = logical_type(*letter);
        duckdb.scalar_function_add_parameter(function, type);
        duckdb.destroy_logical_type(&type);
    }
    duckdb_logical_type own = answer ? NULL : logical_type(types->answer == '=' ? types->arguments[0] : types->answer);
    duckdb.scalar_function_set_return_type(function, answer ? answer : own);
    if (own)
        duckdb.destroy_logical_type(&own);
    duckdb.scalar_function_set_special_handling(function); /* NULL is for the function to judge */
    duckdb.scalar_function_set_extra_info(function, from->info, NULL);
    duckdb.scalar_function_set_function(function, how);
    const bool is_added = duckdb.add_scalar_function_to_set(set, function) == DUCKDB_SUCCESS;
    duckdb.destroy_scalar_function(&function);
    return is_added;
}

/* A bit of `choice` for each 'v': BLOB or text. */
static bool resolve(const signature *types, unsigned choice, signature *out)
{
    *out = *types;
    for (char *letter = out->arguments; *letter; letter++)
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
    signature types;
    duckdb_scalar_function_set set = duckdb.create_scalar_function_set(name);
    for (int i = 0; i < n && is_good; i++)
        for (unsigned choice = 0; is_good && resolve(overloads[i].types, choice, &types); choice++)
            is_good = add_overload(set, name, &types, &overloads[i], answer, how);
    is_good = is_good && duckdb.register_scalar_function_set(connection, set) == DUCKDB_SUCCESS;
    duckdb.destroy_scalar_function_set(&set);
    return is_good;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

/* Functions of one name are one set, however many arguments they take. */
static bool register_name(duckdb_connection connection, sqlite3 *made, int first)
{
    enum { SAME_NAME_MAX = 4 };
    signature types[SAME_NAME_MAX];
    overload overloads[SAME_NAME_MAX];
    int n = 0;
    const char *name = made->functions[first].name;
    for (int i = first; i < made->n_functions; i++) {
        if (strcmp(made->functions[i].name, name) != 0)
            continue;
        if (n == SAME_NAME_MAX || !signature_of(&made->functions[i], &types[n]))
            return false;
        overloads[n] = (overload){&types[n], &made->functions[i]};
        n++;
    }
    return register_overloads(connection, name, overloads, n, NULL, call);
}

static bool is_first(const sqlite3 *made, int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(made->functions[i].name, made->functions[index].name) == 0)
            return false;
    return true;
}

bool register_functions(duckdb_connection connection, sqlite3 *made)
{
    for (int i = 0; i < made->n_functions; i++)
        if (is_first(made, i) && !register_name(connection, made, i))
            return false;
    return true;
}
