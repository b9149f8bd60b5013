/*
 * position.c - Position: a playable position. It is immutable; playing a move returns a new one.
 */
#include "python.h"

#include <string.h>

static const tby_position *pos_of(PyObject *self) { return &((position_object *)self)->pos; }

PyObject *position_new(const tby_position *pos, bool is_chess960)
{
    position_object *made = (position_object *)PyType_GenericAlloc(Position_type, 0);
    if (!made)
        return NULL;
    made->pos = *pos;
    made->is_chess960 = is_chess960;
    return (PyObject *)made;
}

/* Of a board that must be playable. */
static PyObject *position_of(const tby_setup *setup)
{
    tby_position pos;
    tby_error err = {.status = TBY_OK};
    if (tby_position_init(&pos, setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        return error_raise_plain(&err);
    return position_new(&pos, false);
}

PyObject *opening_new(const tby_opening *opening)
{
    return tuple_new(Opening_type, 2, PyUnicode_FromString(opening->eco), PyUnicode_FromString(opening->name));
}

PyObject *square_new(tby_square square)
{
    const char name[] = {(char)('a' + TBY_FILE(square)), (char)('1' + TBY_RANK(square)), '\0'};
    return PyUnicode_FromString(name);
}

/* ---- Making one ------------------------------------------------------------------------------------------------- */

static PyObject *position_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"fen", "chess960", "any", NULL};
    const char *fen = NULL;
    Py_ssize_t n = 0;
    int is_chess960 = 0, takes_any = 0;
    tby_position pos;
    tby_setup setup;
    tby_error err = {.status = TBY_OK};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|z#$pp:Position", names, &fen, &n, &is_chess960, &takes_any))
        return NULL;
    tby_position_start(&pos);
    if (!fen)
        return position_new(&pos, is_chess960);
    if (tby_fen_read(&setup, fen, (size_t)n, is_chess960 ? TBY_FEN_CHESS960 : 0, NULL, &err) != TBY_OK)
        return error_raise_fen(&err);
    if (tby_position_init(&pos, &setup, takes_any ? TBY_FAULTS_UNREACHABLE : 0, &err) != TBY_OK) {
        char faults[TBY_FAULTS_SIZE];
        tby_faults_write(faults, sizeof faults, tby_setup_faults(&setup));
        return error_raise(&err, "illegal position: %s", faults);
    }
    return position_new(&pos, is_chess960);
}

static PyObject *chess960(PyObject *type, PyObject *number)
{
    tby_setup setup;
    tby_position pos;
    const unsigned long n = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (n > 959 || !tby_setup_chess960(&setup, (unsigned)n) || tby_position_init(&pos, &setup, 0, NULL) != TBY_OK)
        return PyErr_Format(PyExc_ValueError, "Chess960 has the starts 0 to 959, not %lu", n);
    return position_new(&pos, true);
}

static PyObject *unpack(PyObject *type, PyObject *bytes)
{
    Py_buffer view;
    tby_setup setup;
    const tby_error err = {.status = TBY_INVALID_PACKED};
    if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    const bool is_board = tby_chessboard_decode(&setup, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (!is_board)
        return error_raise(&err, "these bytes are not a packed board");
    return position_of(&setup);
}

static PyObject *pack(PyObject *self, PyObject *none)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE];
    tby_setup setup;
    tby_position_setup(&setup, pos_of(self));
    return PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)tby_chessboard_encode(bytes, &setup));
}

/* ---- Attributes ------------------------------------------------------------------------------------------------- */

static PyObject *get_fen(PyObject *self, void *closure)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos_of(self), 0);
    return PyUnicode_FromString(fen);
}

/* The third field of FEN. */
static PyObject *get_castling(PyObject *self, void *closure)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos_of(self), 0);
    const char *field = strchr(strchr(fen, ' ') + 1, ' ') + 1;
    return PyUnicode_FromStringAndSize(field, *field == '-' ? 0 : (Py_ssize_t)strcspn(field, " "));
}

