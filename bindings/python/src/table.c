/*
 * table.c - Table: rows in memory.
 */
#include "table.h"
#include "support/failure.h"

#include <stdlib.h>
#include <string.h>

const column_format *format_of(const struct ArrowSchema *schema)
{
    static const column_format formats[] = {{'i', TBY_COLUMN_INT32, "i", 4},  {'l', TBY_COLUMN_INT64, "q", 8},
                                            {'L', TBY_COLUMN_UINT64, "Q", 8}, {'g', TBY_COLUMN_DOUBLE, "d", 8},
                                            {'u', TBY_COLUMN_TEXT, NULL, 0},  {'z', TBY_COLUMN_BYTES, NULL, 0}};
    const column_format *format = formats;
    while (format->arrow != *schema->format)
        format++;
    return format;
}

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

PyObject *table_new(tby_table *table, const tby_column *columns, size_t n_columns)
{
    table_object *made = (table_object *)PyType_GenericAlloc(Table_type, 0);
    if (made && tby_arrow_schema(&made->schema, columns, n_columns, NULL) && tby_arrow_array(&made->array, table)) {
        made->table = table;
        return (PyObject *)made;
    }
    tby_table_free(table);
    Py_XDECREF((PyObject *)made);
    return PyErr_NoMemory();
}

static void table_dealloc(PyObject *self)
{
    table_object *t = (table_object *)self;
    if (t->schema.release)
        t->schema.release(&t->schema);
    if (t->array.release)
        t->array.release(&t->array);
    object_free(self);
}

/* The columns of a table, to be freed; their names are those of the schema. */
static tby_column *columns_of(const table_object *t)
{
    tby_column *columns = calloc((size_t)t->schema.n_children + 1, sizeof *columns);
    for (int64_t i = 0; columns && i < t->schema.n_children; i++) {
        const struct ArrowSchema *s = t->schema.children[i];
        columns[i] = (tby_column){s->name, format_of(s)->type, (s->flags & ARROW_FLAG_NULLABLE) != 0};
    }
    if (!columns)
        PyErr_NoMemory();
    return columns;
}

PyObject *table_slice(PyObject *self, PyObject *slice)
{
    const table_object *t = (const table_object *)self;
    Py_ssize_t at, stop, step;
    if (PySlice_Unpack(slice, &at, &stop, &step) < 0)
        return NULL;
    const Py_ssize_t n = PySlice_AdjustIndices((Py_ssize_t)t->array.length, &at, &stop, step);
    tby_column *columns = columns_of(t);
    tby_table *table = columns ? tby_table_new(columns, (size_t)t->schema.n_children, NULL) : NULL;
    if (table && step == 1 && n > 0)
        tby_table_append(table, t->table, (size_t)at, (size_t)n);
    for (Py_ssize_t i = 0; table && step != 1 && i < n; i++, at += step)
        tby_table_append(table, t->table, (size_t)at, 1);
    const bool is_whole = table && !tby_table_has_failed(table);
    PyObject *made = is_whole ? table_new(table, columns, (size_t)t->schema.n_children) : NULL;
    if (!is_whole) {
        tby_table_free(table);
        PyErr_NoMemory();
    }
    free(columns);
    return made;
}

PyObject *rows_head(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"n", NULL};
    Py_ssize_t n = 5;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|n:head", names, &n))
        return NULL;
    PyObject *stop = PyLong_FromSsize_t(n), *slice = stop ? PySlice_New(NULL, stop, NULL) : NULL;
    PyObject *made = slice ? PyObject_GetItem(self, slice) : NULL;
    Py_XDECREF(slice);
    Py_XDECREF(stop);
    return made;
}

static PyObject *table_column(PyObject *self, PyObject *name)
{
    table_object *t = (table_object *)self;
    for (int64_t i = 0; i < t->schema.n_children; i++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, t->schema.children[i]->name) == 0)
            return column_at(t, i);
    PyErr_SetObject(PyExc_KeyError, name);
    return NULL;
}

static Py_ssize_t table_length(PyObject *self) { return (Py_ssize_t)((table_object *)self)->array.length; }

