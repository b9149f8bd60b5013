/*
 * copies.c - pickles and copies Position, Move, Game and Node: as arguments of functions that make them again.
 *
 * A position is pickled as its packed board, a move as its code and text, a game as a line of JSON, and a node as its
 * game and the path to it. Query is pickled as its text and needs nothing from here.
 */
#include "python.h"

#include <string.h>

static PyObject *made_by(const char *function, PyObject *arguments)
{
    PyObject *module = arguments ? PyImport_ImportModule("tabiya._tabiya") : NULL;
    PyObject *make = module ? PyObject_GetAttrString(module, function) : NULL;
    PyObject *answer = make ? PyTuple_Pack(2, make, arguments) : NULL;
    Py_XDECREF(make);
    Py_XDECREF(module);
    Py_XDECREF(arguments);
    return answer;
}

/* ---- Positions and moves ---------------------------------------------------------------------------------------- */

PyObject *position_reduce(PyObject *self, PyObject *none)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE];
    tby_setup setup;
    (void)none;
    tby_position_setup(&setup, &((position_object *)self)->pos);
    const Py_ssize_t n = (Py_ssize_t)tby_chessboard_encode(bytes, &setup);
    return made_by("_position", Py_BuildValue("(y#i)", (const char *)bytes, n, ((position_object *)self)->is_chess960));
}

PyObject *position_again(PyObject *module, PyObject *args)
{
    const char *bytes;
    Py_ssize_t n;
    int is_chess960;
    tby_setup setup;
    tby_position pos;
    tby_error err = {.status = TBY_INVALID_PACKED};
    (void)module;
    if (!PyArg_ParseTuple(args, "y#p:_position", &bytes, &n, &is_chess960))
        return NULL;
    if (!tby_chessboard_decode(&setup, (const uint8_t *)bytes, (size_t)n) ||
        tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        return error_raise_plain(&err);
    return position_new(&pos, is_chess960);
}

PyObject *move_reduce(PyObject *self, PyObject *none)
{
    const move_object *m = (const move_object *)self;
    (void)none;
    return made_by("_move", Py_BuildValue("(Hs)", m->move, m->uci));
}

PyObject *move_again(PyObject *module, PyObject *args)
{
    unsigned short code;
    const char *uci;
    (void)module;
    if (!PyArg_ParseTuple(args, "Hs:_move", &code, &uci))
        return NULL;
    if (strlen(uci) >= TBY_UCI_SIZE)
        return PyErr_Format(PyExc_ValueError, "\"%s\" is not a move in UCI", uci);
    move_object *made = (move_object *)PyType_GenericAlloc(Move_type, 0);
    if (made) {
        made->move = code;
        strcpy(made->uci, uci);
    }
    return (PyObject *)made;
}

/* ---- Games and nodes -------------------------------------------------------------------------------------------- */

PyObject *game_reduce(PyObject *self, PyObject *none)
{
    buffer text = {0};
    (void)none;
    if (!tby_json_write(((game_object *)self)->game, buffer_sink, &text))
        text.has_failed = true;
    PyObject *line = text_end_bytes(&text);
    return line ? made_by("_game", Py_BuildValue("(N)", line)) : NULL;
}

PyObject *game_again(PyObject *module, PyObject *args)
{
    const char *s;
    Py_ssize_t n;
    tby_error err = {.status = TBY_OK};
    (void)module;
    if (!PyArg_ParseTuple(args, "y#:_game", &s, &n))
        return NULL;
    tby_game *game = tby_game_new(NULL);
    if (!game || tby_game_notation_find("json", 4)->read(game, s, (size_t)n, &err) == TBY_OK)
        return game_new(game);
    tby_game_free(game);
    return error_raise_plain(&err);
}

/* The node's index among its siblings. */
static long place_of(const tby_game *game, tby_node node)
{
    long place = 0;
    for (tby_node other = tby_game_child(game, tby_game_parent(game, node)); other != node;
         other = tby_game_sibling(game, other))
        place++;
    return place;
}

PyObject *node_reduce(PyObject *self, PyObject *none)
{
    const tby_game *game = ((node_object *)self)->game->game;
    PyObject *path = PyList_New(0);
    (void)none;
    for (tby_node node = ((node_object *)self)->node; path && node != TBY_ROOT; node = tby_game_parent(game, node)) {
        PyObject *place = PyLong_FromLong(place_of(game, node));
        if (!place || PyList_Append(path, place) < 0)
            Py_CLEAR(path);
        Py_XDECREF(place);
    }
    if (!path || PyList_Reverse(path) < 0) {
        Py_XDECREF(path);
        return NULL;
    }
    return made_by("_node", Py_BuildValue("(ON)", (PyObject *)((node_object *)self)->game, path));
}

static tby_node child_at(const tby_game *game, tby_node node, long place)
{
    tby_node child = place < 0 ? TBY_NO_NODE : tby_game_child(game, node);
    for (; child != TBY_NO_NODE && place > 0; place--)
        child = tby_game_sibling(game, child);
    return child;
}

PyObject *node_again(PyObject *module, PyObject *args)
{
    PyObject *game, *path;
    tby_node node = TBY_ROOT;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!:_node", Game_type, &game, &PyList_Type, &path))
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_Size(path); i++) {
        const long place = PyLong_AsLong(PyList_GetItem(path, i));
        if (PyErr_Occurred())
            return NULL;
        node = child_at(((game_object *)game)->game, node, place);
        if (node == TBY_NO_NODE)
            return PyErr_Format(PyExc_ValueError, "the game has no such node");
    }
    return node_new((game_object *)game, node);
}
