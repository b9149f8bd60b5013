/*
 * rows.c - rows: games, positions or moves of files and databases as a table, for analysis and training.
 *
 * The inputs are opened one after the other. For a database the search runs first, so that only the game numbers are in
 * memory; the database is opened again, so that any thread may read: see rows_read.c. Any program with Arrow's stream
 * interface can take the rows without a Python loop and without a copy.
 */
#include "rows.h"
#include "new_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ------------------------------------------------------------------------------------------------------- */

/* Closes files and database; called once. */
static void rows_close(rows_object *r)
{
    r->is_open = false;
    rows_end(r);
    tby_rows_free(r->rows);
    Py_XDECREF(r->inputs);
    Py_XDECREF(r->raised);
    free(r->notation);
}

static void rows_dealloc(PyObject *self)
{
    if (((rows_object *)self)->is_open)
        rows_close((rows_object *)self);
    object_free(self);
}

static bool take(rows_object *r)
{
    return object_take(r->is_open, &r->is_busy, "the rows were closed, or handed over as an Arrow stream");
}

/* False, with an exception set, if they are closed or busy. */
static bool is_free(rows_object *r)
{
    if (!take(r))
        return false;
    r->is_busy = false;
    return true;
}

static PyObject *leave(PyObject *self, PyObject *args)
{
    rows_object *r = (rows_object *)self;
    if (r->is_busy)
        return error_raise_busy();
    if (r->is_open)
        rows_close(r);
    Py_RETURN_NONE;
}

/* ---- Making one ------------------------------------------------------------------------------------------------- */

/* Is it the path of a database? */
static bool is_database_path(PyObject *from)
{
    PyObject *path = NULL;
    if (!PyObject_CheckBuffer(from) && !PyObject_HasAttrString(from, "read") && !PyUnicode_FSConverter(from, &path))
        PyErr_Clear();
    const bool answer = path && (tby_db_is_server(PyBytes_AsString(path)) || tby_db_is_file(PyBytes_AsString(path)));
    Py_XDECREF(path);
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

/* `name` begins with the column's name. PyErr_Format knows no "%.*s". */
static PyObject *raise_column(const char *name, const char *why)
{
    PyObject *column = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strcspn(name, ","), "replace");
    if (column)
        PyErr_Format(PyExc_ValueError, "column \"%U\": %s", column, why ? why : "not known");
    Py_XDECREF(column);
    return NULL;
}

static bool begin(rows_object *r, const tby_rows_options *options, PyObject *from, PyObject *query,
                  const char *notation)
{
    tby_error err = {.status = TBY_OK};
    r->inputs = inputs_of(from);
    if (!r->inputs)
        return false;
    r->rows = tby_rows_new(options, NULL, &err);
    if (!r->rows)
        return err.status == TBY_NO_MEMORY ? PyErr_NoMemory() : raise_column(options->columns + err.offset, err.detail);
    r->columns = tby_rows_columns(r->rows, &r->n_columns);
    r->notation = notation ? strdup(notation) : NULL;
    if (notation && !r->notation)
        return PyErr_NoMemory();
    if (!PyObject_TypeCheck(r->inputs, Database_type))
        return rows_begin(r, query);
    const bool is_found = rows_begin_database(r, (const database_object *)r->inputs, query);
    Py_CLEAR(r->inputs);
    return is_found;
}