static PyObject *get_columns(PyObject *self, void *closure)
{
    table_object *t = (table_object *)self;
    PyObject *list = PyList_New((Py_ssize_t)t->schema.n_children);
    for (int64_t i = 0; list && i < t->schema.n_children; i++)
        list_put(&list, (Py_ssize_t)i, PyUnicode_FromString(t->schema.children[i]->name));
    return list;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

bool is_present(const struct ArrowArray *a, int64_t row)
{
    const uint8_t *bits = a->buffers[0];
    return !bits || (bits[row / 8] >> row % 8 & 1);
}

static PyObject *text_at(const struct ArrowArray *a, char format, int64_t row)
{
    const int32_t *offsets = a->buffers[1];
    const char *s = (const char *)a->buffers[2] + offsets[row];
    const Py_ssize_t n = offsets[row + 1] - offsets[row];
    return format == 'u' ? PyUnicode_DecodeUTF8(s, n, "replace") : PyBytes_FromStringAndSize(s, n);
}

PyObject *value_at(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row)
{
    if (!is_present(a, row))
        Py_RETURN_NONE;
    switch (*schema->format) {
    case 'i': return PyLong_FromLong(((const int32_t *)a->buffers[1])[row]);
    case 'l': return PyLong_FromLongLong(((const int64_t *)a->buffers[1])[row]);
    case 'L': return PyLong_FromUnsignedLongLong(((const uint64_t *)a->buffers[1])[row]);
    case 'g': return PyFloat_FromDouble(((const double *)a->buffers[1])[row]);
    default: return text_at(a, *schema->format, row);
    }
}

static PyObject *table_row(PyObject *self, Py_ssize_t row)
{
    const table_object *t = (const table_object *)self;
    if (row < 0 || row >= t->array.length)
        return PyErr_Format(PyExc_IndexError, "the table has no such row");
    PyObject *values = PyTuple_New((Py_ssize_t)t->schema.n_children);
    for (int64_t i = 0; values && i < t->schema.n_children; i++) {
        PyObject *value = value_at(t->schema.children[i], t->array.children[i], row);
        if (!value || PyTuple_SetItem(values, (Py_ssize_t)i, value) < 0)
            Py_CLEAR(values);
    }
    return values;
}

/* A name selects a column, a number a row, a slice a table of these rows. */
static PyObject *table_item(PyObject *self, PyObject *key)
{
    if (PySlice_Check(key))
        return table_slice(self, key);
    if (!PyIndex_Check(key))
        return table_column(self, key);
    const Py_ssize_t row = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (PyErr_Occurred())
        return NULL;
    return table_row(self, row < 0 ? row + table_length(self) : row);
}

PyObject *list_of(const struct ArrowSchema *schema, const struct ArrowArray *a)
{
    PyObject *list = PyList_New((Py_ssize_t)a->length);
    for (Py_ssize_t i = 0; list && i < a->length; i++)
        list_put(&list, i, value_at(schema, a, i));
    return list;
}

static PyObject *to_dict(PyObject *self, PyObject *none)
{
    table_object *t = (table_object *)self;
    PyObject *all = PyDict_New();
    for (int64_t i = 0; all && i < t->schema.n_children; i++)
        dict_put(&all, PyUnicode_FromString(t->schema.children[i]->name),
                 list_of(t->schema.children[i], t->array.children[i]));
    return all;
}

/* ---- Boards ----------------------------------------------------------------------------------------------------- */

/* A reader for planes_new, whose context is the column `board` or `fen`. */
static bool setup_at(tby_setup *out, const void *column, Py_ssize_t row)
{
    const struct ArrowArray *a = ((const column_object *)column)->array;
    const int32_t *offsets = a->buffers[1];
    const char *s = (const char *)a->buffers[2] + offsets[row];
    const size_t n = (size_t)(offsets[row + 1] - offsets[row]);
    if (!is_present(a, row))
        return false;
    if (*((const column_object *)column)->schema->format == 'z')
        return tby_chessboard_decode(out, (const uint8_t *)s, n);
    return tby_fen_read(out, s, n, TBY_FEN_CHESS960, NULL, NULL) == TBY_OK;
}

static PyObject *planes_of(PyObject *self, bool are_planes)
{
    static const char *const names[] = {"board", "fen"};
    const table_object *t = (const table_object *)self;
    for (int i = 0; i < 2; i++)
        for (int64_t column = 0; column < t->schema.n_children; column++) {
            const struct ArrowSchema *schema = t->schema.children[column];
            if (strcmp(schema->name, names[i]) == 0 && !format_of(schema)->python) {
                const column_object c = {.schema = schema, .array = t->array.children[column]};
                return planes_new(table_length(self), setup_at, &c, are_planes);
            }
        }
    return PyErr_Format(PyExc_ValueError, "boards need a column \"board\" or \"fen\"");
}

METHOD(bitboards, planes_of(self, false));
METHOD(planes, planes_of(self, true));

METHOD(to_pandas, python_call("tabiya._frames", "to_pandas", self));
METHOD(to_arrow, python_call("tabiya._frames", "to_arrow", self));
METHOD(repr_html, python_call("tabiya._notebook", "table_html", self));

static PyObject *table_repr(PyObject *self) { return python_call("tabiya._notebook", "table_repr", self); }

/* ---- Arrow: a stream of one batch, a copy of the table ---------------------------------------------------------- */

/* The context is a list with the table, whose schema has the names of the columns, and with None after the batch. */
static tby_status batch_next(void *list, tby_table *table, tby_failure *failure)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    bool is_good = true;
    if (PyList_Size(list) == 1) {
        const tby_table *from = ((table_object *)PyList_GetItem(list, 0))->table;
        tby_table_append(table, from, 0, tby_table_n_rows(from));
        is_good = PyList_Append(list, Py_None) == 0;
        PyErr_Clear();
    }
    PyGILState_Release(state);
    if (!is_good)
        failure_no_memory(failure);
    return is_good ? TBY_OK : TBY_NO_MEMORY;
}

