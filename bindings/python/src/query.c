/*
 * query.c - Query: a text of the query language, checked against games.
 */
#include "python.h"

typedef struct query_object {
    PyObject_HEAD PyObject *text; /* as the library writes it */
    PyObject *given;              /* as it was given: the text may be longer, even too long to be read */
    asking asked;                 /* its state and batch are made when the first game is checked */
} query_object;

static PyObject *text_of(PyObject *self) { return ((query_object *)self)->text; }

static tby_query *read_text(PyObject *text)
{
    Py_ssize_t n;
    tby_query_error err;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    tby_query *query = s ? tby_query_new(s, (size_t)n, NULL, NULL, &err) : NULL;
    if (s && !query)
        error_raise_query(&err, s, (size_t)n);
    return query;
}

bool query_read(tby_query **out, PyObject *query)
{
    *out = NULL;
    if (!query || query == Py_None)
        return true;
    if (PyObject_TypeCheck(query, Query_type))
        *out = read_text(((query_object *)query)->given);
    else if (PyUnicode_Check(query))
        *out = read_text(query);
    else
        PyErr_SetString(PyExc_TypeError, "a query must be text or a Query");
    return *out;
}

/* ---- Checking games --------------------------------------------------------------------------------------------- */

/* Makes what is missing. */
static bool asking_prepare(asking *a)
{
    if (a->state && a->batch)
        return true;
    if (tby_query_needs(a->query) & TBY_QUERY_NEEDS_ID)
        return PyErr_Format(QueryError_class, "\"id\" and \"collection\" are about the games of a database");
    a->state = a->state ? a->state : tby_query_state_new(a->query, NULL);
    a->batch = a->batch ? a->batch : tby_batch_new();
    return (a->state && a->batch) || PyErr_NoMemory();
}

bool asking_begin(asking *a, PyObject *query)
{
    *a = (asking){0};
    if (!query_read(&a->query, query))
        return false;
    if (!a->query || asking_prepare(a))
        return true;
    asking_end(a);
    return false;
}

void asking_end(asking *a)
{
    tby_query_state_free(a->state);
    tby_batch_free(a->batch);
    tby_query_free(a->query);
    *a = (asking){0};
}

/* Makes the row of the game; TBY_TOO_LONG or TBY_NO_MEMORY. */
static tby_status asking_row(asking *a, const tby_game *game, tby_query_game *out, tby_row *row)
{
    tby_batch_clear(a->batch);
    const tby_status status = tby_batch_add(a->batch, game);
    if (status == TBY_OK) {
        *row = tby_batch_row(a->batch, 0);
        *out = tby_query_game_of_row(row, 0);
    }
    return status;
}

int asking_first(asking *a, const tby_game *game)
{
    tby_query_game asked;
    tby_row row;
    if (!a->query)
        return 1;
    const tby_status status = asking_row(a, game, &asked, &row);
    if (status != TBY_OK)
        return status == TBY_TOO_LONG ? -10 : TBY_QUERY_NO_MEMORY;
    const int ply = tby_query_first(a->state, &asked);
    return ply < TBY_QUERY_NONE ? ply : ply >= 0;
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyObject *query_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"text", NULL};
    PyObject *text;
    buffer written = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "U:Query", names, &text))
        return NULL;
    tby_query *query = read_text(text);
    query_object *made = query ? (query_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (made) {
        const size_t n = tby_query_write(NULL, 0, query);
        if (buffer_reserve(&written, n + 1))
            written.n = tby_query_write(written.s, n + 1, query);
        made->given = Py_NewRef(text);
        made->asked.query = query;
        if (!(made->text = text_end(&written)))
            Py_CLEAR(made);
    } else {
        tby_query_free(query);
    }
    return (PyObject *)made;
}

static void query_dealloc(PyObject *self)
{
    Py_XDECREF(text_of(self));
    Py_XDECREF(((query_object *)self)->given);
    asking_end(&((query_object *)self)->asked);
    object_free(self);
}

/* Makes the row of a Game; NULL with an exception set. Nothing else uses the query meanwhile: the lock is kept. */
static asking *ask_about(PyObject *self, PyObject *game, tby_query_game *out, tby_row *row)
{
    asking *a = &((query_object *)self)->asked;
    if (!PyObject_TypeCheck(game, Game_type)) {
        PyErr_SetString(PyExc_TypeError, "a query needs a Game");
        return NULL;
    }
    if (!asking_prepare(a))
        return NULL;
    const tby_error err = {.status = asking_row(a, ((game_object *)game)->game, out, row)};
    if (err.status == TBY_OK)
        return a;
    error_raise_plain(&err);
    return NULL;
}

