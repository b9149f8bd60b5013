/*
 * query.c - Query: a text of the query language, checked against games.
 */
#include "python.h"

PyTypeObject *Query_type;

typedef struct query_object {
    PyObject_HEAD tby_query *query;
} query_object;

static tby_query *read_query(PyObject *text)
{
    Py_ssize_t n;
    tby_query_error err;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    tby_query *query = s ? tby_query_new(s, (size_t)n, NULL, NULL, &err) : NULL;
    if (s && !query)
        error_raise_query(&err, s, (size_t)n);
    return query;
}

tby_query *query_of(PyObject *query, bool *owned)
{
    *owned = false;
    if (!query || query == Py_None)
        return NULL;
    if (PyObject_TypeCheck(query, Query_type))
        return ((query_object *)query)->query;
    if (!PyUnicode_Check(query)) {
        PyErr_SetString(PyExc_TypeError, "a query must be text or a Query");
        return NULL;
    }
    *owned = true;
    return read_query(query);
}

/* ---- Checking games --------------------------------------------------------------------------------------------- */

/* Parses the query again, so that the copy lives as long as it is used. */
static tby_query *copy_query(PyObject *query)
{
    if (!PyObject_TypeCheck(query, Query_type)) {
        bool owned;
        return query_of(query, &owned);
    }
    PyObject *text = PyObject_Str(query);
    tby_query *copy = text ? read_query(text) : NULL;
    Py_XDECREF(text);
    return copy;
}

bool asking_begin(asking *a, PyObject *query)
{
    *a = (asking){0};
    if (!query || query == Py_None)
        return true;
    a->query = copy_query(query);
    if (!a->query)
        return false;
    if (tby_query_needs(a->query) & TBY_QUERY_NEEDS_ID) {
        asking_end(a);
        PyErr_SetString(QueryError_class, "\"id\" and \"collection\" are about the games of a database");
        return false;
    }
    a->state = tby_query_state_new(a->query, NULL);
    a->batch = tby_batch_new();
    if (a->state && a->batch)
        return true;
    asking_end(a);
    PyErr_NoMemory();
    return false;
}

void asking_end(asking *a)
{
    tby_query_state_free(a->state);
    tby_batch_free(a->batch);
    tby_query_free(a->query);
    *a = (asking){0};
}

tby_status asking_row(asking *a, const tby_game *game, tby_query_game *out, tby_row *row)
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
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "U:Query", names, &text))
        return NULL;
    tby_query *query = read_query(text);
    if (!query)
        return NULL;
    query_object *made = (query_object *)PyType_GenericAlloc(Query_type, 0);
    if (made)
        made->query = query;
    else
        tby_query_free(query);
    return (PyObject *)made;
}

static void query_dealloc(PyObject *self)
{
    tby_query_free(((query_object *)self)->query);
    object_free(self);
}

/* All plies of a game at which the query matches; NULL with an exception set. */
static PyObject *list_plies(asking *a, const tby_game *game)
{
    tby_query_game asked;
    tby_row row;
    const uint32_t *found = NULL;
    const tby_error too_long = {.status = TBY_TOO_LONG};
    const tby_status status = asking_row(a, game, &asked, &row);
    if (status == TBY_TOO_LONG)
        return error_raise_plain(&too_long);
    const int n = status == TBY_OK ? tby_query_plies(a->state, &asked, &found) : -1;
    if (n < 0)
        return PyErr_NoMemory();
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++)
        list_put(&list, i, PyLong_FromUnsignedLong(found[i]));
    return list;
}

static PyObject *plies(PyObject *self, PyObject *game)
{
    asking a;
    if (!PyObject_TypeCheck(game, Game_type)) {
        PyErr_SetString(PyExc_TypeError, "a query needs a Game");
        return NULL;
    }
    if (!asking_begin(&a, self))
        return NULL;
    PyObject *list = list_plies(&a, ((game_object *)game)->game);
    asking_end(&a);
    return list;
}

static PyObject *first(PyObject *self, PyObject *game)
{
    PyObject *list = plies(self, game), *answer = NULL;
    if (list)
        answer = Py_NewRef(PyList_Size(list) ? PyList_GetItem(list, 0) : Py_None);
    Py_XDECREF(list);
    return answer;
}

static PyObject *matches(PyObject *self, PyObject *game)
{
    PyObject *list = plies(self, game), *answer = list ? PyBool_FromLong(PyList_Size(list) > 0) : NULL;
    Py_XDECREF(list);
    return answer;
}

static PyObject *query_str(PyObject *self)
{
    const tby_query *query = ((query_object *)self)->query;
    buffer text = {0};
    const size_t n = tby_query_write(NULL, 0, query);
    if (buffer_reserve(&text, n + 1))
        text.n = tby_query_write(text.s, n + 1, query);
    return text_end(&text);
}

static PyObject *query_repr(PyObject *self)
{
    PyObject *text = query_str(self), *answer = text ? PyUnicode_FromFormat("Query(%R)", text) : NULL;
    Py_XDECREF(text);
    return answer;
}

static PyObject *query_reduce(PyObject *self, PyObject *none)
{
    PyObject *text = query_str(self), *answer = text ? Py_BuildValue("(O(O))", (PyObject *)Query_type, text) : NULL;
    (void)none;
    Py_XDECREF(text);
    return answer;
}

/* Queries with the same text are equal. */
static PyObject *query_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Query_type))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *one = query_str(a), *two = one ? query_str(b) : NULL;
    PyObject *answer = two ? PyObject_RichCompare(one, two, how) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(two);
    return answer;
}

static Py_hash_t query_hash(PyObject *self)
{
    PyObject *text = query_str(self);
    const Py_hash_t hash = text ? PyObject_Hash(text) : -1;
    Py_XDECREF(text);
    return hash;
}

static PyMethodDef methods[] = {
    {"__reduce__", query_reduce, METH_NOARGS, "for pickle and copy"},
    {"matches", matches, METH_O, "matches(game) - does it hold somewhere in the game?"},
    {"first", first, METH_O, "first(game) - the first ply at which it holds, or None"},
    {"plies", plies, METH_O, "plies(game) - all plies at which it holds"},
    {0},
};

bool query_begin(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Query(text) - a query about games, such as \"player carlsen greek-gift\"."},
        {Py_tp_new, query_make},
        {Py_tp_dealloc, query_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_str, query_str},
        {Py_tp_repr, query_repr},
        {Py_tp_richcompare, query_compare},
        {Py_tp_hash, query_hash},
        {0},
    };
    return (Query_type = type_add(module, "tabiya.Query", sizeof(query_object), slots)) != NULL;
}
