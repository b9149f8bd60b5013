/*
 * game.c - Game: tags, moves with variations and comments, a result.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

static tby_game *game_of(PyObject *self) { return ((game_object *)self)->game; }

PyObject *game_new(tby_game *game)
{
    if (!game)
        return PyErr_NoMemory();
    game_object *made = (game_object *)PyType_GenericAlloc(Game_type, 0);
    if (made)
        made->game = game;
    else
        tby_game_free(game);
    return (PyObject *)made;
}

static void game_dealloc(PyObject *self)
{
    tby_game_free(game_of(self));
    free(((game_object *)self)->ages);
    object_free(self);
}

/* ---- Making one ------------------------------------------------------------------------------------------------- */

/* A tby_source of the bytes that are left. */
static size_t read_left(void *context, char *buf, size_t cap)
{
    Py_buffer *left = context;
    const size_t n = (size_t)left->len < cap ? (size_t)left->len : cap;
    memcpy(buf, left->buf, n);
    left->buf = (char *)left->buf + n;
    left->len -= (Py_ssize_t)n;
    return n;
}

/* The text has an error: reads it again as a file, which says where, and keeps the moves before it. */
static void raise_text(const char *s, Py_ssize_t n, const tby_error *err)
{
    Py_buffer left = {.buf = (char *)(uintptr_t)s, .len = n};
    first_fault first = {.is_there = false};
    PyObject *partial = game_new(tby_game_new(NULL));
    tby_games *games = partial ? tby_game_notation_find("pgn", 3)->open(read_left, &left, NULL) : NULL;
    if (games)
        tby_games_next(games, game_of(partial), fault_keep, &first);
    if (first.is_there)
        error_raise_fault(&first.fault, 0, NULL, partial);
    else if (!PyErr_Occurred())
        error_raise_plain(err);
    tby_games_free(games);
    Py_XDECREF(partial);
}

static PyObject *game_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"pgn", "start", NULL};
    const char *s = NULL;
    Py_ssize_t n = 0;
    PyObject *start = Py_None;
    tby_error err = {.status = TBY_OK};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|z#$O:Game", names, &s, &n, &start))
        return NULL;
    if (s && start != Py_None)
        return PyErr_Format(PyExc_ValueError, "start cannot be given with a text, which has its own");
    if (start != Py_None && !PyObject_TypeCheck(start, Position_type))
        return PyErr_Format(PyExc_TypeError, "start must be a Position");
    PyObject *made = game_new(tby_game_new(NULL));
    const position_object *p = (const position_object *)start;
    if (made && s && tby_game_notation_find("pgn", 3)->read(game_of(made), s, (size_t)n, &err) != TBY_OK)
        raise_text(s, n, &err);
    else if (made && start != Py_None && !tby_game_set_start(game_of(made), &p->pos, p->is_chess960))
        PyErr_NoMemory();
    if (PyErr_Occurred())
        Py_CLEAR(made);
    return made;
}

static PyObject *unpack(PyObject *type, PyObject *bytes)
{
    PyObject *packed = packed_of(bytes), *made = packed ? game_new(tby_game_new(NULL)) : NULL;
    if (made && !tby_chessgame_to_game(game_of(made), packed_data(packed), packed_size(packed))) {
        Py_CLEAR(made);
        PyErr_NoMemory();
    }
    Py_XDECREF(packed);
    return made;
}

/* ---- Tags ------------------------------------------------------------------------------------------------------- */

static PyObject *text_of(const char *s) { return PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "replace"); }

static PyObject *get_tags(PyObject *self, void *closure)
{
    PyObject *tags = PyDict_New();
    for (size_t i = 0; tags && i < tby_game_n_tags(game_of(self)); i++)
        dict_put(&tags, text_of(tby_game_tag_name(game_of(self), i)), text_of(tby_game_tag_value(game_of(self), i)));
    return tags;
}

/* NULL if it is missing, which `needs_it` makes a KeyError, or with an exception set. */
static const char *find_tag(PyObject *self, PyObject *name, bool needs_it)
{
    const char *s = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (!s && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "the name of a tag must be text");
    const char *value = s ? tby_game_tag(game_of(self), s) : NULL;
    if (s && !value && needs_it)
        PyErr_SetObject(PyExc_KeyError, name);
    return value;
}