static PyObject *rows_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "kind",     "columns",  "query",  "every", "skip_plies",
                            "quiet",  "complete", "notation", "errors", NULL};
    static const char *const kinds[] = {"games", "positions", "moves", NULL};
    PyObject *from, *columns = Py_None, *query = NULL;
    const char *kind = "games", *notation = NULL, *errors = "raise";
    int is_quiet = 0, is_complete = 0;
    tby_rows_options o = {0};
    bool skips;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|sO$OIIppzs:rows", names, &from, &kind, &columns, &query,
                                     &o.every, &o.skip_plies, &is_quiet, &is_complete, &notation, &errors))
        return NULL;
    const int word = word_read(kinds, kind, "rows must be \"games\", \"positions\" or \"moves\"");
    if (word < 0 || !errors_read(&skips, errors))
        return NULL;
    o.kind = (tby_rows_kind)word;
    o.quiet = is_quiet;
    o.complete = is_complete;
    PyObject *comma = PyUnicode_FromString(",");
    PyObject *text = columns == Py_None         ? PyUnicode_FromString(tby_rows_usual_columns(o.kind))
                     : PyUnicode_Check(columns) ? Py_NewRef(columns)
                     : comma                    ? PyUnicode_Join(comma, columns)
                                                : NULL;
    o.columns = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    rows_object *made = o.columns ? (rows_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (made) {
        made->is_open = true;
        made->skips = skips;
        if (!begin(made, &o, from, query, notation))
            Py_CLEAR(made);
    }
    Py_XDECREF(text);
    Py_XDECREF(comma);
    return (PyObject *)made;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* All remaining rows, or the next piece. NULL at the end of the pieces, or with an exception set. */
static PyObject *read_table(rows_object *r, bool takes_all)
{
    tby_failure failure = {.status = TBY_OK};
    if (!take(r))
        return NULL;
    tby_table *table = tby_table_new(r->columns, r->n_columns, NULL);
    if (table) {
        Py_BEGIN_ALLOW_THREADS;
        do
            rows_read_some(r, table, &failure);
        while (takes_all && !r->is_over);
        Py_END_ALLOW_THREADS;
    }
    r->is_busy = false;
    if (table && failure.status == TBY_OK && (takes_all || tby_table_n_rows(table) > 0))
        return table_new(table, r->columns, r->n_columns);
    if (!table || failure.status == TBY_NO_MEMORY)
        PyErr_SetString(PyExc_MemoryError, "no memory for these rows, or more than 2 GiB of text in one column: "
                                           "iterate over the rows, or write() them");
    else if (failure.status != TBY_OK)
        error_raise_again(r->raised);
    tby_table_free(table);
    return NULL;
}

METHOD(read_all, read_table((rows_object *)self, true));

static PyObject *rows_next(PyObject *self) { return read_table((rows_object *)self, false); }

METHOD(to_pandas, python_call("tabiya._frames", "to_pandas", self));
METHOD(to_arrow, python_call("tabiya._frames", "to_arrow", self));
METHOD(bitboards, python_call("tabiya._arrays", "bitboards_of_rows", self));
METHOD(planes, python_call("tabiya._arrays", "planes_of_rows", self));

/* ---- Arrow ------------------------------------------------------------------------------------------------------ */

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
    if (!capsule)
        free(stream);
    else if (tby_arrow_stream(stream, columns, n_columns, from, NULL))
        Py_INCREF((PyObject *)from->context);
    else
        Py_CLEAR(capsule);
    return capsule ? capsule : PyErr_NoMemory();
}

static void arrow_release(void *context)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    rows_close(context);
    Py_DECREF((PyObject *)context);
    PyGILState_Release(state);
}

static PyObject *arrow_stream(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"requested_schema", NULL};
    rows_object *r = (rows_object *)self;
    PyObject *schema = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:__arrow_c_stream__", names, &schema) || !is_free(r))
        return NULL;
    PyObject *capsule = arrow_capsule(r->columns, r->n_columns, &(tby_table_source){rows_read_some, arrow_release, r});
    r->is_open = !capsule;
    return capsule;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static bool file_sink(void *file, const char *s, size_t n) { return fwrite(s, 1, n, file) == n; }

static bool write_pieces(rows_object *r, tby_table *table, tby_table_piece *piece, tby_table_writer *writer)
{
    tby_failure failure = {.status = TBY_OK};
    bool is_good = tby_table_writer_begin(writer);
    while (is_good && rows_read_some(r, table, &failure) == TBY_OK && tby_table_n_rows(table) > 0) {
        is_good = tby_table_encode(piece, table, r->n_columns) && tby_table_writer_add(writer, piece);
        tby_table_cut(table, 0);
    }
    return is_good && failure.status == TBY_OK && tby_table_writer_end(writer, NULL);
}

/* 0 or an errno, which counts only if reading did not fail. */
static int write_file(rows_object *r, const char *path, const tby_table_format *format)
{
    new_file file;
    int number = new_file_open(&file, path);
    if (number)
        return number;
    tby_table *table = tby_table_new(r->columns, r->n_columns, NULL);
    tby_table_piece *piece = tby_table_piece_new(format, NULL);
    tby_table_writer *writer = tby_table_writer_new(format, r->columns, r->n_columns, file_sink, file.file, NULL);
    const bool is_written = table && piece && writer && write_pieces(r, table, piece, writer);
    number = is_written ? 0 : ferror(file.file) ? errno : ENOMEM;
    tby_table_writer_free(writer);
    tby_table_piece_free(piece);
    tby_table_free(table);
    const int closed = new_file_close(&file, is_written);
    return number ? number : closed;
}

