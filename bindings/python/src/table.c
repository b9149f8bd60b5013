/*
 * table.c - Table: rows in memory; Column: one of its columns, with the buffer protocol for numbers.
 *
 * A table stores its values like an Arrow array, and never changes.
 */
#include "python.h"
#include "support/failure.h"

#include <stdlib.h>
#include <string.h>

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

static PyObject *column_at(table_object *t, int64_t index)
{
    column_object *made = (column_object *)PyType_GenericAlloc(Column_type, 0);
    if (!made)
        return NULL;
    made->table = (table_object *)Py_NewRef((PyObject *)t);
    made->schema = t->schema.children[index];
    made->array = t->array.children[index];
    made->shape = (Py_ssize_t)t->array.length;
    return (PyObject *)made;
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

/* How the values of a column are stored: for Arrow, here, and as numbers for Python; NULL for texts and bytes. */
typedef struct column_format {
    char arrow;
    tby_column_type type;
    char *python;
    Py_ssize_t size;
} column_format;

static const column_format *format_of(const struct ArrowSchema *schema)
{
    static const column_format formats[] = {{'i', TBY_COLUMN_INT32, "i", 4},  {'l', TBY_COLUMN_INT64, "q", 8},
                                            {'L', TBY_COLUMN_UINT64, "Q", 8}, {'g', TBY_COLUMN_DOUBLE, "d", 8},
                                            {'u', TBY_COLUMN_TEXT, NULL, 0},  {'z', TBY_COLUMN_BYTES, NULL, 0}};
    const column_format *format = formats;
    while (format->arrow != *schema->format)
        format++;
    return format;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static bool is_present(const struct ArrowArray *a, int64_t row)
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

static PyObject *value_at(const struct ArrowSchema *schema, const struct ArrowArray *a, int64_t row)
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

/* A name selects a column, a number a row. */
static PyObject *table_item(PyObject *self, PyObject *key)
{
    if (!PyLong_Check(key))
        return table_column(self, key);
    Py_ssize_t row = PyLong_AsSsize_t(key);
    if (PyErr_Occurred())
        return NULL;
    return table_row(self, row < 0 ? row + table_length(self) : row);
}

static PyObject *list_of(const struct ArrowSchema *schema, const struct ArrowArray *a)
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
    tby_column *columns = calloc(n + 1, sizeof *columns);
    if (!columns)
        return PyErr_NoMemory();
    for (size_t i = 0; i < n; i++) {
        const struct ArrowSchema *s = t->schema.children[i];
        columns[i] = (tby_column){s->name, format_of(s)->type, (s->flags & ARROW_FLAG_NULLABLE) != 0};
    }
    PyObject *list = Py_BuildValue("[O]", self);
    PyObject *capsule = list ? arrow_capsule(columns, n, &(tby_table_source){batch_next, batch_release, list}) : NULL;
    Py_XDECREF(list);
    free(columns);
    return capsule;
}

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

static void column_dealloc(PyObject *self)
{
    Py_XDECREF((PyObject *)((column_object *)self)->table);
    object_free(self);
}

static const struct ArrowSchema *schema_of(PyObject *self) { return ((column_object *)self)->schema; }
static const struct ArrowArray *array_of(PyObject *self) { return ((column_object *)self)->array; }
static Py_ssize_t column_length(PyObject *self) { return ((column_object *)self)->shape; }

static PyObject *column_value(PyObject *self, Py_ssize_t row)
{
    if (row < 0 || row >= column_length(self))
        return PyErr_Format(PyExc_IndexError, "the column has no such row");
    return value_at(schema_of(self), array_of(self), row);
}

METHOD(column_tolist, list_of(schema_of(self), array_of(self)));

/* Takes over the bytes. */
static PyObject *view_of(PyObject *bytes, const char *format)
{
    PyObject *view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject *cast = view ? PyObject_CallMethod(view, "cast", "s", format) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(bytes);
    return cast;
}

static PyObject *get_mask(PyObject *self, void *closure)
{
    const column_object *c = (const column_object *)self;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, c->shape);
    for (Py_ssize_t i = 0; bytes && i < c->shape; i++)
        PyBytes_AsString(bytes)[i] = (char)!is_present(array_of(self), i);
    return view_of(bytes, "?");
}

static bool number_read(void *out, char format, PyObject *value)
{
    if (format == 'g') {
        *(double *)out = PyFloat_AsDouble(value);
    } else if (format == 'L') {
        *(uint64_t *)out = PyLong_AsUnsignedLongLong(value);
    } else if (format == 'l') {
        *(int64_t *)out = PyLong_AsLongLong(value);
    } else {
        const long number = PyLong_AsLong(value);
        *(int32_t *)out = (int32_t)number;
        if (number != *(int32_t *)out)
            PyErr_SetString(PyExc_OverflowError, "the column holds numbers of 32 bits");
    }
    return !PyErr_Occurred();
}

