/*
 * source.c - files, bytes and file objects as streams of bytes.
 *
 * Files may be compressed with gzip or zstd. A file object returns bytes or text; an exception of its read() is stored
 * and raised when the stream is used.
 */
#include "input.h"
#include "python.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct source {
    input *file;      /* one of these three */
    PyObject *object; /* with read() */
    Py_buffer view;   /* its obj is NULL if there is none */
    char *path;
    /* The object's last chunk and its unread part; and the bytes peeked at. */
    PyObject *chunk;
    const char *at;
    size_t n_left;
    PyObject *raised; /* an exception of the object */
    const char *error;
};

/* ---- File objects ----------------------------------------------------------------------------------------------- */

static bool take_chunk(source *s)
{
    Py_ssize_t n;
    char *bytes;
    Py_CLEAR(s->chunk);
    s->chunk = PyObject_CallMethod(s->object, "read", "i", 1 << 16);
    if (!s->chunk)
        return false;
    if (PyUnicode_Check(s->chunk)) {
        s->at = PyUnicode_AsUTF8AndSize(s->chunk, &n);
        s->n_left = s->at ? (size_t)n : 0;
        return s->at != NULL;
    }
    if (PyBytes_AsStringAndSize(s->chunk, &bytes, &n) < 0)
        return false;
    s->at = bytes;
    s->n_left = (size_t)n;
    return true;
}

static size_t read_view(source *s, char *buf, size_t cap)
{
    const size_t n = s->n_left < cap ? s->n_left : cap;
    if (n)
        memcpy(buf, s->at, n);
    s->at += n;
    s->n_left -= n;
    return n;
}

static size_t read_object(source *s, char *buf, size_t cap)
{
    if (s->n_left == 0) {
        const PyGILState_STATE state = PyGILState_Ensure();
        if (!take_chunk(s)) {
            s->raised = error_take();
            s->error = "reading the file object failed";
        }
        PyGILState_Release(state);
        if (s->error)
            return TBY_SOURCE_FAILED;
    }
    return read_view(s, buf, cap);
}

/* ---- All sources ------------------------------------------------------------------------------------------------ */

size_t source_read(void *context, char *buf, size_t cap)
{
    source *s = context;
    return s->file ? input_read(s->file, buf, cap) : s->object ? read_object(s, buf, cap) : read_view(s, buf, cap);
}

static bool open_path(source *s, PyObject *path)
{
    PyObject *bytes = NULL;
    tby_failure failure;
    if (!PyUnicode_FSConverter(path, &bytes))
        return false;
    s->path = strdup(PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    if (!s->path) {
        PyErr_NoMemory();
        return false;
    }
    errno = 0;
    s->file = input_open_file(s->path, &failure);
    if (s->file)
        return true;
    if (errno)
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    else
        PyErr_Format(PyExc_OSError, "%s: %s", s->path, failure.text);
    return false;
}

static bool open_any(source *s, PyObject *from)
{
    if (PyObject_CheckBuffer(from)) {
        if (PyObject_GetBuffer(from, &s->view, PyBUF_SIMPLE) < 0)
            return false;
        s->at = s->view.buf;
        s->n_left = (size_t)s->view.len;
        return true;
    }
    if (PyObject_HasAttrString(from, "read")) {
        s->object = Py_NewRef(from);
        return true;
    }
    return open_path(s, from);
}

source *source_new(PyObject *from)
{
    source *s = calloc(1, sizeof *s);
    if (!s) {
        PyErr_NoMemory();
        return NULL;
    }
    if (open_any(s, from))
        return s;
    source_free(s);
    return NULL;
}

void source_free(source *s)
{
    if (!s)
        return;
    if (s->file)
        input_close(s->file);
    if (s->view.obj)
        PyBuffer_Release(&s->view);
    Py_XDECREF(s->object);
    Py_XDECREF(s->chunk);
    Py_XDECREF(s->raised);
    free(s->path);
    free(s);
}

static const tby_game_notation *guess(source *s)
{
    tby_likeness likeness = TBY_UNLIKE;
    if (s->file)
        return input_notation(s->file, NULL);
    if (s->object && s->n_left == 0 && !take_chunk(s))
        return NULL;
    const tby_game_notation *found = tby_game_notation_guess(NULL, 0, s->at, s->n_left, &likeness);
    return likeness >= TBY_LIKELY ? found : tby_game_notation_at(0);
}

const tby_game_notation *source_notation(source *s, const char *name)
{
    if (!name)
        return guess(s);
    const tby_game_notation *found = tby_game_notation_find(name, strlen(name));
    if (!found)
        PyErr_Format(PyExc_ValueError, "there is no notation of games called \"%s\"", name);
    return found;
}

const char *source_error(const source *s)
{
    const tby_failure *failure = s->file ? input_failure(s->file) : NULL;
    return failure ? failure->text : s->error;
}

bool source_raise(source *s)
{
    if (s->raised)
        PyErr_SetObject((PyObject *)Py_TYPE(s->raised), s->raised);
    else if (source_error(s))
        PyErr_Format(PyExc_OSError, "%s: %s", source_name(s), source_error(s));
    return source_error(s) != NULL;
}

const char *source_name(const source *s) { return s->path ? s->path : s->object ? "<file>" : "<bytes>"; }

void fault_keep(void *context, const tby_game_fault *fault)
{
    first_fault *first = context;
    if (!first->is_there)
        first->fault = *fault;
    first->is_there = true;
}
