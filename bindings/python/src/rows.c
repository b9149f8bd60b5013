/*
 * rows.c - rows: games, positions or moves of files and databases as a table, for analysis and training.
 *
 * Any program with Arrow's stream interface can take the rows without a Python loop and without a copy.
 */
#include "python.h"
#include "support/failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *Rows_type, *Counts_type;

typedef struct rows_object {
    PyObject_HEAD row_stream *stream; /* NULL: closed, or owned by an Arrow stream */
    bool is_busy, is_over;
} rows_object;

static bool take(rows_object *r)
{
    return object_take(r->stream, &r->is_busy, "the rows were closed, or handed over as an Arrow stream");
}

/* ---- Making one ------------------------------------------------------------------------------------------------- */

static bool kind_read(tby_rows_kind *out, const char *kind)
{
    static const char *const words[] = {"games", "positions", "moves", NULL};
    const int word = word_read(words, kind, "rows must be \"games\", \"positions\" or \"moves\"");
    *out = word < 0 ? TBY_ROWS_GAMES : (tby_rows_kind)word;
    return word >= 0;
}

/* A sequence of names, joined by commas; or such a text. */
static PyObject *columns_text(PyObject *columns)
{
    if (PyUnicode_Check(columns))
        return Py_NewRef(columns);
    PyObject *comma = PyUnicode_FromString(","), *text = comma ? PyUnicode_Join(comma, columns) : NULL;
    Py_XDECREF(comma);
    return text;
}

/* Is it the path of a database? */
static bool is_database_path(PyObject *from)
{
    PyObject *path = NULL;
    if (PyObject_CheckBuffer(from) || PyObject_HasAttrString(from, "read"))
        return false;
    if (!PyUnicode_FSConverter(from, &path)) {
        PyErr_Clear();
        return false;
    }
    const bool answer = tby_db_is_server(PyBytes_AsString(path)) || tby_db_is_file(PyBytes_AsString(path));
    Py_DECREF(path);
    return answer;
}

/* A Database, or a list of files. */
static PyObject *inputs_of(PyObject *from)
{
    if (PyObject_TypeCheck(from, Database_type))
        return Py_NewRef(from);
    if (PyList_Check(from) || PyTuple_Check(from))
        return PySequence_List(from);
    if (is_database_path(from))
        return PyObject_CallFunctionObjArgs((PyObject *)Database_type, from, NULL);
    return Py_BuildValue("[O]", from);
}

static PyObject *make(const row_stream_options *o)
{
    rows_object *made = (rows_object *)PyType_GenericAlloc(Rows_type, 0);
    if (made && !(made->stream = row_stream_new(o)))
        Py_CLEAR(made);
    return (PyObject *)made;
}

static PyObject *rows_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "kind",     "columns",  "query",  "every", "skip_plies",
                            "quiet",  "complete", "notation", "errors", NULL};
    PyObject *from, *columns = Py_None;
    const char *kind = "games", *errors = "raise";
    unsigned every = 0, skip = 0;
    int is_quiet = 0, is_complete = 0;
    row_stream_options o = {0};
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|sO$OIIppzs:rows", names, &from, &kind, &columns, &o.query,
                                     &every, &skip, &is_quiet, &is_complete, &o.notation, &errors) ||
        !kind_read(&o.rows.kind, kind) || !errors_read(&o.skips, errors))
        return NULL;
    o.rows.every = every;
    o.rows.skip_plies = skip;
    o.rows.quiet = is_quiet;
    o.rows.complete = is_complete;
    PyObject *text = columns == Py_None ? Py_NewRef(Py_None) : columns_text(columns), *made = NULL;
    o.rows.columns = text && text != Py_None ? PyUnicode_AsUTF8AndSize(text, NULL)
                                             : tby_rows_usual_columns(o.rows.kind);
    o.inputs = text && o.rows.columns ? inputs_of(from) : NULL;
    if (o.inputs)
        made = make(&o);
    Py_XDECREF(text);
    Py_XDECREF(o.inputs);
    return made;
}