static PyObject *filled(PyObject *self, PyObject *value)
{
    const column_object *c = (const column_object *)self;
    const struct ArrowArray *a = array_of(self);
    const column_format *format = format_of(schema_of(self));
    uint64_t other = 0;
    if (!format->python)
        return PyErr_Format(PyExc_TypeError, "texts and bytes cannot be filled; use tolist()");
    if (!number_read(&other, format->arrow, value))
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, c->shape * format->size);
    if (!bytes)
        return NULL;
    char *s = PyBytes_AsString(bytes);
    memcpy(s, a->buffers[1], (size_t)(c->shape * format->size)); /* the buffer is there even if it is empty */
    for (Py_ssize_t i = 0; i < c->shape && a->null_count; i++)
        if (!is_present(a, i))
            memcpy(s + i * format->size, &other, (size_t)format->size);
    return view_of(bytes, format->python);
}

GETTER(get_name, PyUnicode_FromString(schema_of(self)->name));
GETTER(get_n_empty, PyLong_FromLongLong(array_of(self)->null_count));
GETTER(get_may_be_empty, PyBool_FromLong((schema_of(self)->flags & ARROW_FLAG_NULLABLE) != 0));

static PyObject *column_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<Column %s: %zd values, %lld empty>", schema_of(self)->name, column_length(self),
                                (long long)array_of(self)->null_count);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    column_object *c = (column_object *)self;
    const struct ArrowArray *a = array_of(self);
    const column_format *format = format_of(schema_of(self));
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE)
        PyErr_SetString(PyExc_BufferError, "a column cannot be changed");
    else if (!format->python)
        PyErr_SetString(PyExc_BufferError, "texts and bytes have no buffer of numbers; use tolist()");
    else if (a->null_count)
        PyErr_Format(PyExc_BufferError, "%lld values of the column \"%s\" are missing; use filled(value) and mask",
                     (long long)a->null_count, schema_of(self)->name);
    if (PyErr_Occurred() ||
        PyBuffer_FillInfo(view, self, (void *)(uintptr_t)a->buffers[1], c->shape * format->size, 1, flags) < 0)
        return -1;
    view->format = flags & PyBUF_FORMAT ? format->python : NULL;
    view->itemsize = format->size;
    if (view->shape)
        view->shape = &c->shape;
    if (view->strides)
        view->strides = &view->itemsize;
    return 0;
}

/* ---- The types -------------------------------------------------------------------------------------------------- */

static PyGetSetDef column_attributes[] = {
    {"name", get_name, NULL, "its name", NULL},
    {"n_empty", get_n_empty, NULL, "how many values are missing", NULL},
    {"may_be_empty", get_may_be_empty, NULL, "can values of this column be missing?", NULL},
    {"mask", get_mask, NULL, "a memoryview of bools: True where a value is missing", NULL},
    {0},
};

static PyMethodDef column_methods[] = {
    {"filled", filled, METH_O, "filled(value) - a memoryview of its numbers, with a value for those that are missing"},
    {"tolist", column_tolist, METH_NOARGS, "tolist() - its values; None for an empty one"},
    {0},
};

static PyType_Slot column_slots[] = {
    {Py_tp_doc,
     "A column of a table. Numbers can be seen through the buffer protocol, numpy.asarray(column), unless some are "
     "missing: then filled(value) and mask have them."},
    {Py_tp_dealloc, column_dealloc},
    {Py_tp_getset, column_attributes},
    {Py_tp_methods, column_methods},
    {Py_tp_repr, column_repr},
    {Py_sq_length, column_length},
    {Py_sq_item, column_value},
    {Py_bf_getbuffer, get_buffer},
    {0},
};
PyType_Spec Column_spec = {"tabiya.Column", sizeof(column_object), 0, TYPE_FOUND, column_slots};

static PyGetSetDef table_attributes[] = {
    {"columns", get_columns, NULL, "the names of its columns", NULL},
    {0},
};

static PyMethodDef table_methods[] = {
    {"to_pandas", to_pandas, METH_NOARGS, "to_pandas() - a DataFrame, with nullable columns"},
    {"to_arrow", to_arrow, METH_NOARGS, "to_arrow() - a table of pyarrow"},
    {"_repr_html_", repr_html, METH_NOARGS, "the first rows, for notebooks"},
    {"__arrow_c_stream__", KEYWORDS(arrow_stream), METH_VARARGS | METH_KEYWORDS, "a copy as an Arrow stream"},
    {"to_dict", to_dict, METH_NOARGS, "to_dict() - a list for each column"},
    {0},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc, "Rows in memory: table[\"key\"] is a column, table[0] a row; iterating yields rows."},
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
