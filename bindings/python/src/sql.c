/*
 * sql.c - Database.sql: the result of a statement as a Table.
 *
 * In SQLite each value has a type, in a table each column: integers if all values are integers, then numbers, bytes, or
 * text. NULL is a missing value in every column. Values are stored until the last row has shown the types.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept_value {
    tby_db_type type;
    size_t at, n; /* in `bytes` */
} kept_value;

typedef struct answer {
    buffer bytes, names, values; /* names end with a NUL; values are kept_value */
    size_t n_columns, n_rows;
    bool has_two;
} answer;

static bool has_failed(const answer *a) { return a->bytes.has_failed || a->names.has_failed || a->values.has_failed; }

static bool visit(void *context, const tby_db_field *fields, size_t n, bool is_row)
{
    answer *a = context;
    a->has_two = !is_row && a->n_columns > 0;
    a->n_columns = n;
    a->n_rows += is_row;
    for (size_t i = 0; i < n && !a->has_two; i++) {
        if (!is_row) {
            buffer_add(&a->names, fields[i].name, strlen(fields[i].name) + 1);
            continue;
        }
        const kept_value value = {fields[i].type, a->bytes.n, fields[i].s ? fields[i].n : 0};
        buffer_add(&a->values, &value, sizeof value);
        buffer_add(&a->bytes, fields[i].s, value.n);
        buffer_put(&a->bytes, '\0');
    }
    return !a->has_two && !has_failed(a);
}

/* ---- As a table ------------------------------------------------------------------------------------------------- */

static const kept_value *value_at(const answer *a, size_t row, size_t column)
{
    return (const kept_value *)(const void *)a->values.s + row * a->n_columns + column;
}

static tby_column_type type_of(const answer *a, size_t column)
{
    unsigned seen = 0;
    for (size_t row = 0; row < a->n_rows; row++)
        seen |= 1u << value_at(a, row, column)->type;
    seen &= ~(1u << TBY_DB_NULL);
    if (seen == 1u << TBY_DB_INTEGER)
        return TBY_COLUMN_INT64;
    if (seen && !(seen & ~(1u << TBY_DB_INTEGER | 1u << TBY_DB_REAL)))
        return TBY_COLUMN_DOUBLE;
    return seen & 1u << TBY_DB_BLOB ? TBY_COLUMN_BYTES : TBY_COLUMN_TEXT;
}

static PyObject *fill(const answer *a, const tby_column *columns)
{
    tby_table *table = tby_table_new(columns, a->n_columns, NULL);
    for (size_t row = 0; table && row < a->n_rows; row++) {
        for (size_t i = 0; i < a->n_columns; i++) {
            const kept_value *value = value_at(a, row, i);
            const char *s = a->bytes.s + value->at;
            if (value->type == TBY_DB_NULL)
                tby_table_put_empty(table, i);
            else if (columns[i].type == TBY_COLUMN_INT64)
                tby_table_put_int(table, i, strtoll(s, NULL, 10));
            else if (columns[i].type == TBY_COLUMN_DOUBLE)
                tby_table_put_double(table, i, PyOS_string_to_double(s, NULL, NULL));
            else
                tby_table_put_text(table, i, s, value->n);
        }
        tby_table_end_row(table);
    }
    if (table && !tby_table_has_failed(table))
        return table_new(table, columns, a->n_columns);
    tby_table_free(table);
    return PyErr_NoMemory();
}

static PyObject *table_of(const answer *a)
{
    const char *name = a->names.s;
    tby_column *columns = calloc(a->n_columns + 1, sizeof *columns);
    if (!columns)
        return PyErr_NoMemory();
    for (size_t i = 0; i < a->n_columns; i++, name += strlen(name) + 1)
        columns[i] = (tby_column){name, type_of(a, i), true};
    PyObject *table = fill(a, columns);
    free(columns);
    return table;
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

PyObject *database_sql(PyObject *self, PyObject *args)
{
    database_object *d = (database_object *)self;
    const char *sql;
    tby_failure failure = {.status = TBY_OK};
    tby_db_session *session = NULL;
    answer a = {0};
    tby_status status;
    if (!PyArg_ParseTuple(args, "s:sql", &sql))
        return NULL;
    if (!d->file)
        return PyErr_Format(DatabaseError_class, "sql() is for one database, not for several");
    if (tby_db_is_server(d->file))
        return PyErr_Format(DatabaseError_class, "sql() is for database files; use a PostgreSQL driver for a server");
    if (!database_take(d))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_session_open(&session, d->file, false, NULL, NULL, &failure);
    if (status == TBY_OK)
        status = tby_db_session_run(session, sql, visit, &a, &failure);
    tby_db_session_close(session);
    Py_END_ALLOW_THREADS;
    d->is_busy = false;
    PyObject *table = has_failed(&a) || status == TBY_NO_MEMORY ? PyErr_NoMemory()
                      : a.has_two        ? PyErr_Format(PyExc_ValueError, "sql() takes one statement with an answer")
                      : status != TBY_OK ? PyErr_Format(DatabaseError_class, "%s", failure.text)
                                         : table_of(&a);
    buffer_free(&a.bytes);
    buffer_free(&a.names);
    buffer_free(&a.values);
    return table;
}
