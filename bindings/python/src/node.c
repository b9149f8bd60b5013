/*
 * node.c - Node: a move of a game and the position after it, in the main line or in a variation.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

static tby_game *game_of(PyObject *self) { return ((node_object *)self)->game->game; }

static uint32_t age_of(const game_object *game, tby_node node) { return node < game->n_ages ? game->ages[node] : 0; }

/* Not removed? */
static bool is_there(PyObject *self)
{
    const node_object *n = (const node_object *)self;
    return age_of(n->game, n->node) == n->age;
}

/* A node that was removed has no attributes (get_attribute); whoever still calls one of its methods uses the start. */
static tby_node node_of(PyObject *self) { return is_there(self) ? ((node_object *)self)->node : TBY_ROOT; }

PyObject *node_new(game_object *game, tby_node node)
{
    if (node == TBY_NO_NODE)
        Py_RETURN_NONE;
    node_object *made = (node_object *)PyType_GenericAlloc(Node_type, 0);
    if (!made)
        return NULL;
    made->game = (game_object *)Py_NewRef((PyObject *)game);
    made->node = node;
    made->age = age_of(game, node);
    return (PyObject *)made;
}

static void node_dealloc(PyObject *self)
{
    Py_XDECREF((PyObject *)((node_object *)self)->game);
    object_free(self);
}

static PyObject *relative(PyObject *self, tby_node node) { return node_new(((node_object *)self)->game, node); }

/* ---- The move --------------------------------------------------------------------------------------------------- */

static PyObject *move_of(PyObject *self, bool is_san)
{
    tby_position before;
    if (node_of(self) == TBY_ROOT)
        Py_RETURN_NONE;
    tby_game_position(game_of(self), tby_game_parent(game_of(self), node_of(self)), &before);
    const tby_move move = tby_game_move(game_of(self), node_of(self));
    return is_san ? san_new(&before, move) : move_new(&before, move, tby_game_is_chess960(game_of(self)));
}

GETTER(get_move, move_of(self, false));
GETTER(get_san, move_of(self, true));

PyObject *position_in(const tby_game *game, tby_node node)
{
    tby_position pos;
    tby_game_position(game, node, &pos);
    return position_new(&pos, tby_game_is_chess960(game));
}

GETTER(get_position, position_in(game_of(self), node_of(self)));

static PyObject *get_ply(PyObject *self, void *closure)
{
    long ply = 0;
    for (tby_node node = node_of(self); node != TBY_ROOT; node = tby_game_parent(game_of(self), node))
        ply++;
    return PyLong_FromLong(ply);
}

/* ---- The tree --------------------------------------------------------------------------------------------------- */

GETTER(get_game, Py_NewRef((PyObject *)((node_object *)self)->game));
GETTER(get_parent,
       relative(self, node_of(self) == TBY_ROOT ? TBY_NO_NODE : tby_game_parent(game_of(self), node_of(self))));
GETTER(get_next, relative(self, tby_game_child(game_of(self), node_of(self))));

static PyObject *get_children(PyObject *self, void *closure)
{
    PyObject *list = PyList_New(0);
    for (tby_node node = tby_game_child(game_of(self), node_of(self)); list && node != TBY_NO_NODE;
         node = tby_game_sibling(game_of(self), node))
        list_append(&list, relative(self, node));
    return list;
}

/* A move that exists already is not added again. */
static PyObject *add(PyObject *self, PyObject *text)
{
    tby_game *game = game_of(self);
    tby_position pos;
    tby_move move;
    tby_game_position(game, node_of(self), &pos);
    if (!move_read(&move, &pos, text))
        return NULL;
    for (tby_node node = tby_game_child(game, node_of(self)); node != TBY_NO_NODE; node = tby_game_sibling(game, node))
        if (tby_game_move(game, node) == move)
            return relative(self, node);
    const tby_node made = tby_game_add(game, node_of(self), move);
    return made == TBY_NO_NODE ? PyErr_NoMemory() : relative(self, made);
}

/* The next node of those that follow `top`, in the order of PGN; TBY_NO_NODE after the last. */
static tby_node next_below(const tby_game *game, tby_node top, tby_node node)
{
    tby_node next = tby_game_child(game, node);
    while (next == TBY_NO_NODE && node != top) {
        next = tby_game_sibling(game, node);
        node = tby_game_parent(game, node);
    }
    return next;
}

/* Room for the ages of a node and all that follow it. */
static bool ages_reserve(game_object *g, tby_node top)
{
    size_t n = g->n_ages;
    for (tby_node node = top; node != TBY_NO_NODE; node = next_below(g->game, top, node))
        n = node >= n ? (size_t)node + 1 : n;
    uint32_t *ages = realloc(g->ages, n * sizeof *ages);
    if (!ages)
        return PyErr_NoMemory();
    memset(ages + g->n_ages, 0, (n - g->n_ages) * sizeof *ages);
    g->ages = ages;
    g->n_ages = n;
    return true;
}