GETTER(get_turn, PyUnicode_FromString(tby_position_side(pos_of(self)) == TBY_WHITE ? "white" : "black"));
GETTER(get_fullmove, PyLong_FromUnsignedLong(tby_position_fullmove(pos_of(self))));
GETTER(get_clock, PyLong_FromUnsignedLong(pos_of(self)->clock));
GETTER(get_ply, PyLong_FromUnsignedLong(pos_of(self)->ply));
GETTER(get_key, PyLong_FromUnsignedLongLong(tby_position_key(pos_of(self))));
GETTER(get_placement_key, PyLong_FromUnsignedLongLong(pos_of(self)->placement_key));
GETTER(get_polyglot_key, PyLong_FromUnsignedLongLong(tby_polyglot_key(pos_of(self))));

static PyObject *get_en_passant(PyObject *self, void *closure)
{
    const tby_square square = tby_position_en_passant_legal(pos_of(self));
    return square == TBY_NO_SQUARE ? Py_NewRef(Py_None) : square_new(square);
}

GETTER(get_chess960, PyBool_FromLong(((position_object *)self)->is_chess960));

static PyObject *get_opening(PyObject *self, void *closure)
{
    tby_opening opening;
    if (!tby_opening_of(&opening, pos_of(self)))
        Py_RETURN_NONE;
    return opening_new(&opening);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

GETTER(get_check, PyBool_FromLong(tby_position_is_check(pos_of(self))));
GETTER(get_checkmate, PyBool_FromLong(tby_position_is_checkmate(pos_of(self))));
GETTER(get_stalemate, PyBool_FromLong(tby_position_is_stalemate(pos_of(self))));
GETTER(get_insufficient, PyBool_FromLong(tby_material_is_draw(&pos_of(self)->board)));

static PyObject *get_outcome(PyObject *self, void *closure)
{
    return outcome_new(tby_outcome_of(pos_of(self), 1, TBY_UNKNOWN, false));
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static PyObject *get_legal_moves(PyObject *self, void *closure)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos_of(self));
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        list_put(&list, (Py_ssize_t)i, move_new(pos_of(self), moves[i], ((position_object *)self)->is_chess960));
    return list;
}

static PyObject *read_move(PyObject *self, PyObject *text)
{
    tby_move move;
    if (!move_read(&move, pos_of(self), text))
        return NULL;
    return move_new(pos_of(self), move, ((position_object *)self)->is_chess960);
}

static PyObject *is_legal(PyObject *self, PyObject *move)
{
    tby_move read;
    if (move_read(&read, pos_of(self), move))
        return PyBool_FromLong(read != TBY_MOVE_NULL);
    if (!PyErr_ExceptionMatches(Error_class))
        return NULL;
    PyErr_Clear();
    Py_RETURN_FALSE;
}

static PyObject *play(PyObject *self, PyObject *moves)
{
    tby_position pos = *pos_of(self);
    if (!moves_play(&pos, moves, NULL, NULL))
        return NULL;
    return position_new(&pos, ((position_object *)self)->is_chess960);
}

static PyObject *san(PyObject *self, PyObject *move)
{
    tby_move m;
    return move_read(&m, pos_of(self), move) ? san_new(pos_of(self), m) : NULL;
}

static PyObject *lan(PyObject *self, PyObject *move)
{
    char text[TBY_SAN_SIZE] = "--";
    tby_move m;
    if (!move_read(&m, pos_of(self), move))
        return NULL;
    if (m != TBY_MOVE_NULL)
        tby_lan_write(text, sizeof text, pos_of(self), m);
    return PyUnicode_FromString(text);
}

static PyObject *is_capture(PyObject *self, PyObject *move)
{
    tby_move m;
    if (!move_read(&m, pos_of(self), move))
        return NULL;
    return PyBool_FromLong(m != TBY_MOVE_NULL && tby_move_captured(pos_of(self), m) != TBY_NO_PIECE);
}

static PyObject *gives_check(PyObject *self, PyObject *move)
{
    tby_position pos = *pos_of(self);
    tby_move m;
    if (!move_read(&m, &pos, move))
        return NULL;
    tby_line_play(&pos, m);
    return PyBool_FromLong(tby_position_is_check(&pos));
}

