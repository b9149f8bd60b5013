/*
 * table.c - Table: rows in memory; Column: one of its columns, whose numbers others see through the buffer protocol.
 *
 * A table holds its values as an Arrow array does, and never changes.
 */
#include "rows.h"

#include <string.h>

PyTypeObject *Table_type, *Column_type;

typedef struct table_object {
    PyObject_HEAD struct ArrowSchema schema;
    struct ArrowArray array;
} table_object;

typedef struct column_object {
    PyObject_HEAD table_object *table;
    int64_t index;
    Py_ssize_t shape;
} column_object;

/* ---- Tables ----------------------------------------------------------------------------------------------------- */

PyObject *table_new(tby_table *table, const tby_column *columns, size_t n_columns)
{
    table_object *made = (table_object *)PyType_GenericAlloc(Table_type, 0);
    if (made && tby_arrow_schema(&made->schema, columns, n_columns, NULL) && tby_arrow_array(&made->array, table))
        return (PyObject *)made;
    tby_table_free(table);
    if (made) {
        PyErr_NoMemory();
        Py_DECREF((PyObject *)made);
    }
    return NULL;
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
    made->index = index;
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
    (void)closure;
    for (int64_t i = 0; list && i < t->schema.n_children; i++) {
        PyObject *name = PyUnicode_FromString(t->schema.children[i]->name);
        if (!name || PyList_SetItem(list, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(list);
    }
    return list;
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

static PyObject *value_at(const table_object *t, int64_t column, int64_t row)
{
    const struct ArrowArray *a = t->array.children[column];
    const char format = *t->schema.children[column]->format;
    if (!is_present(a, row))
        Py_RETURN_NONE;
    switch (format) {
    case 'i': return PyLong_FromLong(((const int32_t *)a->buffers[1])[row]);
    case 'l': return PyLong_FromLongLong(((const int64_t *)a->buffers[1])[row]);
    case 'L': return PyLong_FromUnsignedLongLong(((const uint64_t *)a->buffers[1])[row]);
    case 'g': return PyFloat_FromDouble(((const double *)a->buffers[1])[row]);
    default: return text_at(a, format, row);
    }
}

static PyObject *table_row(PyObject *self, Py_ssize_t row)
{
    const table_object *t = (const table_object *)self;
    if (row < 0 || row >= t->array.length) {
        PyErr_SetString(PyExc_IndexError, "the table has no such row");
        return NULL;
    }
    PyObject *values = PyTuple_New((Py_ssize_t)t->schema.n_children);
    for (int64_t i = 0; values && i < t->schema.n_children; i++) {
        PyObject *value = value_at(t, i, row);
        if (!value || PyTuple_SetItem(values, (Py_ssize_t)i, value) < 0)
            Py_CLEAR(values);
    }
    return values;
}

/* By a name a column, by a number a row. */
static PyObject *table_item(PyObject *self, PyObject *key)
{
    if (!PyLong_Check(key))
        return table_column(self, key);
    Py_ssize_t row = PyLong_AsSsize_t(key);
    if (PyErr_Occurred())
        return NULL;
    return table_row(self, row < 0 ? row + table_length(self) : row);
}

static PyObject *to_dict(PyObject *self, PyObject *none)
{
    table_object *t = (table_object *)self;
    PyObject *all = PyDict_New();
    (void)none;
    for (int64_t i = 0; all && i < t->schema.n_children; i++) {
        PyObject *column = column_at(t, i), *list = column ? PyObject_CallMethod(column, "tolist", NULL) : NULL;
        if (!list || PyDict_SetItemString(all, t->schema.children[i]->name, list) < 0)
            Py_CLEAR(all);
        Py_XDECREF(column);
        Py_XDECREF(list);
    }
    return all;
}

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

static void column_dealloc(PyObject *self)
{
    Py_XDECREF((PyObject *)((column_object *)self)->table);
    object_free(self);
}

static Py_ssize_t column_length(PyObject *self) { return ((column_object *)self)->shape; }

static PyObject *column_value(PyObject *self, Py_ssize_t row)
{
    const column_object *c = (const column_object *)self;
    if (row < 0 || row >= c->shape) {
        PyErr_SetString(PyExc_IndexError, "the column has no such row");
        return NULL;
    }
    return value_at(c->table, c->index, row);
}

static PyObject *column_tolist(PyObject *self, PyObject *none)
{
    const Py_ssize_t n = column_length(self);
    PyObject *list = PyList_New(n);
    (void)none;
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *value = column_value(self, i);
        if (!value || PyList_SetItem(list, i, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_n_empty(PyObject *self, void *closure)
{
    const column_object *c = (const column_object *)self;
    (void)closure;
    return PyLong_FromLongLong(c->table->array.children[c->index]->null_count);
}

static PyObject *get_name(PyObject *self, void *closure)
{
    const column_object *c = (const column_object *)self;
    (void)closure;
    return PyUnicode_FromString(c->table->schema.children[c->index]->name);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    static const struct {
        char arrow;
        char *python;
        Py_ssize_t size;
    } formats[] = {{'i', "i", 4}, {'l', "q", 8}, {'L', "Q", 8}, {'g', "d", 8}};
    column_object *c = (column_object *)self;
    const char format = *c->table->schema.children[c->index]->format;
    static const uint64_t nothing = 0;
    view->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a column cannot be changed");
        return -1;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].arrow != format)
            continue;
        const void *values = c->table->array.children[c->index]->buffers[1];
        if (PyBuffer_FillInfo(view, self, (void *)(uintptr_t)(values ? values : &nothing), c->shape * formats[i].size,
                              1, flags) < 0)
            return -1;
        view->format = flags & PyBUF_FORMAT ? formats[i].python : NULL;
        view->itemsize = formats[i].size;
        if (view->shape)
            view->shape = &c->shape;
        if (view->strides)
            view->strides = &view->itemsize;
        return 0;
    }
    PyErr_SetString(PyExc_BufferError, "texts and bytes have no buffer of numbers; use tolist()");
    return -1;
}

/* ---- The types -------------------------------------------------------------------------------------------------- */

static bool column_begin(PyObject *module)
{
    static PyGetSetDef attributes[] = {
        {"name", get_name, NULL, "its name", NULL},
        {"n_empty", get_n_empty, NULL, "how many values are empty; as numbers they are 0", NULL},
        {0},
    };
    static PyMethodDef methods[] = {
        {"tolist", column_tolist, METH_NOARGS, "tolist() - its values; None for an empty one"},
        {0},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "A column of a table. Numbers can be seen through the buffer protocol: numpy.asarray(column)."},
        {Py_tp_dealloc, column_dealloc},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {Py_sq_length, column_length},
        {Py_sq_item, column_value},
        {Py_bf_getbuffer, get_buffer},
        {0},
    };
    static PyType_Spec spec = {"tabiya.Column", sizeof(column_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    return (Column_type = type_add(module, &spec)) != NULL;
}

bool table_begin(PyObject *module)
{
    static PyGetSetDef attributes[] = {
        {"columns", get_columns, NULL, "the names of its columns", NULL},
        {0},
    };
    static PyMethodDef methods[] = {
        {"to_dict", to_dict, METH_NOARGS, "to_dict() - a list for each column"},
        {0},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Rows in memory: table[\"key\"] is a column, table[0] a row; iterating gives rows."},
        {Py_tp_dealloc, table_dealloc},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {Py_mp_length, table_length},
        {Py_mp_subscript, table_item},
        {Py_sq_length, table_length},
        {Py_sq_item, table_row},
        {0},
    };
    static PyType_Spec spec = {"tabiya.Table", sizeof(table_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    return column_begin(module) && (Table_type = type_add(module, &spec)) != NULL;
}