static const tby_table_format *format_of(rows_object *r, const char *path, const char *name)
{
    tby_error err = {.status = TBY_OK};
    const tby_table_format *format = name ? tby_table_format_find(name, strlen(name))
                                          : tby_table_format_guess(path, strlen(path));
    if (!format)
        return PyErr_Format(PyExc_ValueError, "no format has the name or extension \"%s\"", name ? name : path), NULL;
    if (tby_table_format_check(format, r->columns, r->n_columns, &err) != TBY_OK)
        return PyErr_Format(PyExc_ValueError, "%s: %s", format->name, err.detail), NULL;
    return format;
}

static PyObject *counts_new(const rows_object *r)
{
    const tby_rows_counts c = rows_count(r);
    return tuple_new(Counts_type, 5, number_new(c.games), number_new(c.bad), number_new(c.plies), number_new(c.rows),
                     number_new(c.left_out));
}

static PyObject *write_rows(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path", "format", NULL};
    rows_object *r = (rows_object *)self;
    PyObject *path = NULL, *answer = NULL;
    const char *name = NULL;
    int number = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|z:write", names, PyUnicode_FSConverter, &path, &name))
        return NULL;
    if (!take(r)) {
        Py_DECREF(path);
        return NULL;
    }
    const tby_table_format *format = format_of(r, PyBytes_AsString(path), name);
    if (format) {
        Py_BEGIN_ALLOW_THREADS;
        number = write_file(r, PyBytes_AsString(path), format);
        Py_END_ALLOW_THREADS;
        errno = number;
        answer = r->raised          ? error_raise_again(r->raised)
                 : number == ENOMEM ? PyErr_NoMemory()
                 : number           ? PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path)
                                    : counts_new(r);
    }
    r->is_busy = false;
    Py_DECREF(path);
    return answer;
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

GETTER(get_counts, is_free((rows_object *)self) ? counts_new((rows_object *)self) : NULL);

static PyObject *get_columns(PyObject *self, void *closure)
{
    rows_object *r = (rows_object *)self;
    PyObject *list = is_free(r) ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < r->n_columns; i++)
        list_append(&list, PyUnicode_FromString(r->columns[i].name));
    return list;
}

static PyGetSetDef attributes[] = {
    {"columns", get_columns, NULL, "their names", NULL},
    {"counts", get_counts, NULL, "games, bad ones, plies, rows and rows left out, so far", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"read", read_all, METH_NOARGS, "read($self, /)\n--\n\nall rows that are left, as a Table"},
    {"bitboards", bitboards, METH_NOARGS, "bitboards($self, /)\n--\n\nread().bitboards()"},
    {"planes", planes, METH_NOARGS, "planes($self, /)\n--\n\nread().planes()"},
    {"to_pandas", to_pandas, METH_NOARGS, "to_pandas($self, /)\n--\n\nall rows that are left, as a DataFrame"},
    {"to_arrow", to_arrow, METH_NOARGS, "to_arrow($self, /)\n--\n\nall rows that are left, as a table of pyarrow"},
    {"__enter__", object_enter, METH_NOARGS, "__enter__($self, /)\n--\n\nthe rows themselves"},
    {"__exit__", leave, METH_VARARGS, "__exit__($self, /, *exception)\n--\n\ncloses them"},
    {"write", KEYWORDS(write_rows), METH_VARARGS | METH_KEYWORDS,
     "write($self, /, path, format=None)\n--\n\na file in csv, spreadsheet, tsv, html, jsonl, "
     "parquet or nnue; the counts"},
    {"__arrow_c_stream__", KEYWORDS(arrow_stream), METH_VARARGS | METH_KEYWORDS,
     "__arrow_c_stream__($self, /, requested_schema=None)\n--\n\nexports the rows through Arrow's "
     "stream interface; works once"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "rows(source, kind=\"games\", columns=None, *, query=None, every=0, skip_plies=0, quiet=False, "
                "complete=False, notation=None, errors=\"raise\")\n--\n\nA row for each game, position or move. "
                "Iterating yields Tables."},
    {Py_tp_new, rows_make},
    {Py_tp_dealloc, rows_dealloc},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, rows_next},
    {0},
};
PyType_Spec Rows_spec = {"tabiya.rows", sizeof(rows_object), 0, TYPE_MADE, slots};
