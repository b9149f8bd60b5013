/*
 * engine.h - the code of the SQLite extension inside DuckDB.
 *
 * What a function or a table answers is written once, in sqlite/, against the routines that SQLite hands an extension.
 * Here DuckDB is behind these routines: routines.c has them, functions.c calls what they made known as DuckDB's scalar
 * functions, tables.c as table functions, lists.c as functions that give lists of rows.
 */
#ifndef TABIYA_DUCKDB_ENGINE_H
#define TABIYA_DUCKDB_ENGINE_H

#include <sqlite3.h>
#include <sqlite3ext.h>

#include "api.h"

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* An argument of a call. */
struct sqlite3_value {
    int type; /* SQLITE_NULL, SQLITE_INTEGER, SQLITE_TEXT or SQLITE_BLOB */
    int64_t number;
    const char *bytes; /* of text, without a NUL after it, and of a BLOB */
    size_t n;
};

/* Where an answer goes: a row of a vector. */
typedef struct answer_place {
    duckdb_vector vector;
    duckdb_type type;
    uint64_t row;
} answer_place;

enum { ARGUMENTS_MAX = 8, ERROR_SIZE = 1024 };

/* What was read from an argument, kept as long as the argument stays the same. */
typedef struct kept_argument {
    void *memory;
    void (*destroy)(void *);
    const char *bytes;
    size_t n;
} kept_argument;

struct sqlite3_context {
    void *user_data;
    sqlite3_value *argv;
    answer_place place;
    bool has_answer;
    char error[ERROR_SIZE]; /* empty if there is none */
    kept_argument kept[ARGUMENTS_MAX];
};

/* For the next row; and after the last. */
void context_begin(sqlite3_context *context, sqlite3_value *argv, answer_place place);
void context_end(sqlite3_context *context);

/* The answer of a row is NULL. */
void answer_null(const answer_place *place);

/* The length of the UTF-8 that a text begins with; and what is not UTF-8 becomes question marks. */
size_t utf8_prefix(const char *text, size_t n);
void mend_utf8(char *text, size_t n);

/* A row of a column of BIGINT, VARCHAR or BLOB as an argument. The bytes are those of the vector. */
typedef struct argument_column {
    duckdb_type type;
    void *data;
    uint64_t *validity;
} argument_column;
argument_column argument_column_of(duckdb_vector vector);
sqlite3_value argument_at(const argument_column *column, uint64_t row);

/* ---- What the extension makes known ------------------------------------------------------------------------- */

typedef struct made_function {
    char *name;
    int n_args;
    void *user_data;
    void (*call)(sqlite3_context *, int, sqlite3_value **);
} made_function;

typedef struct table_column {
    char *name;
    duckdb_type type;
} table_column;
enum { COLUMNS_MAX = 16 };

typedef struct made_table {
    const char *name;
    const sqlite3_module *module;
    void *aux;
    table_column columns[COLUMNS_MAX];
    int n_columns; /* without the arguments */
    char *arguments[ARGUMENTS_MAX];
    int n_needed, n_arguments;
    bool is_direct; /* opens files: works as a table only */
} made_table;

enum { FUNCTIONS_MAX = 256, TABLES_MAX = 8 };
struct sqlite3 {
    made_function functions[FUNCTIONS_MAX];
    made_table tables[TABLES_MAX];
    int n_functions, n_tables;
    made_table *declared; /* the table that is being declared, if one is */
};

extern const sqlite3_api_routines routines;

/* ---- Functions and tables of DuckDB ------------------------------------------------------------------------- */

/* The types of a function: a letter each for its arguments, and one for the answer. */
typedef struct signature {
    char arguments[ARGUMENTS_MAX + 1]; /* v a game or board, as BLOB or text; t text; i a number; b a BLOB */
    char answer;                       /* t, i, b; y yes or no; = as the first argument */
} signature;
/* False if the function is not known. */
bool signature_of(const made_function *function, signature *out);

duckdb_logical_type logical_type(char letter);
typedef struct overload {
    const signature *types;
    void *info; /* for the call */
} overload;
/* All overloads of one name. The answer's type is that of the signature, unless one is given for all. */
bool register_overloads(duckdb_connection connection, const char *name, const overload *overloads, int n,
                        duckdb_logical_type answer, duckdb_scalar_call call);

bool register_functions(duckdb_connection connection, sqlite3 *made);
bool register_table(duckdb_connection connection, made_table *table);
bool register_list(duckdb_connection connection, made_table *table);

/* ---- Rows of a table ---------------------------------------------------------------------------------------- */

typedef struct table_rows {
    const made_table *table;
    sqlite3_vtab *vtab;
    sqlite3_vtab_cursor *cursor;
} table_rows;
/* Each returns false, and says why in error[ERROR_SIZE], if it fails. */
bool rows_open(table_rows *rows, const made_table *table, char *error);
bool rows_begin(table_rows *rows, int argc, sqlite3_value **argv, char *error);
bool rows_next(table_rows *rows, char *error);
bool rows_answer(table_rows *rows, int column, answer_place place, char *error);
static inline bool rows_at_end(const table_rows *rows) { return rows->table->module->xEof(rows->cursor); }
void rows_close(table_rows *rows);

#endif
