/*
 * errors.c - errors of the library as exceptions: what is wrong, and where.
 *
 *     Error (ValueError)       code, reason, offset, line, column, game, ply, partial, field, near: None if unknown
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

static const struct {
    PyObject **class;
    const char *name, *doc;
    PyObject **base;
} classes[] = {
    {&Error_class, "tabiya.Error", "What is wrong with a text, a move or a game, and where.", &PyExc_ValueError},
    {&InvalidError_class, "tabiya.InvalidError", "The text is not in the notation.", &Error_class},
    {&IllegalError_class, "tabiya.IllegalError", "The text is well-formed, but illegal.", &Error_class},
    {&LimitError_class, "tabiya.LimitError", "A limit is exceeded.", &Error_class},
    {&QueryError_class, "tabiya.QueryError", "A query with an error.", &InvalidError_class},
    {&AmbiguousError_class, "tabiya.AmbiguousError", "Several moves match.", &IllegalError_class},
    {&DatabaseError_class, "tabiya.DatabaseError", "A database cannot be used.", &PyExc_OSError},
};

bool errors_begin(PyObject *module)
{
    static const char *const names[] = {"code", "reason",  "offset", "line", "column", "game",
                                        "ply",  "partial", "field",  "near", NULL};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        PyObject *class = PyErr_NewExceptionWithDoc(classes[i].name, classes[i].doc, *classes[i].base, NULL);
        if (!(*classes[i].class = module_add(module, classes[i].name, class)))
            return false;
    }
    for (size_t i = 0; names[i]; i++)
        if (PyObject_SetAttrString(Error_class, names[i], Py_None) < 0)
            return false;
    return true;
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

/* Steals the reference to the text, which may be NULL with an exception set. A line, column or game of 0 is unknown. */
static PyObject *raise(PyObject *class, PyObject *text, const tby_error *err, const char *reason, uint64_t line,
                       uint64_t column, uint64_t game)
{
    PyObject *error = text ? PyObject_CallFunctionObjArgs(class, text, NULL) : NULL;
    Py_XDECREF(text);
    if (!error)
        return NULL;
    set(error, "line", line ? number_new(line) : NULL);
    set(error, "column", column ? number_new(column) : NULL);
    set(error, "game", game ? number_new(game) : NULL);
    set(error, "code", PyLong_FromLong((long)err->status));
    set(error, "reason", PyUnicode_FromString(reason));
    set(error, "offset", PyLong_FromSize_t(err->offset));
    error_raise_again(error);
    Py_DECREF(error);
    return NULL;
}

PyObject *error_raise(const tby_error *err, const char *format, ...)
{
    va_list list;
    if (err->status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    va_start(list, format);
    PyObject *text = PyUnicode_FromFormatV(format, list);
    va_end(list);
    return raise(class_of(err->status), text, err, tby_status_text(err->status), 0, 0, 0);
}

PyObject *error_raise_plain(const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_error_write(text, sizeof text, err);
    return error_raise(err, "%s", text);
}

PyObject *error_raise_fen(const tby_error *err)
{
    char text[TBY_ERROR_SIZE + 64];
    tby_fen_error_write(text, sizeof text, err);
    return error_raise(err, "%s", text);
}

PyObject *error_raise_chessgame(const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    tby_chessgame_error_write(text, sizeof text, err);
    return error_raise(&err->error, "%s", text);
}

PyObject *error_add_ply(const tby_position *pos, Py_ssize_t nth, Py_ssize_t n)
{
    if (!PyErr_ExceptionMatches(Error_class))
        return NULL;
    PyObject *error = error_take(), *old = PyObject_Str(error), *args = NULL;
    if (old)
        args =
            Py_BuildValue("(N)", PyUnicode_FromFormat("%u%s%U (move %zd of %zd)", (unsigned)tby_position_fullmove(pos),
                                                      tby_position_side(pos) == TBY_WHITE ? ". " : "...", old, nth, n));
    set(error, "args", args);
    set(error, "ply", PyLong_FromSsize_t(nth));
    if (!PyErr_Occurred())
        error_raise_again(error);
    Py_XDECREF(old);
    Py_DECREF(error);
    return NULL;
}

/* Which half-move of the game is wrong, from 1, by the position in which it should be played; NULL if the fault is not
   about a move. */
static PyObject *ply_of(const tby_game_fault *fault, const tby_game *game)
{
    tby_setup setup;
    const char *fen = strstr(fault->where, ", FEN ");
    if (!fen || tby_fen_read(&setup, fen + 6, strlen(fen + 6), TBY_FEN_CHESS960, NULL, NULL) != TBY_OK)
        return NULL;
    return PyLong_FromLong(2 * ((long)setup.fullmove - 1) + setup.side - (long)tby_game_start(game)->ply + 1);
}

PyObject *error_raise_fault(const tby_game_fault *fault, uint64_t game, const char *name, PyObject *partial)
{
    char number[32] = "", place[64];
    PyObject *error;
    if (game)
        PyOS_snprintf(number, sizeof number, "game %llu", (unsigned long long)game);
    if (fault->line)
        PyOS_snprintf(place, sizeof place, "%llu:%llu", (unsigned long long)fault->line,
                      (unsigned long long)fault->column);
    else
        PyOS_snprintf(place, sizeof place, " byte %zu", fault->error.offset);
    const char *comma = game && *fault->where ? ", " : "", *open = game || *fault->where ? " (" : "";
    PyObject *text = PyUnicode_FromFormat("%s%s%s: %s%s%s%s%s%s", name ? name : "", name ? ":" : "", place, fault->text,
                                          open, number, comma, fault->where, *open ? ")" : "");
    raise(class_of(fault->error.status), text, &fault->error, fault->text, fault->line, fault->column, game);
    if (!partial || !PyErr_ExceptionMatches(Error_class) || !(error = error_take()))
        return NULL;
    set(error, "partial", Py_NewRef(partial));
    set(error, "ply", ply_of(fault, ((game_object *)partial)->game));
    error_raise_again(error);
    Py_DECREF(error);
    return NULL;
}

PyObject *error_raise_query(const tby_query_error *err, const char *s, size_t n)
{
    if (err->status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    buffer text = {0};
    const size_t length = tby_query_error_write(NULL, 0, err, s, n);
    if (buffer_reserve(&text, length + 1))
        text.n = tby_query_error_write(text.s, length + 1, err, s, n);
    const tby_error plain = {.status = err->status, .offset = err->offset};
    raise(QueryError_class, text_end(&text), &plain, err->text, err->line, err->column, 0);
    PyObject *error = error_take();
    set(error, "field", err->field ? PyUnicode_FromString(err->field) : NULL);
    set(error, "near", err->near[0] ? PyUnicode_FromString(err->near) : NULL);
    error_raise_again(error);
    Py_DECREF(error);
    return NULL;
}

PyObject *error_raise_database(const tby_db *db, tby_status status)
{
    if (status == TBY_NO_MEMORY)
        return PyErr_NoMemory();
    return PyErr_Format(status == TBY_NOT_FOUND ? PyExc_KeyError : DatabaseError_class, "%s", tby_db_failure(db)->text);
}

PyObject *error_raise_busy(void) { return PyErr_Format(PyExc_RuntimeError, "another thread is using this object"); }

PyObject *error_take(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

PyObject *error_raise_again(PyObject *exception)
{
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    return NULL;
}

bool errors_read(bool *skips, const char *errors)
{
    static const char *const words[] = {"raise", "skip", NULL};
    const int word = word_read(words, errors, "errors must be \"raise\" or \"skip\"");
    *skips = word == 1;
    return word >= 0;
}
