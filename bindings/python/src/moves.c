/*
 * moves.c - Move: a legal move of a position, and reading one from an argument.
 */
#include "python.h"

#include <string.h>

void uci_write(char uci[TBY_UCI_SIZE], const tby_position *pos, tby_move move, bool is_chess960)
{
    if (move == TBY_MOVE_NULL)
        strcpy(uci, "0000");
    else
        tby_uci_write(uci, TBY_UCI_SIZE, pos, move, is_chess960 ? TBY_UCI_CHESS960 : 0);
}

PyObject *move_new(const tby_position *pos, tby_move move, bool is_chess960)
{
    move_object *made = (move_object *)PyType_GenericAlloc(Move_type, 0);
    if (!made)
        return NULL;
    made->move = move;
    uci_write(made->uci, pos, move, is_chess960);
    return (PyObject *)made;
}

PyObject *san_new(const tby_position *pos, tby_move move)
{
    char san[TBY_SAN_SIZE] = "--";
    if (move != TBY_MOVE_NULL)
        tby_san_write(san, sizeof san, pos, move);
    return PyUnicode_FromString(san);
}

/* ---- From an argument ------------------------------------------------------------------------------------------- */

static bool looks_like_uci(const char *s, size_t n)
{
    return (n == 4 || n == 5) && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8' && s[2] >= 'a' &&
           s[2] <= 'h' && s[3] >= '1' && s[3] <= '8';
}

static bool read_text(tby_move *out, const tby_position *pos, PyObject *text)
{
    Py_ssize_t n;
    char why[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    if (!s)
        return false;
    const tby_move_notation *notation = looks_like_uci(s, (size_t)n) ? tby_move_notation_find("uci", 3)
                                                                     : tby_move_notation_find("san", 3);
    if (tby_line_read_move(out, pos, notation, s, (size_t)n, 0, &err) == TBY_OK)
        return true;
    tby_error_write(why, sizeof why, &err);
    return error_raise(&err, "\"%.60s\": %s", s, why);
}

bool move_read(tby_move *out, const tby_position *pos, PyObject *move)
{
    static const tby_error illegal = {.status = TBY_ILLEGAL_MOVE};
    if (PyUnicode_Check(move))
        return read_text(out, pos, move);
    if (!PyObject_TypeCheck(move, Move_type))
        return PyErr_Format(PyExc_TypeError, "a move must be a Move, or text in SAN or UCI");
    const move_object *m = (const move_object *)move;
    if (m->move == TBY_MOVE_NULL ? tby_position_is_check(pos) : !tby_move_is_legal(pos, m->move))
        return error_raise(&illegal, "%s is not legal in this position", m->uci);
    *out = m->move;
    return true;
}

bool moves_play(tby_position *pos, PyObject *moves, bool (*played)(void *context, tby_move move), void *context)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(moves); i++) {
        tby_move move;
        if (!move_read(&move, pos, PyTuple_GetItem(moves, i)))
            return error_add_ply(pos, i + 1, PyTuple_Size(moves));
        if (played && !played(context, move))
            return false;
        tby_line_play(pos, move);
    }
    return true;
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

GETTER(get_uci, PyUnicode_FromString(((move_object *)self)->uci));
GETTER(get_from, square_new(TBY_MOVE_FROM(((move_object *)self)->move)));
GETTER(get_to, square_new(tby_move_destination(((move_object *)self)->move)));

static PyObject *get_promotion(PyObject *self, void *closure)
{
    static const char *const letters[8] = {[TBY_BISHOP] = "B", [TBY_KNIGHT] = "N", [TBY_ROOK] = "R", [TBY_QUEEN] = "Q"};
    const tby_move move = ((move_object *)self)->move;
    if (!TBY_MOVE_IS_PROMOTION(move) || move == TBY_MOVE_NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(letters[TBY_MOVE_KIND(move)]);
}

GETTER(get_is_castling, PyBool_FromLong(TBY_MOVE_IS_CASTLING(((move_object *)self)->move)));
GETTER(get_code, PyLong_FromLong(((move_object *)self)->move));

static PyObject *move_str(PyObject *self) { return get_uci(self, NULL); }
static PyObject *move_repr(PyObject *self) { return PyUnicode_FromFormat("<Move %s>", ((move_object *)self)->uci); }
static Py_hash_t move_hash(PyObject *self) { return ((move_object *)self)->move; }

static PyObject *move_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Move_type))
        Py_RETURN_NOTIMPLEMENTED;
    const bool is_same = ((move_object *)a)->move == ((move_object *)b)->move;
    return PyBool_FromLong(is_same == (how == Py_EQ));
}

METHOD(reduce, python_call("tabiya._copies", "move", self));

PyObject *move_again(PyObject *module, PyObject *args)
{
    unsigned short code;
    const char *uci;
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

static PyGetSetDef attributes[] = {
    {"uci", get_uci, NULL, "the move in UCI: \"e2e4\"", NULL},
    {"from_square", get_from, NULL, "where the piece comes from: \"e2\"", NULL},
    {"to_square", get_to, NULL, "where it ends up; for castling, the king", NULL},
    {"promotion", get_promotion, NULL, "\"Q\", \"R\", \"B\" or \"N\", or None", NULL},
    {"is_castling", get_is_castling, NULL, "does it castle?", NULL},
    {"code", get_code, NULL, "the move in 16 bits, as in tabiya.h", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nfor pickle and copy"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A move; positions create moves, and accept text instead."},
    {Py_tp_dealloc, object_free},
    {Py_tp_getattro, attribute_get},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_str, move_str},
    {Py_tp_repr, move_repr},
    {Py_tp_hash, move_hash},
    {Py_tp_richcompare, move_compare},
    {0},
};
PyType_Spec Move_spec = {"tabiya.Move", sizeof(move_object), 0, TYPE_FOUND, slots};