static void batch_release(void *list)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)list);
    PyGILState_Release(state);
}

static PyObject *arrow_stream(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"requested_schema", NULL};
    table_object *t = (table_object *)self;
    PyObject *schema = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:__arrow_c_stream__", names, &schema))
        return NULL;
    const size_t n = (size_t)t->schema.n_children;
    tby_column *columns = columns_of(t);
    if (!columns)
        return NULL;
    PyObject *list = Py_BuildValue("[O]", self);
    PyObject *capsule = list ? arrow_capsule(columns, n, &(tby_table_source){batch_next, batch_release, list}) : NULL;
    Py_XDECREF(list);
    free(columns);
    return capsule;
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyGetSetDef table_attributes[] = {
    {"columns", get_columns, NULL, "the names of its columns", NULL},
    {0},
};

static PyMethodDef table_methods[] = {
    {"head", KEYWORDS(rows_head), METH_VARARGS | METH_KEYWORDS, "head($self, /, n=5)\n--\n\na table of the first rows"},
    {"bitboards", bitboards, METH_NOARGS,
     "bitboards($self, /)\n--\n\n15 bitboards per row, an array of numpy, from the column board or "
     "fen: white pawns, knights, bishops, rooks, queens and king, the same for black, the rooks that "
     "may castle, the en passant square, and all squares if White is to move; bit 0 is a1, bit 63 is "
     "h8"},
    {"planes", planes, METH_NOARGS,
     "planes($self, /)\n--\n\nthe same as 15 planes of 8 x 8 bytes per row, 0 or 1: planes[row, "
     "plane, rank, file]"},
    {"to_pandas", to_pandas, METH_NOARGS, "to_pandas($self, /)\n--\n\na DataFrame, with nullable columns"},
    {"to_arrow", to_arrow, METH_NOARGS, "to_arrow($self, /)\n--\n\na table of pyarrow"},
    {"_repr_html_", repr_html, METH_NOARGS, "_repr_html_($self, /)\n--\n\nthe first rows, for notebooks"},
    {"__arrow_c_stream__", KEYWORDS(arrow_stream), METH_VARARGS | METH_KEYWORDS,
     "__arrow_c_stream__($self, /, requested_schema=None)\n--\n\na copy as an Arrow stream"},
    {"to_dict", to_dict, METH_NOARGS, "to_dict($self, /)\n--\n\na list for each column"},
    {0},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc,
     "Rows in memory: table[\"key\"] is a column, table[0] a row, table[:10] a table of these rows; iterating "
     "yields rows."},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_getset, table_attributes},
    {Py_tp_methods, table_methods},
    {Py_tp_iter, PySeqIter_New},
    {Py_tp_repr, table_repr},
    {Py_mp_length, table_length},
    {Py_mp_subscript, table_item},
    {Py_sq_length, table_length},
    {Py_sq_item, table_row},
    {0},
};
PyType_Spec Table_spec = {"tabiya.Table", sizeof(table_object), 0, TYPE_FOUND, table_slots};
