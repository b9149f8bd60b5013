/*
 * column.c - Column: one of the columns of a table, with the buffer protocol for numbers.
 */
#include "table.h"

#include <string.h>

PyObject *column_at(table_object *t, int64_t index)
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

/* A number selects a value, a slice a column of these values. */
static PyObject *column_item(PyObject *self, PyObject *key)
{
    const column_object *c = (const column_object *)self;
    if (PySlice_Check(key)) {
        int64_t index = 0;
        while (c->table->array.children[index] != c->array)
            index++;
        PyObject *rows = table_slice((PyObject *)c->table, key);
        PyObject *made = rows ? column_at((table_object *)rows, index) : NULL;
        Py_XDECREF(rows);
        return made;
    }
    const Py_ssize_t row = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (PyErr_Occurred())
        return NULL;
    return column_value(self, row < 0 ? row + c->shape : row);
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

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyGetSetDef column_attributes[] = {
    {"name", get_name, NULL, "its name", NULL},
    {"n_empty", get_n_empty, NULL, "how many values are missing", NULL},
    {"may_be_empty", get_may_be_empty, NULL, "can values of this column be missing?", NULL},
    {"mask", get_mask, NULL, "a memoryview of bools: True where a value is missing", NULL},
    {0},
};

static PyMethodDef column_methods[] = {
    {"filled", filled, METH_O,
     "filled($self, value, /)\n--\n\na memoryview of its numbers, with a value for those that are "
     "missing"},
    {"head", KEYWORDS(rows_head), METH_VARARGS | METH_KEYWORDS,
     "head($self, /, n=5)\n--\n\na column of its first values"},
    {"tolist", column_tolist, METH_NOARGS, "tolist($self, /)\n--\n\nits values; None for an empty one"},
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
    {Py_mp_length, column_length},
    {Py_mp_subscript, column_item},
    {Py_sq_length, column_length},
    {Py_sq_item, column_value},
    {Py_bf_getbuffer, get_buffer},
    {0},
};
PyType_Spec Column_spec = {"tabiya.Column", sizeof(column_object), 0, TYPE_FOUND, column_slots};