static PyObject *plies(PyObject *self, PyObject *game)
{
    tby_query_game asked;
    tby_row row;
    const uint32_t *found = NULL;
    asking *a = ask_about(self, game, &asked, &row);
    if (!a)
        return NULL;
    const int n = tby_query_plies(a->state, &asked, &found);
    buffer copy = {0}; /* a new list may run finalizers, which may use this query */
    if (n > 0)
        buffer_add(&copy, found, (size_t)n * sizeof *found);
    PyObject *list = n < 0 || copy.has_failed ? PyErr_NoMemory() : PyList_New(n);
    for (int i = 0; list && i < n; i++)
        list_put(&list, i, PyLong_FromUnsignedLong(((const uint32_t *)(const void *)copy.s)[i]));
    buffer_free(&copy);
    return list;
}

/* Does it hold, and from which ply on? False with an exception set. */
static bool find_first(PyObject *self, PyObject *game, int *ply)
{
    tby_query_game asked;
    tby_row row;
    asking *a = ask_about(self, game, &asked, &row);
    *ply = a ? tby_query_first(a->state, &asked) : TBY_QUERY_NONE;
    return a && (*ply >= TBY_QUERY_NONE || PyErr_NoMemory());
}

static PyObject *first(PyObject *self, PyObject *game)
{
    int ply;
    if (!find_first(self, game, &ply))
        return NULL;
    return ply < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(ply);
}

static PyObject *matches(PyObject *self, PyObject *game)
{
    int ply;
    return find_first(self, game, &ply) ? PyBool_FromLong(ply >= 0) : NULL;
}

/* How many characters the first n bytes are. */
static Py_ssize_t characters(const char *s, size_t n)
{
    Py_ssize_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

static PyObject *piece(tby_text text)
{
    return PyUnicode_DecodeUTF8(text.s ? text.s : "", (Py_ssize_t)text.n, "replace");
}

static PyObject *conditions(PyObject *self, PyObject *unused)
{
    const query_object *q = (query_object *)self;
    tby_query_condition c;
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(q->given, &n);
    PyObject *list = s ? PyList_New(0) : NULL;
    for (size_t i = 0; list && tby_query_condition_at(q->asked.query, s, (size_t)n, i, &c); i++) {
        const Py_ssize_t begin = characters(s, c.offset);
        list_append(&list, tuple_new(Condition_type, 5, PyLong_FromSsize_t(begin),
                                     PyLong_FromSsize_t(begin + characters(s + c.offset, c.length)), piece(c.word),
                                     piece(c.value), piece(c.name)));
    }
    return list;
}

static PyObject *query_str(PyObject *self) { return Py_NewRef(text_of(self)); }
static PyObject *query_repr(PyObject *self) { return PyUnicode_FromFormat("Query(%R)", text_of(self)); }
static Py_hash_t query_hash(PyObject *self) { return PyObject_Hash(text_of(self)); }

METHOD(query_reduce, Py_BuildValue("(O(O))", (PyObject *)Query_type, ((query_object *)self)->given));

/* Queries with the same text are equal. */
static PyObject *query_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Query_type))
        Py_RETURN_NOTIMPLEMENTED;
    return PyObject_RichCompare(text_of(a), text_of(b), how);
}

static PyMethodDef methods[] = {
    {"__reduce__", query_reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nfor pickle and copy"},
    {"matches", matches, METH_O, "matches($self, game, /)\n--\n\ndoes it hold somewhere in the game?"},
    {"first", first, METH_O, "first($self, game, /)\n--\n\nthe first ply at which it holds, or None"},
    {"conditions", conditions, METH_NOARGS,
     "conditions($self, /)\n--\n\nthe conditions that must all hold, with their places in the text"},
    {"plies", plies, METH_O, "plies($self, game, /)\n--\n\nall plies at which it holds"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Query(text)\n--\n\nA query about games, such as \"player carlsen greek-gift\"."},
    {Py_tp_new, query_make},
    {Py_tp_dealloc, query_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_str, query_str},
    {Py_tp_repr, query_repr},
    {Py_tp_richcompare, query_compare},
    {Py_tp_hash, query_hash},
    {0},
};
PyType_Spec Query_spec = {"tabiya.Query", sizeof(query_object), 0, TYPE_MADE, slots};