static void rows_dealloc(PyObject *self)
{
    row_stream_free(((rows_object *)self)->stream);
    object_free(self);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static tby_table *table_of(const row_stream *s)
{
    size_t n;
    const tby_column *columns = row_stream_columns(s, &n);
    tby_table *table = tby_table_new(columns, n, NULL);
    if (!table)
        PyErr_NoMemory();
    return table;
}

static bool check(rows_object *r, int answer)
{
    if (answer == -ENOMEM)
        PyErr_SetString(PyExc_MemoryError, "no memory for these rows, or more than 2 GiB of text in one column: "
                                           "iterate over the rows, or write() them");
    else if (answer < 0)
        row_stream_raise(r->stream);
    r->is_over = answer <= 0;
    return answer >= 0;
}

/* All remaining rows, or the next piece. NULL at the end of the pieces, or with an exception set. */
static PyObject *read_table(rows_object *r, bool takes_all)
{
    size_t n;
    int answer = 1;
    if (!take(r))
        return NULL;
    tby_table *table = table_of(r->stream);
    if (table) {
        Py_BEGIN_ALLOW_THREADS;
        answer = r->is_over ? 0 : row_stream_next(r->stream, table);
        while (takes_all && answer > 0)
            answer = row_stream_next(r->stream, table);
        Py_END_ALLOW_THREADS;
    }
    r->is_busy = false;
    if (table && check(r, answer) && (takes_all || tby_table_n_rows(table) > 0)) {
        const tby_column *columns = row_stream_columns(r->stream, &n);
        return table_new(table, columns, n);
    }
    tby_table_free(table);
    return NULL;
}

METHOD(read_all, read_table((rows_object *)self, true));

static PyObject *to_pandas(PyObject *self, PyObject *none)
{
    PyObject *table = read_all(self, none), *frame = table ? python_call("_frames", "to_pandas", table) : NULL;
    Py_XDECREF(table);
    return frame;
}

METHOD(to_arrow, python_call("_frames", "to_arrow", self));

/* Closes files and database. */
static PyObject *leave(PyObject *self, PyObject *args)
{
    rows_object *r = (rows_object *)self;
    (void)args;
    if (r->is_busy)
        return error_raise_busy();
    row_stream_free(r->stream);
    r->stream = NULL;
    Py_RETURN_NONE;
}

static PyObject *rows_next(PyObject *self) { return read_table((rows_object *)self, false); }

/* ---- Arrow ------------------------------------------------------------------------------------------------------ */

static tby_status arrow_next(void *context, tby_table *table, tby_failure *failure)
{
    const int answer = row_stream_next(context, table);
    if (answer == -ENOMEM)
        failure_no_memory(failure);
    else if (answer < 0)
        failure_keep(failure, TBY_IO_ERROR, "%s", row_stream_error(context));
    return failure->status;
}

static void arrow_release(void *context)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    row_stream_free(context);
    PyGILState_Release(state);
}

static void capsule_free(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream->release)
        stream->release(stream);
    free(stream);
}

