/*
 * tabiya.c - the entry point of the DuckDB extension: LOAD 'tabiya.duckdb_extension'.
 */
#include "engine.h"

#include <string.h>

duckdb_api duckdb;

static bool register_tables(duckdb_connection connection)
{
    const sql_table *table;
    for (size_t i = 0; (table = sql_table_at(i)); i++)
        if (!register_table(connection, table) || (!table->opens_files && !register_list(connection, table)))
            return false;
    return true;
}

/* SELECT ... FROM 'games.pgn' */
static void replace_file(duckdb_replacement_scan_info info, const char *name, void *data)
{
    static const char *const endings[] = {".pgn", ".pgn.gz", ".pgn.zst"};
    const size_t n = strlen(name);
    (void)data;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n_ending = strlen(endings[i]);
        if (n <= n_ending || strcmp(name + n - n_ending, endings[i]) != 0)
            continue;
        duckdb_value path = duckdb.create_varchar(name);
        duckdb.replacement_scan_set_function_name(info, "read_pgn");
        duckdb.replacement_scan_add_parameter(info, path);
        duckdb.destroy_value(&path);
        return;
    }
}

__attribute__((visibility("default"))) bool tabiya_init_c_api(duckdb_extension_info info,
                                                              duckdb_extension_access *access);

bool tabiya_init_c_api(duckdb_extension_info info, duckdb_extension_access *access)
{
    const duckdb_api *api = access->get_api(info, DUCKDB_API_VERSION);
    duckdb_connection connection;
    if (!api)
        return false; /* DuckDB reports that it is too old */
    duckdb = *api;
    const duckdb_database *database = access->get_database(info);
    if (!database || duckdb.connect(*database, &connection) != DUCKDB_SUCCESS) {
        access->set_error(info, "tabiya: cannot be loaded");
        return false;
    }
    const bool is_good = register_functions(connection) && register_tables(connection);
    if (is_good)
        duckdb.add_replacement_scan(*database, replace_file, NULL, NULL);
    else
        access->set_error(info, "tabiya: a function cannot be registered");
    duckdb.disconnect(&connection);
    return is_good;
}