static PyObject *remove_node(PyObject *self, PyObject *none)
{
    game_object *g = ((node_object *)self)->game;
    const tby_node top = node_of(self);
    if (top == TBY_ROOT)
        return PyErr_Format(PyExc_ValueError, "the start of a game cannot be removed");
    if (!ages_reserve(g, top))
        return NULL;
    for (tby_node node = top; node != TBY_NO_NODE; node = next_below(g->game, top, node))
        g->ages[node]++;
    tby_game_remove(g->game, top);
    Py_RETURN_NONE;
}

METHOD(promote, PyBool_FromLong(tby_game_promote(game_of(self), node_of(self))));
METHOD(demote, PyBool_FromLong(tby_game_demote(game_of(self), node_of(self))));

GETTER(get_repetitions, draw_repetitions(game_of(self), node_of(self)));
GETTER(get_can_claim_draw, draw_can_claim(game_of(self), node_of(self)));
GETTER(get_outcome, draw_outcome(game_of(self), node_of(self)));

/* ---- Comments --------------------------------------------------------------------------------------------------- */

static PyObject *get_comments(PyObject *self, void *closure)
{
    PyObject *list = PyList_New(0);
    for (tby_comment_place place = TBY_COMMENT_BEFORE; place <= TBY_COMMENT_AFTER; place++)
        for (size_t i = 0; list && i < tby_game_n_comments(game_of(self), node_of(self), place); i++) {
            size_t n;
            const char *s = tby_game_comment(game_of(self), node_of(self), place, i, &n);
            list_append(&list, PyUnicode_DecodeUTF8(s, (Py_ssize_t)n, "replace"));
        }
    return list;
}

static PyObject *add_comment(PyObject *self, PyObject *args)
{
    const char *s;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "s#:add_comment", &s, &n))
        return NULL;
    if (!tby_game_add_comment(game_of(self), node_of(self), TBY_COMMENT_AFTER, s, (size_t)n))
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *get_nags(PyObject *self, void *closure)
{
    const size_t n = tby_game_n_nags(game_of(self), node_of(self));
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        list_put(&list, (Py_ssize_t)i, PyLong_FromLong(tby_game_nag(game_of(self), node_of(self), i)));
    return list;
}

static PyObject *add_nag(PyObject *self, PyObject *number)
{
    const long nag = PyLong_AsLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (nag < 0 || nag > UINT16_MAX)
        return PyErr_Format(PyExc_ValueError, "%ld is not a NAG", nag);
    if (node_of(self) == TBY_ROOT || !tby_game_add_nag(game_of(self), node_of(self), (uint16_t)nag))
        return PyErr_Format(PyExc_ValueError, "a NAG needs a move");
    Py_RETURN_NONE;
}

/* ---- Commands in comments: [%...] ------------------------------------------------------------------------------- */

/* The evaluation and the clock are those that queries and tables see. */
static tby_note note_of(PyObject *self)
{
    tby_note note;
    tby_note_read(&note, game_of(self), node_of(self));
    return note;
}

static PyObject *eval_of(PyObject *self, bool is_mate)
{
    const tby_note note = note_of(self);
    return note.has_eval && note.is_mate == is_mate ? PyLong_FromLongLong(note.eval) : Py_NewRef(Py_None);
}

static PyObject *get_clock(PyObject *self, void *closure)
{
    const tby_note note = note_of(self);
    return note.has_clock ? PyFloat_FromDouble((double)note.clock / 1000) : Py_NewRef(Py_None);
}

static PyObject *get_elapsed(PyObject *self, void *closure)
{
    tby_command command;
    for (size_t i = 0; i < tby_game_n_comments(game_of(self), node_of(self), TBY_COMMENT_AFTER); i++) {
        size_t n, at = 0;
        const char *s = tby_game_comment(game_of(self), node_of(self), TBY_COMMENT_AFTER, i, &n);
        while (tby_command_next(&command, s, n, &at))
            if (command.type == TBY_COMMAND_ELAPSED)
                return PyFloat_FromDouble((double)command.value / 1000);
    }
    Py_RETURN_NONE;
}

GETTER(get_eval, eval_of(self, false));
GETTER(get_mate, eval_of(self, true));

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyObject *node_repr(PyObject *self)
{
    return is_there(self) ? python_call("tabiya._notebook", "node_repr", self) : PyUnicode_FromString("<Node removed>");
}

static PyObject *get_attribute(PyObject *self, PyObject *name)
{
    const char *s = PyUnicode_AsUTF8AndSize(name, NULL);
    if (s && s[0] != '_' && !is_there(self))
        return PyErr_Format(PyExc_ValueError, "this node was removed from its game");
    return s ? attribute_get(self, name) : NULL;
}

/* The board, with the move that led to it. */
static PyObject *repr_svg(PyObject *self, PyObject *none)
{
    tby_position pos;
    tby_game_position(game_of(self), node_of(self), &pos);
    return svg_usual(&pos, node_of(self) == TBY_ROOT ? TBY_MOVE_NONE : tby_game_move(game_of(self), node_of(self)));
}

