/*
 * rows.h - Rows and Table: what their files share.
 */
#ifndef TABIYA_PYTHON_ROWS_H
#define TABIYA_PYTHON_ROWS_H

#include "python.h"

/* A stream of rows read from games. Everything except creating and freeing it works without the interpreter's lock,
   which is taken for file objects. */
typedef struct row_stream row_stream;

typedef struct row_stream_options {
    PyObject *inputs; /* a list of paths, bytes and file objects, or one Database */
    tby_rows_options rows;
    const char *notation; /* may be NULL */
    PyObject *query;
    bool skips; /* skips games with a fault */
} row_stream_options;

/* NULL with an exception set. */
row_stream *row_stream_new(const row_stream_options *options);
void row_stream_free(row_stream *s);
const tby_column *row_stream_columns(const row_stream *s, size_t *n_columns);
tby_rows_counts row_stream_counts(const row_stream *s);
/* Adds the rows of some games: 1, 0 at the end, or a negative errno, which row_stream_raise raises. */
int row_stream_next(row_stream *s, tby_table *table);
const char *row_stream_error(const row_stream *s);
void row_stream_raise(row_stream *s);

/* The rows of a source as the capsule of an Arrow stream, which then owns it. NULL with an exception set. */
PyObject *arrow_capsule(const tby_column *columns, size_t n_columns, const tby_table_source *from);

/* Takes over the table. */
PyObject *table_new(tby_table *table, const tby_column *columns, size_t n_columns);

#endif