static PyObject *perft(PyObject *self, PyObject *depth)
{
    const unsigned long n = PyLong_AsUnsignedLong(depth);
    const tby_position pos = *pos_of(self);
    uint64_t nodes;
    if (PyErr_Occurred())
        return NULL;
    if (n > 16)
        return PyErr_Format(PyExc_ValueError, "a depth of %lu would take for ever", n);
    Py_BEGIN_ALLOW_THREADS;
    nodes = tby_perft(&pos, (unsigned)n);
    Py_END_ALLOW_THREADS;
    return PyLong_FromUnsignedLongLong(nodes);
}

/* ---- Squares ---------------------------------------------------------------------------------------------------- */

static bool square_read(tby_square *out, PyObject *name)
{
    Py_ssize_t n = 0;
    const char *s = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &n) : NULL;
    const bool is_square = s && n == 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8';
    *out = is_square ? TBY_SQUARE(s[0] - 'a', s[1] - '1') : TBY_NO_SQUARE;
    if (!is_square && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a square is a letter from a to h and a digit from 1 to 8");
    return is_square;
}

/* "P", "n"; None for an empty square. */
static PyObject *piece_new(PyObject *self, tby_square square)
{
    static const char letters[] = " PBNRKQ  pbnrkq ";
    const tby_piece piece = tby_board_piece(&pos_of(self)->board, square);
    if (piece == TBY_NO_PIECE)
        Py_RETURN_NONE;
    return PyUnicode_FromStringAndSize(letters + (piece & 15), 1);
}

static PyObject *piece_at(PyObject *self, PyObject *name)
{
    tby_square square;
    return square_read(&square, name) ? piece_new(self, square) : NULL;
}

static PyObject *pieces(PyObject *self, PyObject *none)
{
    PyObject *found = PyDict_New();
    for (tby_square square = 0; found && square < 64; square++)
        if (tby_board_piece(&pos_of(self)->board, square) != TBY_NO_PIECE)
            dict_put(&found, square_new(square), piece_new(self, square));
    return found;
}

/* The squares of a set, from a1 on. */
static PyObject *square_list(tby_bitboard squares)
{
    PyObject *list = PyList_New(0);
    for (tby_square square = 0; list && square < 64; square++)
        if (squares >> square & 1)
            list_append(&list, square_new(square));
    return list;
}

static PyObject *attackers(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"square", "by", NULL};
    static const char *const colors[] = {"white", "black", NULL};
    PyObject *name;
    const char *by = NULL;
    tby_square square;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|z:attackers", names, &name, &by) || !square_read(&square, name))
        return NULL;
    const int color = by ? word_read(colors, by, "a colour is \"white\" or \"black\"") : TBY_WHITE;
    if (color < 0)
        return NULL;
    tby_bitboard found = tby_position_attackers(pos_of(self), square, (tby_color)color);
    if (!by)
        found |= tby_position_attackers(pos_of(self), square, TBY_BLACK);
    return square_list(found);
}

GETTER(get_checkers, square_list(tby_position_checkers(pos_of(self))));

/* A reader for planes_new, whose context is the position. */
static bool setup_of(tby_setup *out, const void *pos, Py_ssize_t row)
{
    tby_position_setup(out, pos);
    return true;
}

static PyObject *planes_of(PyObject *self, bool are_planes)
{
    PyObject *all = planes_new(1, setup_of, pos_of(self), are_planes), *one = all ? PySequence_GetItem(all, 0) : NULL;
    Py_XDECREF(all);
    return one;
}

METHOD(bitboards, planes_of(self, false));
METHOD(planes, planes_of(self, true));

/* ---- Notations -------------------------------------------------------------------------------------------------- */

static const tby_position_notation *notation_find(const char *name)
{
    const tby_position_notation *found = tby_position_notation_find(name, strlen(name));
    if (!found)
        PyErr_Format(PyExc_ValueError, "there is no notation of positions called \"%s\"", name);
    return found;
}

static PyObject *write_to(PyObject *self, PyObject *args)
{
    const char *name;
    buffer text = {0};
    tby_setup setup;
    tby_error err = {.status = TBY_OK};
    if (!PyArg_ParseTuple(args, "s:to", &name))
        return NULL;
    const tby_position_notation *notation = notation_find(name);
    if (!notation)
        return NULL;
    tby_position_setup(&setup, pos_of(self));
    const size_t cap = notation->size ? notation->size : notation->write(NULL, 0, &setup, 0, NULL) + 1;
    if (buffer_reserve(&text, cap))
        text.n = notation->write(text.s, cap, &setup, 0, &err);
    if (text.n > 0 || !err.status)
        return text_end(&text);
    buffer_free(&text);
    return error_raise_plain(&err);
}