static PyObject *tag_get(PyObject *self, PyObject *name)
{
    const char *value = find_tag(self, name, true);
    return value ? text_of(value) : NULL;
}

static PyObject *get(PyObject *self, PyObject *args)
{
    PyObject *name, *other = Py_None;
    if (!PyArg_ParseTuple(args, "O|O:get", &name, &other))
        return NULL;
    const char *value = find_tag(self, name, false);
    return value ? text_of(value) : PyErr_Occurred() ? NULL : Py_NewRef(other);
}

static int tag_contains(PyObject *self, PyObject *name)
{
    const char *value = find_tag(self, name, false);
    return PyErr_Occurred() ? -1 : value != NULL;
}

static int tag_set(PyObject *self, PyObject *name, PyObject *value)
{
    Py_ssize_t n_name, n_value = 0;
    if (!value && !find_tag(self, name, true))
        return -1;
    const char *s = PyUnicode_AsUTF8AndSize(name, &n_name);
    const char *v = s && value ? PyUnicode_AsUTF8AndSize(value, &n_value) : NULL;
    if (!value)
        tby_game_remove_tag(game_of(self), s);
    else if (v && !tby_game_set_tag(game_of(self), s, (size_t)n_name, v, (size_t)n_value))
        PyErr_Format(PyExc_ValueError, "PGN cannot hold a tag with this name: %R", name);
    return PyErr_Occurred() ? -1 : 0;
}

/* ---- Start, end, result ----------------------------------------------------------------------------------------- */

static tby_node last_node(const tby_game *game)
{
    tby_node node = TBY_ROOT;
    for (tby_node next; (next = tby_game_child(game, node)) != TBY_NO_NODE;)
        node = next;
    return node;
}

GETTER(get_start, position_in(game_of(self), TBY_ROOT));
GETTER(get_final, position_in(game_of(self), last_node(game_of(self))));
GETTER(get_result, PyUnicode_FromString(tby_result_text(tby_game_result(game_of(self)))));

static int set_result(PyObject *self, PyObject *value, void *closure)
{
    Py_ssize_t n;
    tby_result result = TBY_RESULT_NONE;
    tby_error err = {.status = TBY_OK};
    const char *s = value ? PyUnicode_AsUTF8AndSize(value, &n) : NULL;
    if (!value)
        PyErr_SetString(PyExc_TypeError, "a result cannot be deleted; set it to \"*\" instead");
    else if (s && tby_result_read(&result, s, (size_t)n, &err) != TBY_OK)
        error_raise_plain(&err);
    if (PyErr_Occurred())
        return -1;
    tby_game_set_result(game_of(self), result);
    return 0;
}

static PyObject *get_opening(PyObject *self, void *closure)
{
    tby_opening opening;
    PyObject *packed = packed_of(self);
    if (!packed)
        return NULL;
    const int ply = tby_opening_of_chessgame(&opening, packed_data(packed), packed_size(packed));
    Py_DECREF(packed);
    return ply < 0 ? Py_NewRef(Py_None) : opening_new(&opening);
}

/* ---- The main line ---------------------------------------------------------------------------------------------- */

static Py_ssize_t game_length(PyObject *self) { return (Py_ssize_t)tby_game_main_line(game_of(self), NULL, 0); }

/* What a list has for each move of the main line. */
typedef enum listed { MOVES, SANS, UCIS, POSITIONS } listed;

/* The positions begin with the start. */
static PyObject *list_of(PyObject *self, listed what)
{
    const tby_game *game = game_of(self);
    const bool is_chess960 = tby_game_is_chess960(game);
    tby_position pos = *tby_game_start(game);
    char uci[TBY_UCI_SIZE];
    PyObject *list = PyList_New(0);
    if (what == POSITIONS)
        list_append(&list, position_new(&pos, is_chess960));
    for (tby_node node = tby_game_child(game, TBY_ROOT); list && node != TBY_NO_NODE;
         node = tby_game_child(game, node)) {
        const tby_move move = tby_game_move(game, node);
        const tby_position before = pos;
        tby_line_play(&pos, move);
        switch (what) {
        case MOVES: list_append(&list, move_new(&before, move, is_chess960)); break;
        case SANS: list_append(&list, san_new(&before, move)); break;
        case UCIS:
            uci_write(uci, &before, move, is_chess960);
            list_append(&list, PyUnicode_FromString(uci));
            break;
        case POSITIONS: list_append(&list, position_new(&pos, is_chess960)); break;
        }
    }
    return list;
}