METHOD(reduce, python_call("tabiya._copies", "node", self));

/* Of the moves that lead to it. */
static Py_hash_t node_hash(PyObject *self)
{
    uint64_t hash = 0;
    for (tby_node node = node_of(self); node != TBY_ROOT; node = tby_game_parent(game_of(self), node))
        hash = hash * 0x100000001B3u + tby_game_move(game_of(self), node);
    return hash_of(hash);
}

/* How many siblings come before it. */
static size_t place_of(const tby_game *game, tby_node node)
{
    size_t place = 0;
    for (tby_node at = tby_game_child(game, tby_game_parent(game, node)); at != node; at = tby_game_sibling(game, at))
        place++;
    return place;
}

static bool is_same_path(PyObject *a, PyObject *b)
{
    tby_node one = node_of(a), other = node_of(b);
    while (one != TBY_ROOT && other != TBY_ROOT && place_of(game_of(a), one) == place_of(game_of(b), other)) {
        one = tby_game_parent(game_of(a), one);
        other = tby_game_parent(game_of(b), other);
    }
    return one == TBY_ROOT && other == TBY_ROOT;
}

/* A node that was copied or pickled with its game is equal to the old one: the same path in an equal game. */
static PyObject *node_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Node_type))
        Py_RETURN_NOTIMPLEMENTED;
    if (!is_there(a) || !is_there(b))
        return PyBool_FromLong((a == b) == (how == Py_EQ));
    const bool is_one_game = game_of(a) == game_of(b);
    if (is_one_game || node_hash(a) != node_hash(b))
        return PyBool_FromLong((is_one_game && node_of(a) == node_of(b)) == (how == Py_EQ));
    if (!is_same_path(a, b))
        return PyBool_FromLong(how == Py_NE);
    return PyObject_RichCompare((PyObject *)((node_object *)a)->game, (PyObject *)((node_object *)b)->game, how);
}

static PyGetSetDef attributes[] = {
    {"game", get_game, NULL, "the game it belongs to", NULL},
    {"move", get_move, NULL, "the move that leads here; None for the start", NULL},
    {"san", get_san, NULL, "the same in SAN", NULL},
    {"position", get_position, NULL, "the position after it", NULL},
    {"ply", get_ply, NULL, "how many moves lead here", NULL},
    {"parent", get_parent, NULL, "where the move was played; None for the start", NULL},
    {"next", get_next, NULL, "the main move that follows, or None", NULL},
    {"children", get_children, NULL, "all moves that follow, the main one first", NULL},
    {"repetitions", get_repetitions, NULL, "how often its position has occurred on the way here, itself included",
     NULL},
    {"can_claim_draw", get_can_claim_draw, NULL,
     "can a draw be claimed, by threefold repetition or fifty moves, now or with the next move?", NULL},
    {"outcome", get_outcome, NULL, "result and reason if the rules end the game here, else None", NULL},
    {"comments", get_comments, NULL, "its comments", NULL},
    {"nags", get_nags, NULL, "the numbers of its NAGs", NULL},
    {"clock", get_clock, NULL, "seconds left: [%clk]; or None", NULL},
    {"elapsed", get_elapsed, NULL, "seconds used: [%emt]; or None", NULL},
    {"eval", get_eval, NULL, "centipawns for white: [%eval]; or None", NULL},
    {"mate", get_mate, NULL, "moves to mate, negative if black mates: [%eval #3]; or None", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nfor pickle and copy"},
    {"_repr_svg_", repr_svg, METH_NOARGS, "_repr_svg_($self, /)\n--\n\nan SVG image, for notebooks"},
    {"add", add, METH_O, "add($self, move, /)\n--\n\nadds a move after this one; returns its Node"},
    {"remove", remove_node, METH_NOARGS,
     "remove($self, /)\n--\n\nremoves the move and all that follow it; its nodes can no longer be used"},
    {"promote", promote, METH_NOARGS,
     "promote($self, /)\n--\n\nmoves it before its previous sibling; False if it is the main move already"},
    {"demote", demote, METH_NOARGS, "demote($self, /)\n--\n\nmoves it after its next sibling; False if it is the last"},
    {"add_comment", add_comment, METH_VARARGS, "add_comment($self, text, /)\n--\n\nadds a comment after the move"},
    {"add_nag", add_nag, METH_O, "add_nag($self, number, /)\n--\n\nadds a NAG to the move"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A move of a game and the position after it, in the main line or in a variation."},
    {Py_tp_dealloc, node_dealloc},
    {Py_tp_getattro, get_attribute},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_repr, node_repr},
    {Py_tp_hash, node_hash},
    {Py_tp_richcompare, node_compare},
    {0},
};
PyType_Spec Node_spec = {"tabiya.Node", sizeof(node_object), 0, TYPE_FOUND, slots};
