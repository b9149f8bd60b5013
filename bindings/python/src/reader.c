/*
 * reader.c - read_games: the games of a file, one after the other, in any notation of the library.
 */
#include "python.h"

typedef struct games_object {
    PyObject_HEAD source *source;
    tby_games *games;
    asking asking;
    bool skips, is_busy, is_over;
    first_fault fault; /* of the last game */
    uint64_t n_bad;
} games_object;

static void games_dealloc(PyObject *self)
{
    games_object *g = (games_object *)self;
    tby_games_free(g->games);
    source_free(g->source);
    asking_end(&g->asking);
    object_free(self);
}

/* The next matching game, or the next fault; needs no lock. */
static tby_game_read next_game(games_object *g, tby_game *game)
{
    for (;;) {
        g->fault.is_there = false;
        const tby_game_read read = tby_games_next(g->games, game, fault_keep, &g->fault);
        g->n_bad += read == TBY_GAME_BAD;
        if (read == TBY_GAME_BAD && g->skips && !source_has_failed(g->source))
            continue;
        if (read != TBY_GAME_GOOD)
            return read;
        const int answer = asking_first(&g->asking, game);
        if (answer == TBY_QUERY_NO_MEMORY)
            return TBY_GAME_NO_MEMORY;
        if (answer > 0)
            return TBY_GAME_GOOD;
    }
}

static PyObject *games_next(PyObject *self)
{
    games_object *g = (games_object *)self;
    tby_game_read read;
    if (g->is_busy)
        return error_raise_busy();
    PyObject *game = g->is_over ? NULL : game_new(tby_game_new(NULL));
    if (!game)
        return NULL;
    g->is_busy = true;
    Py_BEGIN_ALLOW_THREADS;
    read = next_game(g, ((game_object *)game)->game);
    Py_END_ALLOW_THREADS;
    g->is_busy = false;
    if (read == TBY_GAME_GOOD)
        return game;
    g->is_over = read == TBY_GAME_END || source_has_failed(g->source);
    if (source_raise(g->source) || read == TBY_GAME_END)
        ;
    else if (read == TBY_GAME_NO_MEMORY)
        PyErr_NoMemory();
    else
        error_raise_fault(&g->fault.fault, tby_games_where(g->games).n_games, source_name(g->source), game);
    Py_DECREF(game);
    return NULL;
}

/* ---- Making one ------------------------------------------------------------------------------------------------- */

static PyObject *games_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"source", "notation", "query", "errors", NULL};
    const char *name = NULL, *errors = "raise";
    PyObject *from, *query = NULL;
    const tby_game_notation *notation = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$zOs:read_games", names, &from, &name, &query, &errors))
        return NULL;
    games_object *g = (games_object *)PyType_GenericAlloc(type, 0);
    if (g && errors_read(&g->skips, errors) && asking_begin(&g->asking, query) && (g->source = source_new(from)))
        notation = source_notation(g->source, name);
    if (notation && !(g->games = notation->open(source_read, g->source, NULL)))
        PyErr_NoMemory();
    if (g && !g->games)
        Py_CLEAR(g);
    return (PyObject *)g;
}

GETTER(get_n_games, PyLong_FromUnsignedLongLong(tby_games_where(((games_object *)self)->games).n_games));
GETTER(get_n_bad, PyLong_FromUnsignedLongLong(((games_object *)self)->n_bad));

/* Stops reading and closes the file. The counts remain. */
static PyObject *leave(PyObject *self, PyObject *args)
{
    games_object *g = (games_object *)self;
    if (g->is_busy)
        return error_raise_busy();
    source_free(g->source);
    g->source = NULL;
    g->is_over = true;
    Py_RETURN_NONE;
}

static PyGetSetDef attributes[] = {
    {"n_games", get_n_games, NULL, "number of games read so far", NULL},
    {"n_bad", get_n_bad, NULL, "how many of them had a fault", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"__enter__", object_enter, METH_NOARGS, "__enter__($self, /)\n--\n\nthe reader itself"},
    {"__exit__", leave, METH_VARARGS, "__exit__($self, /, *exception)\n--\n\ncloses it"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_methods, methods},
    {Py_tp_doc, "read_games(source, *, notation=None, query=None, errors=\"raise\")\n--\n\nThe games of a path, "
                "of bytes or of a file object, one after the other. A game with a fault raises an Error, and "
                "reading can continue after it; errors=\"skip\" skips such games."},
    {Py_tp_new, games_make},
    {Py_tp_dealloc, games_dealloc},
    {Py_tp_getset, attributes},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, games_next},
    {0},
};
PyType_Spec Games_spec = {"tabiya.read_games", sizeof(games_object), 0, TYPE_MADE, slots};