GETTER(get_moves, list_of(self, MOVES));
GETTER(get_sans, list_of(self, SANS));
GETTER(get_ucis, list_of(self, UCIS));
GETTER(get_positions, list_of(self, POSITIONS));
GETTER(get_root, node_new((game_object *)self, TBY_ROOT));
GETTER(get_outcome, draw_outcome(game_of(self), last_node(game_of(self))));
GETTER(get_end, node_new((game_object *)self, last_node(game_of(self))));

/* Where moves are added. */
typedef struct line_end {
    tby_game *game;
    tby_node node;
} line_end;

static bool add_move(void *context, tby_move move)
{
    line_end *end = context;
    end->node = tby_game_add(end->game, end->node, move);
    return end->node != TBY_NO_NODE || PyErr_NoMemory();
}

/* Adds moves at the end of the main line. */
static PyObject *play(PyObject *self, PyObject *moves)
{
    line_end end = {game_of(self), last_node(game_of(self))};
    tby_position pos;
    tby_game_position(end.game, end.node, &pos);
    return moves_play(&pos, moves, add_move, &end) ? node_new((game_object *)self, end.node) : NULL;
}

/* ---- As text and bytes ------------------------------------------------------------------------------------------ */

static PyObject *pgn_new(PyObject *self, unsigned flags)
{
    buffer text = {0};
    if (!tby_pgn_write(game_of(self), flags, buffer_sink, &text))
        text.has_failed = true;
    return text_end(&text);
}

static PyObject *pgn(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"comments", "variations", "nags", "clocks", "tags", NULL};
    int has[5] = {1, 1, 1, 1, 1};
    static const unsigned without[5] = {TBY_PGN_NO_COMMENTS, TBY_PGN_NO_VARIATIONS, TBY_PGN_NO_NAGS,
                                        TBY_PGN_NO_COMMANDS, TBY_PGN_NO_TAGS};
    unsigned flags = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$ppppp:pgn", names, &has[0], &has[1], &has[2], &has[3], &has[4]))
        return NULL;
    for (int i = 0; i < 5; i++)
        flags |= has[i] ? 0 : without[i];
    return pgn_new(self, flags);
}

static PyObject *game_str(PyObject *self) { return pgn_new(self, 0); }

static PyObject *json(PyObject *self, PyObject *none)
{
    buffer text = {0};
    if (!tby_json_write(game_of(self), buffer_sink, &text))
        text.has_failed = true;
    return text_end(&text);
}

METHOD(pack, packed_of(self));

static PyObject *game_repr(PyObject *self)
{
    const char *white = tby_game_tag(game_of(self), "White"), *black = tby_game_tag(game_of(self), "Black");
    return PyUnicode_FromFormat("<Game %s - %s %s, %zd plies>", white ? white : "?", black ? black : "?",
                                tby_result_text(tby_game_result(game_of(self))), game_length(self));
}

static PyObject *game_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Game_type))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(tby_game_equal(game_of(a), game_of(b)) == (how == Py_EQ));
}

/* Hashes the start and the main line: comments and tags do not matter. A game that is a key must not be changed. */
static Py_hash_t game_hash(PyObject *self)
{
    const tby_game *game = game_of(self);
    uint64_t hash = tby_position_key(tby_game_start(game));
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node))
        hash = hash * 0x100000001B3u + tby_game_move(game, node);
    return hash_of(hash);
}

/* Calls a method of the tags as a dict. */
static PyObject *of_tags(PyObject *self, const char *method)
{
    PyObject *tags = get_tags(self, NULL), *answer = tags ? PyObject_CallMethod(tags, method, NULL) : NULL;
    Py_XDECREF(tags);
    return answer;
}

