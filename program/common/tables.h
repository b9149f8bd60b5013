/*
 * tables.h - tables of results: each is described once, as columns and rows, and written in any format.
 */
#ifndef TABIYA_COMMON_TABLES_H
#define TABIYA_COMMON_TABLES_H

#include "support/buffer.h"
#include "tabiya_table.h"

typedef struct table {
    const tby_column *columns;
    size_t n_columns;
    tby_table *rows; /* NULL if out of memory: nothing is stored or written, and the output is marked as failed */
} table;

table table_new(const tby_column *columns, size_t n_columns);
void table_free(table *t);

/* The values of a row, in any order, and its end. */
void table_put(table *t, size_t column, uint64_t number);
/* 0 means unknown. */
void table_put_known(table *t, size_t column, uint64_t number);
/* A negative number means unknown. */
void table_put_tenths(table *t, size_t column, int tenths);
/* NULL means unknown. */
void table_put_text(table *t, size_t column, const char *text);
void table_end_row(table *t);

/* Writes the rows and removes them. A table may be written in parts, the first with TABLE_HEAD and the last with
   TABLE_END. */
enum { TABLE_HEAD = 1, TABLE_END = 2, TABLE_WHOLE = 3 };
void table_write_as(buffer *out, table *t, const tby_table_format *format, unsigned parts);
/* Writes the rows as a JSON array: [{...},{...}]. */
void table_write_array(buffer *out, table *t);

#endif
