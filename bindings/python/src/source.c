/*
 * source.c - files, bytes and file objects as streams of bytes.
 *
 * Files may be compressed with gzip or zstd. A file object returns bytes or text; an exception of its read() is stored
 * and raised when the stream is used.
 */
#include "io/input.h"
#include "python.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct source {
    input *file;      /* one of these three */
    PyObject *object; /* with read() */
    Py_buffer view;   /* its obj is NULL if there is none */
    PyObject *path;   /* of the file: bytes */
    /* The object's last chunk and its unread part; or that of the view. */
    PyObject *chunk;
    const char *at;
    size_t n_left;
    PyObject *raised; /* an exception of the object */
};

/* ---- File objects ----------------------------------------------------------------------------------------------- */

static bool take_chunk(source *s)
{
    Py_ssize_t n = 0;
    char *bytes = NULL;
    Py_CLEAR(s->chunk);
    s->chunk = PyObject_CallMethod(s->object, "read", "i", 1 << 16);
    if (!s->chunk)
        return false;
    if (PyUnicode_Check(s->chunk))
        s->at = PyUnicode_AsUTF8AndSize(s->chunk, &n);
    else
        s->at = PyBytes_AsStringAndSize(s->chunk, &bytes, &n) < 0 ? NULL : bytes;
    s->n_left = s->at ? (size_t)n : 0;
    return s->at;
}

static bool take_chunk_with_lock(source *s)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    if (!take_chunk(s))
        s->raised = error_take();
    PyGILState_Release(state);
    return !s->raised;
}

/* ---- All sources ------------------------------------------------------------------------------------------------ */

size_t source_read(void *context, char *buf, size_t cap)
{
    source *s = context;
    if (s->file)
        return input_read(s->file, buf, cap);
    if (s->object && s->n_left == 0 && !take_chunk_with_lock(s))
        return TBY_SOURCE_FAILED;
    const size_t n = s->n_left < cap ? s->n_left : cap;
    if (n)
        memcpy(buf, s->at, n);
    s->at += n;
    s->n_left -= n;
    return n;
}

static bool open_path(source *s, PyObject *path)
{
    tby_failure failure;
    if (!PyUnicode_FSConverter(path, &s->path))
        return false;
    errno = 0;
    s->file = input_open_file(source_name(s), &failure);
    if (!s->file && errno)
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    else if (!s->file)
        PyErr_Format(PyExc_OSError, "%s: %s", source_name(s), failure.text);
    return s->file;
}

static bool open_any(source *s, PyObject *from)
{
    if (!PyObject_CheckBuffer(from) && !PyObject_HasAttrString(from, "read"))
        return open_path(s, from);
    if (!PyObject_CheckBuffer(from))
        s->object = Py_NewRef(from);
    else if (PyObject_GetBuffer(from, &s->view, PyBUF_SIMPLE) < 0)
        return false;
    s->at = s->view.buf;
    s->n_left = (size_t)s->view.len;
    return true;
}

source *source_new(PyObject *from)
{
    source *s = calloc(1, sizeof *s);
    if (!s)
        PyErr_NoMemory();
    if (s && open_any(s, from))
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
    PyBuffer_Release(&s->view);
    Py_XDECREF(s->object);
    Py_XDECREF(s->path);
    Py_XDECREF(s->chunk);
    Py_XDECREF(s->raised);
    free(s);
}

const tby_game_notation *source_notation(source *s, const char *name)
{
    tby_likeness likeness = TBY_UNLIKE;
    const tby_game_notation *found = name ? tby_game_notation_find(name, strlen(name)) : NULL;
    if (name && !found)
        PyErr_Format(PyExc_ValueError, "there is no notation of games called \"%s\"", name);
    if (name)
        return found;
    if (s->file)
        return input_notation(s->file, NULL);
    if (s->object && !take_chunk(s))
        return NULL;
    found = tby_game_notation_guess(NULL, 0, s->at, s->n_left, &likeness);
    return likeness >= TBY_LIKELY ? found : tby_game_notation_at(0);
}

bool source_has_failed(const source *s) { return s->raised || (s->file && input_failure(s->file)); }

bool source_raise(source *s)
{
    if (s->raised)
        error_raise_again(s->raised);
    else if (source_has_failed(s))
        PyErr_Format(PyExc_OSError, "%s: %s", source_name(s), input_failure(s->file)->text);
    return source_has_failed(s);
}

const char *source_name(const source *s)
{
    return s->path ? PyBytes_AsString(s->path) : s->object ? "<file>" : "<bytes>";
}

void fault_keep(void *context, const tby_game_fault *fault)
{
    first_fault *first = context;
    if (first->is_there || fault->error.status == TBY_OK)
        return;
    first->fault = *fault;
    first->is_there = true;
}