METHOD(keys, of_tags(self, "keys"));
METHOD(values, of_tags(self, "values"));
METHOD(items, of_tags(self, "items"));

/* The nodes of the main line, as many as len() returns. */
static PyObject *game_iterate(PyObject *self)
{
    const tby_game *game = game_of(self);
    PyObject *list = PyList_New(0);
    for (tby_node node = tby_game_child(game, TBY_ROOT); list && node != TBY_NO_NODE; node = tby_game_child(game, node))
        list_append(&list, node_new((game_object *)self, node));
    PyObject *each = list ? PyObject_GetIter(list) : NULL;
    Py_XDECREF(list);
    return each;
}

METHOD(repr_html, python_call("tabiya._notebook", "game_html", self));

/* ---- The type --------------------------------------------------------------------------------------------------- */

METHOD(reduce, python_call("tabiya._copies", "game", self));

static PyGetSetDef attributes[] = {
    {"tags", get_tags, NULL, "all tags, as a new dict", NULL},
    {"start", get_start, NULL, "where it starts", NULL},
    {"final", get_final, NULL, "where its main line ends", NULL},
    {"result", get_result, set_result, "\"1-0\", \"0-1\", \"1/2-1/2\" or \"*\"", NULL},
    {"outcome", get_outcome, NULL, "result and reason if the rules end the game, repetitions included, else None",
     NULL},
    {"opening", get_opening, NULL, "ECO code and name by the moves, or None", NULL},
    {"moves", get_moves, NULL, "the moves of the main line", NULL},
    {"sans", get_sans, NULL, "the same in SAN", NULL},
    {"ucis", get_ucis, NULL, "the same in UCI", NULL},
    {"positions", get_positions, NULL, "the positions of the main line, the start first", NULL},
    {"root", get_root, NULL, "the start as a Node", NULL},
    {"end", get_end, NULL, "the last Node of the main line", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nfor pickle and copy"},
    {"_repr_html_", repr_html, METH_NOARGS,
     "_repr_html_($self, /)\n--\n\nplayers, the last board and the moves, for notebooks"},
    {"get", get, METH_VARARGS, "get($self, tag, default=None, /)\n--\n\nthe value of a tag"},
    {"keys", keys, METH_NOARGS, "keys($self, /)\n--\n\nthe names of its tags"},
    {"values", values, METH_NOARGS, "values($self, /)\n--\n\nthe values of its tags"},
    {"items", items, METH_NOARGS, "items($self, /)\n--\n\nnames and values of its tags; dict(game) has the same"},
    {"play", play, METH_VARARGS, "play($self, /, *moves)\n--\n\nadds moves to the main line; returns the last Node"},
    {"pgn", KEYWORDS(pgn), METH_VARARGS | METH_KEYWORDS,
     "pgn($self, /, *, comments=True, variations=True, nags=True, clocks=True, tags=True)\n--\n\nthe game as PGN"},
    {"json", json, METH_NOARGS, "json($self, /)\n--\n\nthe game as a line of JSON, without loss"},
    {"pack", pack, METH_NOARGS, "pack($self, /)\n--\n\nstart, main line and result as a few bytes"},
    {"unpack", unpack, METH_O | METH_CLASS, "unpack($type, packed, /)\n--\n\nthe game of packed bytes"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Game(pgn=None, *, start=None)\n--\n\nTags, moves with variations and comments, a result. Tags "
                "are items: game[\"White\"]; its length is that of the main line, and iterating yields its "
                "nodes."},
    {Py_tp_new, game_make},
    {Py_tp_dealloc, game_dealloc},
    {Py_tp_getattro, attribute_get},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_mp_subscript, tag_get},
    {Py_mp_ass_subscript, tag_set},
    {Py_mp_length, game_length},
    {Py_sq_contains, tag_contains},
    {Py_tp_str, game_str},
    {Py_tp_repr, game_repr},
    {Py_tp_richcompare, game_compare},
    {Py_tp_hash, game_hash},
    {Py_tp_iter, game_iterate},
    {0},
};
PyType_Spec Game_spec = {"tabiya.Game", sizeof(game_object), 0, TYPE_MADE, slots};