PyObject *arrow_capsule(const tby_column *columns, size_t n_columns, const tby_table_source *from)
{
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    PyObject *capsule = stream ? PyCapsule_New(stream, "arrow_array_stream", capsule_free) : NULL;
    if (!capsule) {
        free(stream);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    if (tby_arrow_stream(stream, columns, n_columns, from, NULL))
        return capsule;
    Py_DECREF(capsule);
    return PyErr_NoMemory();
}

static PyObject *arrow_stream(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"requested_schema", NULL};
    rows_object *r = (rows_object *)self;
    PyObject *schema = NULL;
    size_t n;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:__arrow_c_stream__", names, &schema) || !take(r))
        return NULL;
    r->is_busy = false;
    const tby_column *columns = row_stream_columns(r->stream, &n);
    PyObject *capsule = arrow_capsule(columns, n, &(tby_table_source){arrow_next, arrow_release, r->stream});
    if (capsule)
        r->stream = NULL;
    return capsule;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool file_sink(void *file, const char *s, size_t n) { return fwrite(s, 1, n, file) == n; }

static int write_pieces(rows_object *r, tby_table *table, tby_table_piece *piece, tby_table_writer *writer)
{
    size_t n;
    int answer;
    row_stream_columns(r->stream, &n);
    errno = 0;
    if (!tby_table_writer_begin(writer))
        return errno ? -errno : -ENOMEM;
    while ((answer = row_stream_next(r->stream, table)) > 0) {
        if (!tby_table_encode(piece, table, n))
            return -ENOMEM;
        if (!tby_table_writer_add(writer, piece))
            return errno ? -errno : -ENOMEM;
        tby_table_cut(table, 0);
    }
    if (answer == 0 && !tby_table_writer_end(writer, NULL))
        return errno ? -errno : -ENOMEM;
    return answer;
}

/* 0, or a negative errno; `*is_of_rows` if reading failed, not writing. */
static int write_file(rows_object *r, const char *path, const tby_table_format *format)
{
    size_t n;
    const tby_column *columns = row_stream_columns(r->stream, &n);
    FILE *file = fopen(path, "wb");
    if (!file)
        return -errno;
    tby_table *table = tby_table_new(columns, n, NULL);
    tby_table_piece *piece = tby_table_piece_new(format, NULL);
    tby_table_writer *writer = tby_table_writer_new(format, columns, n, file_sink, file, NULL);
    int answer = table && piece && writer ? write_pieces(r, table, piece, writer) : -ENOMEM;
    tby_table_writer_free(writer);
    tby_table_piece_free(piece);
    tby_table_free(table);
    if (fclose(file) != 0 && answer >= 0)
        answer = -errno;
    return answer;
}

static const tby_table_format *format_of(rows_object *r, const char *path, const char *name)
{
    size_t n;
    tby_error err = {.status = TBY_OK};
    const tby_table_format *format = name ? tby_table_format_find(name, strlen(name))
                                          : tby_table_format_guess(path, strlen(path));
    if (!format)
        return PyErr_Format(PyExc_ValueError, "no format has the name or extension \"%s\"", name ? name : path), NULL;
    const tby_column *columns = row_stream_columns(r->stream, &n);
    if (tby_table_format_check(format, columns, n, &err) != TBY_OK)
        return PyErr_Format(PyExc_ValueError, "%s: %s", format->name, err.detail), NULL;
    return format;
}

static PyObject *get_counts(PyObject *self, void *closure)
{
    rows_object *r = (rows_object *)self;
    (void)closure;
    if (!take(r))
        return NULL;
    r->is_busy = false;
    const tby_rows_counts c = row_stream_counts(r->stream);
    PyObject *const values[] = {PyLong_FromUnsignedLongLong(c.games), PyLong_FromUnsignedLongLong(c.bad),
                                PyLong_FromUnsignedLongLong(c.plies), PyLong_FromUnsignedLongLong(c.rows),
                                PyLong_FromUnsignedLongLong(c.left_out)};
    return tuple_new(Counts_type, 5, values);
}

static PyObject *write_rows(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path", "format", NULL};
    rows_object *r = (rows_object *)self;
    PyObject *path = NULL;
    const char *name = NULL;
    int answer = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|z:write", names, PyUnicode_FSConverter, &path, &name))
        return NULL;
    const tby_table_format *format = take(r) ? format_of(r, PyBytes_AsString(path), name) : NULL;
    if (format) {
        Py_BEGIN_ALLOW_THREADS;
        answer = write_file(r, PyBytes_AsString(path), format);
        Py_END_ALLOW_THREADS;
    }
    r->is_busy = false;
    if (format && *row_stream_error(r->stream)) {
        row_stream_raise(r->stream);
    } else if (answer == -ENOMEM) {
        PyErr_NoMemory();
    } else if (answer < 0) {
        errno = -answer;
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    }
    Py_DECREF(path);
    return !format || PyErr_Occurred() ? NULL : get_counts(self, NULL);
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyObject *get_columns(PyObject *self, void *closure)
{
    rows_object *r = (rows_object *)self;
    size_t n;
    (void)closure;
    if (!take(r))
        return NULL;
    r->is_busy = false;
    const tby_column *columns = row_stream_columns(r->stream, &n);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        list_put(&list, (Py_ssize_t)i, PyUnicode_FromString(columns[i].name));
    return list;
}

bool rows_begin(PyObject *module)
{
    static PyGetSetDef attributes[] = {
        {"columns", get_columns, NULL, "their names", NULL},
        {"counts", get_counts, NULL, "games, bad ones, plies, rows and rows left out, so far", NULL},
        {0},
    };
    static PyMethodDef methods[] = {
        {"read", read_all, METH_NOARGS, "read() - all rows that are left, as a Table"},
        {"to_pandas", to_pandas, METH_NOARGS, "to_pandas() - all rows that are left, as a DataFrame"},
        {"to_arrow", to_arrow, METH_NOARGS, "to_arrow() - all rows that are left, as a table of pyarrow"},
        {"__enter__", object_enter, METH_NOARGS, "the rows themselves"},
        {"__exit__", leave, METH_VARARGS, "closes them"},
        {"write", KEYWORDS(write_rows), METH_VARARGS | METH_KEYWORDS,
         "write(path, format=None) - a file in csv, spreadsheet, tsv, html, jsonl, parquet or nnue; the counts"},
        {"__arrow_c_stream__", KEYWORDS(arrow_stream), METH_VARARGS | METH_KEYWORDS,
         "exports the rows through Arrow's stream interface; works once"},
        {0},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "rows(source, kind=\"games\", columns=None, *, query=None, every=0, skip_plies=0, quiet=False, "
         "complete=False, "
         "notation=None, errors=\"raise\") - a row for each game, position or move. Iterating yields Tables."},
        {Py_tp_new, rows_make},
        {Py_tp_dealloc, rows_dealloc},
        {Py_tp_getset, attributes},
        {Py_tp_methods, methods},
        {Py_tp_iter, object_itself},
        {Py_tp_iternext, rows_next},
        {0},
    };
    static PyStructSequence_Field fields[] = {
        {"games", "that were read"}, {"bad", "of these, with a fault"},        {"plies", "of the good ones"},
        {"rows", "that were made"},  {"left_out", "rows left out by filters"}, {NULL, NULL}};
    Rows_type = type_add(module, "tabiya.rows", sizeof(rows_object), slots);
    Counts_type = tuple_type_add(module, "tabiya.Counts", "How many games and rows there were.", fields);
    return Rows_type && Counts_type;
}
