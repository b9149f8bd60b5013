/*
 * tabiya.c - the entry point of the SQLite extension: `.load tabiya`, or sqlite3_load_extension.
 *
 * The functions are those of bindings/sql; each can be used in indexes and views. SQLite keeps their cached arguments
 * with the statement (sqlite3_set_auxdata), as long as the argument is the same in every row.
 */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "extension.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------------------- */

static sql_value value_of(sqlite3_value *value, char type)
{
    const int stored = sqlite3_value_type(value);
    if (stored == SQLITE_NULL)
        return (sql_value){.type = SQL_NULL};
    if (type == 'i')
        return (sql_value){.type = SQL_INTEGER, .number = sqlite3_value_int64(value)};
    const bool is_blob = stored == SQLITE_BLOB;
    const char *bytes = is_blob ? sqlite3_value_blob(value) : (const char *)sqlite3_value_text(value);
    const size_t n = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    return (sql_value){.type = is_blob ? SQL_BLOB : SQL_TEXT, .bytes = bytes ? bytes : "", .n = n};
}

void arguments_read(sql_value out[SQL_ARGUMENTS_MAX], int argc, sqlite3_value **argv, const char *types)
{
    for (int i = 0; i < argc; i++)
        out[i] = value_of(argv[i], types[i]);
}

void answer_give(sqlite3_context *context, const sql_call *call)
{
    const sql_value *answer = &call->answer;
    if (call->has_no_memory)
        sqlite3_result_error_nomem(context);
    else if (call->error[0])
        sqlite3_result_error(context, call->error, -1);
    else if (answer->type == SQL_INTEGER)
        sqlite3_result_int64(context, answer->number);
    else if (answer->type == SQL_REAL)
        sqlite3_result_double(context, answer->real);
    else if (answer->type == SQL_TEXT)
        sqlite3_result_text64(context, answer->bytes, answer->n, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (answer->type == SQL_BLOB)
        sqlite3_result_blob64(context, answer->bytes, answer->n, SQLITE_TRANSIENT);
}

/* ---- Functions -------------------------------------------------------------------------------------------- */

static void kept_load(sql_call *call, sqlite3_context *context)
{
    for (int i = 0; i < call->n_args; i++)
        call->kept[i] =
            (sql_kept){.memory = sqlite3_get_auxdata(context, i), .bytes = call->args[i].bytes, .n = call->args[i].n};
}

/* SQLite may free it immediately. */
static void kept_store(sql_call *call, sqlite3_context *context)
{
    for (int i = 0; i < call->n_args; i++) {
        if (call->kept[i].is_new)
            sqlite3_set_auxdata(context, i, call->kept[i].memory, call->kept[i].destroy);
        call->kept[i].memory = NULL;
    }
}

static void call_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const sql_function *function = sqlite3_user_data(context);
    sql_value args[SQL_ARGUMENTS_MAX];
    sql_call call;
    for (int i = 0; i < argc && !function->takes_null; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return;
    memset(&call, 0, offsetof(sql_call, error));
    call.data = function->data;
    arguments_read(args, argc, argv, function->types);
    sql_call_begin(&call, args, argc);
    kept_load(&call, context);
    function->call(&call);
    answer_give(context, &call);
    kept_store(&call, context);
    sql_call_end(&call);
}

static bool create_function(void *context, const sql_function *function)
{
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };
    sql_function *kept = malloc(sizeof *kept);
    if (!kept)
        return false;
    *kept = *function;
    return sqlite3_create_function_v2(context, function->name, (int)strlen(function->types) - 1, FLAGS, kept,
                                      call_function, NULL, NULL, free) == SQLITE_OK;
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

__attribute__((visibility("default"))) int sqlite3_tabiya_init(sqlite3 *db, char **message,
                                                               const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    (void)message;
    return sql_functions_visit(create_function, db) ? create_tables(db) : SQLITE_NOMEM;
}
