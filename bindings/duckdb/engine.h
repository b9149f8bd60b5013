/*
 * engine.h - the functions and tables of bindings/sql in DuckDB.
 *
 * values.c converts rows of DuckDB's vectors to arguments and stores results there; functions.c registers the scalar
 * functions, tables.c the table functions, and lists.c the same tables as functions that return lists of rows.
 */
#ifndef TABIYA_DUCKDB_ENGINE_H
#define TABIYA_DUCKDB_ENGINE_H

#include "api.h"
#include "sql.h"

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* The type for a letter of sql_function.types. */
duckdb_type type_of_letter(char letter);
duckdb_type type_of_vector(duckdb_vector vector);

/* Stores a result in a row of a vector. */
void answer_put(duckdb_vector vector, duckdb_type type, uint64_t row, const sql_value *answer);
/* A column of the current row of a table; false on failure. */
bool answer_column(sql_scan *scan, int column, duckdb_vector vector, uint64_t row);

/* The error of a call as valid UTF-8 for DuckDB: a message may quote any bytes of a file. */
const char *error_of(sql_call *call);

/* Reads rows of a BIGINT, VARCHAR or BLOB column as arguments. The bytes belong to the vector. */
typedef struct argument_column {
    duckdb_type type;
    void *data;
    uint64_t *validity;
} argument_column;
argument_column argument_column_of(duckdb_vector vector);
sql_value argument_at(const argument_column *column, uint64_t row);

/* ---- Functions and tables of DuckDB ------------------------------------------------------------------------- */

typedef struct overload {
    char types[SQL_ARGUMENTS_MAX + 2]; /* as in sql_function */
    const void *info;                  /* passed to the call */
} overload;
/* All overloads of one name. The letters determine the result's type, unless one is given for all. */
bool register_overloads(duckdb_connection connection, const char *name, const overload *overloads, int n,
                        duckdb_logical_type answer, duckdb_scalar_call call);

bool register_functions(duckdb_connection connection);
bool register_table(duckdb_connection connection, const sql_table *table);
bool register_list(duckdb_connection connection, const sql_table *table);

#endif