static PyObject *read_from(PyObject *type, PyObject *args)
{
    const char *name, *s;
    Py_ssize_t n;
    tby_setup setup;
    tby_error err = {.status = TBY_OK};
    if (!PyArg_ParseTuple(args, "ss#:read", &name, &s, &n))
        return NULL;
    const tby_position_notation *notation = notation_find(name);
    if (!notation)
        return NULL;
    if (!notation->read)
        return PyErr_Format(PyExc_ValueError, "%s can only be written", name);
    if (notation->read(&setup, s, (size_t)n, 0, NULL, &err) != TBY_OK)
        return error_raise_plain(&err);
    return position_of(&setup);
}

static PyObject *svg_new(const tby_position *pos, const tby_svg_options *options)
{
    buffer text = {0};
    const size_t n = tby_svg_write(NULL, 0, &pos->board, options);
    if (buffer_reserve(&text, n + 1))
        text.n = tby_svg_write(text.s, n + 1, &pos->board, options);
    return text_end(&text);
}

PyObject *svg_usual(const tby_position *pos, tby_move last_move)
{
    tby_svg_options o = {.pixels = 360, .flags = TBY_DIAGRAM_COORDINATES, .check = TBY_NO_SQUARE};
    o.last_move = last_move;
    return svg_new(pos, &o);
}

static PyObject *svg(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"size", "flipped", "coordinates", NULL};
    tby_svg_options o = {.pixels = 360, .check = TBY_NO_SQUARE};
    int is_flipped = 0, has_coordinates = 1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$Ipp:svg", names, &o.pixels, &is_flipped, &has_coordinates))
        return NULL;
    o.flags = (is_flipped ? TBY_DIAGRAM_BLACK_UP : 0u) | (has_coordinates ? TBY_DIAGRAM_COORDINATES : 0u);
    return svg_new(pos_of(self), &o);
}

METHOD(repr_svg, svg_usual(pos_of(self), TBY_MOVE_NONE));

static PyObject *position_str(PyObject *self)
{
    char text[TBY_DIAGRAM_SIZE];
    tby_diagram_write(text, sizeof text, &pos_of(self)->board, 0);
    return PyUnicode_FromString(text);
}

static PyObject *position_repr(PyObject *self)
{
    PyObject *fen = get_fen(self, NULL), *text = fen ? PyUnicode_FromFormat("Position('%U')", fen) : NULL;
    Py_XDECREF(fen);
    return text;
}

static Py_hash_t position_hash(PyObject *self) { return hash_of(tby_position_key(pos_of(self))); }

