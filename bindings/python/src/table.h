/*
 * table.h - what table.c and column.c share: a table stores its values like an Arrow array, and never changes.
 */
#ifndef TABIYA_PYTHON_TABLE_H
#define TABIYA_PYTHON_TABLE_H

#include "python.h"

typedef struct table_object {
    PyObject_HEAD struct ArrowSchema schema;
    struct ArrowArray array;
    const tby_table *table; /* the array owns it */
} table_object;

typedef struct column_object {
    PyObject_HEAD table_object *table;
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    Py_ssize_t shape; /* its length */
} column_object;

/* How the values of a column are stored: for Arrow, here, and as numbers for Python; NULL for texts and bytes. */
typedef struct column_format {
    char arrow;
    tby_column_type type;
    char *python;
    Py_ssize_t size;
} column_format;
const column_format *format_of(const struct ArrowSchema *schema);

bool is_present(const struct ArrowArray *a, int64_t row);
/* None for an empty one. */
PyObject *value_at(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row);
PyObject *list_of(const struct ArrowSchema *schema, const struct ArrowArray *a);

PyObject *column_at(table_object *t, int64_t index);
/* Copies the rows of a slice into a new table. */
PyObject *table_slice(PyObject *self, PyObject *slice);
/* head(n=5) of a table or a column: the first rows, as a slice. */
PyObject *rows_head(PyObject *self, PyObject *args, PyObject *keywords);

#endif
