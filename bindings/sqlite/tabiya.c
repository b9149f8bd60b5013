/*
 * tabiya.c - the entry point of the SQLite extension: `.load tabiya`, or sqlite3_load_extension.
 */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "extension.h"

static void *resize(void *context, void *memory, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        sqlite3_free(memory);
        return NULL;
    }
    return sqlite3_realloc64(memory, new_size);
}

const tby_allocator sqlite_allocator = {resize, NULL};

/* ---- Functions -------------------------------------------------------------------------------------------- */

static void call(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const sql_function *function = sqlite3_user_data(context);
    if (!has_null(argc, argv))
        function->call(context, argc, argv);
}

int create_functions(sqlite3 *db, const sql_function *functions, size_t n)
{
    int status = SQLITE_OK;
    for (size_t i = 0; i < n && status == SQLITE_OK; i++)
        status = sqlite3_create_function_v2(db, functions[i].name, functions[i].n_args, FUNCTION_FLAGS,
                                            (void *)(uintptr_t)&functions[i], call, NULL, NULL, NULL);
    return status;
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

__attribute__((visibility("default"))) int sqlite3_tabiya_init(sqlite3 *db, char **message,
                                                               const sqlite3_api_routines *api)
{
    static int (*const parts[])(sqlite3 *) = {create_value_functions,    create_game_functions,  create_board_functions,
                                              create_notation_functions, create_query_functions, create_game_tables,
                                              create_pgn_functions,      create_pgn_tables,      create_posting_tables};
    SQLITE_EXTENSION_INIT2(api);
    (void)message;
    int status = SQLITE_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == SQLITE_OK; i++)
        status = parts[i](db);
    return status;
}