/* Compares positions, ignoring the clock and the move number. */
static PyObject *position_compare(PyObject *a, PyObject *b, int how)
{
    if ((how != Py_EQ && how != Py_NE) || !PyObject_TypeCheck(b, Position_type))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(tby_position_same(pos_of(a), pos_of(b)) == (how == Py_EQ));
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

METHOD(reduce, python_call("tabiya._copies", "position", self));

static PyGetSetDef attributes[] = {
    {"fen", get_fen, NULL, "the position in FEN", NULL},
    {"turn", get_turn, NULL, "\"white\" or \"black\"", NULL},
    {"fullmove", get_fullmove, NULL, "the number of the move to be played", NULL},
    {"halfmove_clock", get_clock, NULL, "half-moves since the last capture or pawn move", NULL},
    {"ply", get_ply, NULL, "half-moves since the start, by the move number", NULL},
    {"en_passant", get_en_passant, NULL, "the en passant square if a capture is legal, else None", NULL},
    {"key", get_key, NULL, "64 bits, equal for the same position", NULL},
    {"placement_key", get_placement_key, NULL, "64 bits, equal for the same 64 squares", NULL},
    {"polyglot_key", get_polyglot_key, NULL, "the key of Polyglot's opening books", NULL},
    {"castling", get_castling, NULL, "who may still castle, as in FEN: \"KQkq\"; empty if nobody may", NULL},
    {"checkers", get_checkers, NULL, "the squares of the pieces that give check", NULL},
    {"chess960", get_chess960, NULL, "is castling written as king takes rook?", NULL},
    {"opening", get_opening, NULL, "ECO code and name, or None", NULL},
    {"legal_moves", get_legal_moves, NULL, "all legal moves, in a fixed order", NULL},
    {"is_check", get_check, NULL, "is the side to move in check?", NULL},
    {"is_checkmate", get_checkmate, NULL, "is it checkmate?", NULL},
    {"is_stalemate", get_stalemate, NULL, "is it stalemate?", NULL},
    {"is_insufficient_material", get_insufficient, NULL, "can neither side ever mate?", NULL},
    {"outcome", get_outcome, NULL, "result and reason if the game is over, else None", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nfor pickle and copy"},
    {"move", read_move, METH_O, "move($self, text, /)\n--\n\nthe legal move that a text in SAN or UCI means"},
    {"is_legal", is_legal, METH_O, "is_legal($self, move, /)\n--\n\nis it a legal move here?"},
    {"play", play, METH_VARARGS, "play($self, /, *moves)\n--\n\nthe position after these moves"},
    {"san", san, METH_O, "san($self, move, /)\n--\n\nthe move as SAN: \"Nf3\""},
    {"lan", lan, METH_O, "lan($self, move, /)\n--\n\nthe move in long algebraic notation: \"Ng1-f3\""},
    {"is_capture", is_capture, METH_O, "is_capture($self, move, /)\n--\n\ndoes it capture, en passant included?"},
    {"gives_check", gives_check, METH_O, "gives_check($self, move, /)\n--\n\ndoes it give check?"},
    {"attackers", KEYWORDS(attackers), METH_VARARGS | METH_KEYWORDS,
     "attackers($self, /, square, by=None)\n--\n\nthe squares of the pieces that attack a square, of "
     "both sides or of one"},
    {"perft", perft, METH_O, "perft($self, depth, /)\n--\n\nthe number of sequences of that many half-moves"},
    {"piece_at", piece_at, METH_O, "piece_at($self, square, /)\n--\n\n\"P\", \"n\" ..., or None"},
    {"pieces", pieces, METH_NOARGS, "pieces($self, /)\n--\n\na dict from squares to pieces"},
    {"bitboards", bitboards, METH_NOARGS,
     "bitboards($self, /)\n--\n\n15 bitboards, an array of numpy: see Table.bitboards"},
    {"planes", planes, METH_NOARGS,
     "planes($self, /)\n--\n\n15 x 8 x 8 bytes of 0 and 1, an array of numpy: see Table.planes"},
    {"to", write_to, METH_VARARGS,
     "to($self, notation, /)\n--\n\nthe position in a notation by name: fen, epd, boardinfo ..."},
    {"read", read_from, METH_VARARGS | METH_CLASS, "read($type, notation, text, /)\n--\n\na position of such a text"},
    {"chess960_start", chess960, METH_O | METH_CLASS, "chess960_start($type, number, /)\n--\n\none of the 960 starts"},
    {"svg", KEYWORDS(svg), METH_VARARGS | METH_KEYWORDS,
     "svg($self, /, *, size=360, flipped=False, coordinates=True)\n--\n\nthe board as an SVG image"},
    {"_repr_svg_", repr_svg, METH_NOARGS, "_repr_svg_($self, /)\n--\n\nan SVG image, for notebooks"},
    {"pack", pack, METH_NOARGS, "pack($self, /)\n--\n\nall six fields as a few bytes"},
    {"unpack", unpack, METH_O | METH_CLASS, "unpack($type, packed, /)\n--\n\nthe position of packed bytes"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Position(fen=None, *, chess960=False, any=False)\n--\n\nA playable position. It is immutable; "
                "playing a move returns a new one."},
    {Py_tp_new, position_make},
    {Py_tp_dealloc, object_free},
    {Py_tp_getattro, attribute_get},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_mp_subscript, piece_at},
    {Py_tp_str, position_str},
    {Py_tp_repr, position_repr},
    {Py_tp_hash, position_hash},
    {Py_tp_richcompare, position_compare},
    {0},
};
PyType_Spec Position_spec = {"tabiya.Position", sizeof(position_object), 0, TYPE_MADE, slots};
