/*
 * errors.c - errors of the library as exceptions: what is wrong, and where.
 *
 *     Error (ValueError)       code, reason, offset, line, column, game: None if unknown
 *       InvalidError           the text is not in the notation
 *         QueryError           a query with an error
 *       IllegalError           the text is well-formed, but against the rules of chess
 *         AmbiguousError       several moves match
 *       LimitError             too long, too deep
 *     DatabaseError (OSError)  a database that cannot be used
 */
#include "python.h"

#include <string.h>

PyObject *Error_class, *QueryError_class, *DatabaseError_class;
static PyObject *InvalidError_class, *IllegalError_class, *AmbiguousError_class, *LimitError_class;

static PyObject *class_add(PyObject *module, const char *name, const char *doc, PyObject *base)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "tabiya.%s", name);
    PyObject *made = PyErr_NewExceptionWithDoc(full, doc, base, NULL);
    if (made && PyModule_AddObjectRef(module, name, made) < 0)
        return NULL;
    return made;
}

bool errors_begin(PyObject *module)
{
    Error_class =
        class_add(module, "Error", "What is wrong with a text, a move or a game, and where.", PyExc_ValueError);
    if (!Error_class)
        return false;
    static const char *const names[] = {"code", "reason", "offset", "line", "column", "game"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (PyObject_SetAttrString(Error_class, names[i], Py_None) < 0)
            return false;
    InvalidError_class = class_add(module, "InvalidError", "The text is not in the notation.", Error_class);
    IllegalError_class = class_add(module, "IllegalError", "The text is well-formed, but illegal.", Error_class);
    LimitError_class = class_add(module, "LimitError", "A limit is exceeded.", Error_class);
    if (!InvalidError_class || !IllegalError_class || !LimitError_class)
        return false;
    QueryError_class = class_add(module, "QueryError", "A query with an error.", InvalidError_class);
    AmbiguousError_class = class_add(module, "AmbiguousError", "Several moves match.", IllegalError_class);
    DatabaseError_class = class_add(module, "DatabaseError", "A database cannot be used.", PyExc_OSError);
    return QueryError_class && AmbiguousError_class && DatabaseError_class;
}

static PyObject *class_of(tby_status status)
{
    if (status == TBY_INVALID_QUERY)
        return QueryError_class;
    if (status == TBY_AMBIGUOUS_MOVE)
        return AmbiguousError_class;
    return status < 40 ? InvalidError_class : status < 70 ? IllegalError_class : LimitError_class;
}

/* Steals the reference to the value. */
static void set(PyObject *error, const char *name, PyObject *value)
{
    if (value)
        PyObject_SetAttrString(error, name, value);
    Py_XDECREF(value);
}

static PyObject *error_new(tby_status status, const char *text)
{
    PyObject *error = PyObject_CallFunction(class_of(status), "s", text);
    if (error) {
        set(error, "code", PyLong_FromLong((long)status));
        set(error, "reason", PyUnicode_FromString(tby_status_text(status)));
    }
    return error;
}

static PyObject *raise(PyObject *error)
{
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    return NULL;
}

PyObject *error_raise(const tby_error *err, const char *text)
{
    if (err->status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    PyObject *error = error_new(err->status, text);
    if (error)
        set(error, "offset", PyLong_FromSize_t(err->offset));
    return raise(error);
}

PyObject *error_raise_plain(const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_error_write(text, sizeof text, err);
    return error_raise(err, text);
}

static PyObject *place_text(const tby_game_fault *fault, uint64_t game, const char *name)
{
    char number[32] = "";
    if (game)
        PyOS_snprintf(number, sizeof number, "game %llu", (unsigned long long)game);
    const char *comma = game && *fault->where ? ", " : "", *open = game || *fault->where ? " (" : "";
    if (fault->line)
        return PyUnicode_FromFormat("%s:%llu:%llu: %s%s%s%s%s%s", name ? name : "", (unsigned long long)fault->line,
                                    (unsigned long long)fault->column, fault->text, open, number, comma, fault->where,
                                    *open ? ")" : "");
    return PyUnicode_FromFormat("%s: byte %zu: %s%s%s%s%s%s", name ? name : "", fault->error.offset, fault->text, open,
                                number, comma, fault->where, *open ? ")" : "");
}

PyObject *error_raise_fault(const tby_game_fault *fault, uint64_t game, const char *name)
{
    PyObject *text = place_text(fault, game, name);
    PyObject *error = text ? PyObject_CallFunctionObjArgs(class_of(fault->error.status), text, NULL) : NULL;
    Py_XDECREF(text);
    if (!error)
        return NULL;
    set(error, "code", PyLong_FromLong((long)fault->error.status));
    set(error, "reason", PyUnicode_FromString(fault->text));
    set(error, "offset", PyLong_FromSize_t(fault->error.offset));
    if (fault->line)
        set(error, "line", PyLong_FromUnsignedLongLong(fault->line));
    if (fault->column)
        set(error, "column", PyLong_FromUnsignedLongLong(fault->column));
    if (game)
        set(error, "game", PyLong_FromUnsignedLongLong(game));
    return raise(error);
}

PyObject *error_raise_query(const tby_query_error *err, const char *s, size_t n)
{
    if (err->status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    const size_t length = tby_query_error_write(NULL, 0, err, s, n);
    char *text = PyMem_Malloc(length + 1);
    if (!text)
        return PyErr_NoMemory();
    tby_query_error_write(text, length + 1, err, s, n);
    PyObject *error = PyObject_CallFunction(QueryError_class, "s", text);
    PyMem_Free(text);
    if (!error)
        return NULL;
    set(error, "code", PyLong_FromLong((long)err->status));
    set(error, "reason", PyUnicode_FromString(err->text));
    set(error, "offset", PyLong_FromSize_t(err->offset));
    set(error, "line", PyLong_FromSize_t(err->line));
    set(error, "column", PyLong_FromSize_t(err->column));
    return raise(error);
}

PyObject *error_raise_database(const tby_db *db, tby_status status)
{
    if (status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    PyErr_SetString(status == TBY_NOT_FOUND ? PyExc_KeyError : DatabaseError_class, tby_db_failure(db)->text);
    return NULL;
}

PyObject *error_raise_busy(void)
{
    PyErr_SetString(PyExc_RuntimeError, "another thread is using this object");
    return NULL;
}

PyObject *error_take(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

bool errors_read(bool *skips, const char *errors)
{
    *skips = strcmp(errors, "skip") == 0;
    if (*skips || strcmp(errors, "raise") == 0)
        return true;
    PyErr_Format(PyExc_ValueError, "errors must be \"raise\" or \"skip\", not \"%s\"", errors);
    return false;
}
