/*
 * table.h - what table-valued functions have in common: one hidden column per argument, and no index.
 *
 *     SELECT ... FROM moves('1. e4 e5')       is       SELECT ... FROM moves WHERE game = '1. e4 e5'
 */
#ifndef TABIYA_SQLITE_TABLE_H
#define TABIYA_SQLITE_TABLE_H

#include "extension.h"

/* What a kind of table is made from; the modules' client data. */
typedef struct sql_table {
    const char *name;
    const char *schema; /* its last columns are the hidden arguments */
    int argument;       /* the number of the first of them */
    int n_arguments;
    int n_needed;       /* the others, after these, may be left out */
    int config;         /* SQLITE_VTAB_INNOCUOUS or SQLITE_VTAB_DIRECTONLY */
    size_t cursor_size; /* of the structure that begins with a sqlite3_vtab_cursor */
} sql_table;

int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **message);
int table_disconnect(sqlite3_vtab *table);
int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info);
/* A cursor, all zero; its rows begin with a filter. */
int table_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out);
/* Reports an error of the table, and takes over the message, which may be NULL for no memory. */
int table_error(sqlite3_vtab *table, char *message);

#endif
