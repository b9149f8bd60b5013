/*
 * transform.c - a fact with colours exchanged, mirrored, or moved sideways.
 *
 * Castling depends on the side of the board: a mirrored or shifted fact about it is false. A `fen` or `board` is the
 * whole board, which cannot be shifted; a mirrored `fen` holds only where nobody may castle.
 */
#include "query/transform.h"

#include "base/bitboard.h"

enum { NO_FILE = 8 };

query_transform tby_transform_none(void) { return (query_transform){.file = {0, 1, 2, 3, 4, 5, 6, 7}}; }

query_transform tby_transform_flip(query_transform t)
{
    t.flips = !t.flips;
    return t;
}

query_transform tby_transform_mirror(query_transform t)
{
    const query_transform outer = t;
    for (int f = 0; f < 8; f++)
        t.file[f] = outer.file[7 - f];
    t.mirrors = !t.mirrors;
    return t;
}

query_transform tby_transform_shift(query_transform t, int files)
{
    const query_transform outer = t;
    for (int f = 0; f < 8; f++)
        t.file[f] = f + files >= 0 && f + files < 8 ? outer.file[f + files] : NO_FILE;
    t.shifts |= files != 0;
    return t;
}

/* ---- Squares and men ------------------------------------------------------------------------------------ */

static tby_bitboard squares_of(const query_transform *t, tby_bitboard squares)
{
    tby_bitboard moved = 0;
    for (unsigned f = 0; f < 8; f++)
        if (t->file[f] < 8)
            moved |= (squares >> f & BB_FILE_A) << t->file[f];
    return t->flips ? __builtin_bswap64(moved) : moved;
}

/* TBY_NO_SQUARE for one that has left the board. */
static tby_square square_of(const query_transform *t, tby_square square)
{
    if (t->file[TBY_FILE(square)] == NO_FILE)
        return TBY_NO_SQUARE;
    return (tby_square)(((square & 56) | t->file[TBY_FILE(square)]) ^ (t->flips ? 56 : 0));
}

static uint16_t pieces_of(const query_transform *t, uint16_t pieces)
{
    return t->flips ? (uint16_t)((pieces & MEN_WHITE) << 8 | (pieces & MEN_BLACK) >> 8 | (pieces & MEN_EMPTY)) : pieces;
}

static void change_men(const query_transform *t, query_men *men)
{
    men->pieces = pieces_of(t, men->pieces);
    if (!men->is_anywhere)
        men->squares = squares_of(t, men->squares);
}

static int64_t rights_of(const query_transform *t, int64_t rights)
{
    return t->flips ? (rights << 2 & 12) | rights >> 2 : rights;
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

static void make_false(query_node *node)
{
    memset(node, 0, sizeof *node);
    node->type = Q_FALSE;
}

static void change_path(const query_transform *t, query_node *node)
{
    node->u.path.pieces = pieces_of(t, node->u.path.pieces);
    for (unsigned i = 0; i < node->u.path.n; i++)
        if ((node->u.path.squares[i] = square_of(t, node->u.path.squares[i])) == TBY_NO_SQUARE) {
            make_false(node);
            return;
        }
}

static void change_board(const query_transform *t, query_node *node)
{
    tby_board *b = &node->u.board.board;
    if (t->shifts) {
        make_false(node);
        return;
    }
    if (t->flips)
        b->plane[3] = (b->plane[0] | b->plane[1] | b->plane[2]) & ~b->plane[3];
    for (int i = 0; i < 4; i++)
        b->plane[i] = squares_of(t, b->plane[i]);
    if (node->type == Q_BOARD)
        return;
    node->u.board.castling = t->mirrors ? 0 : squares_of(t, node->u.board.castling);
    node->u.board.side ^= t->flips;
    if (node->u.board.en_passant != TBY_NO_SQUARE)
        node->u.board.en_passant = square_of(t, node->u.board.en_passant);
}

static void exchange(uint8_t a[8], uint8_t b[8])
{
    uint8_t c[8];
    memcpy(c, a, 8);
    memcpy(a, b, 8);
    memcpy(b, c, 8);
}

/* What only the exchange of colours changes. */
static void flip(query_node *node)
{
    static const uint8_t turned[] = {
        [OP_NONE] = OP_NONE, [OP_EQUAL] = OP_EQUAL,           [OP_UNEQUAL] = OP_UNEQUAL,       [OP_LESS] = OP_MORE,
        [OP_MORE] = OP_LESS, [OP_LESS_EQUAL] = OP_MORE_EQUAL, [OP_MORE_EQUAL] = OP_LESS_EQUAL,
    };
    switch (node->type) {
    case Q_MATERIAL:
        exchange(node->u.material.least[0], node->u.material.least[1]);
        exchange(node->u.material.is_open[0], node->u.material.is_open[1]);
        break;
    case Q_TERM_POINTS: node->number = -node->number; break;
    case Q_SIDE: node->number = !node->number; break;
    case Q_EVAL:
        node->op = turned[node->op];
        node->number = -node->number;
        break;
    case Q_WHITE: node->type = Q_BLACK; break;
    case Q_BLACK: node->type = Q_WHITE; break;
    case Q_WHITE_ELO: node->type = Q_BLACK_ELO; break;
    case Q_BLACK_ELO: node->type = Q_WHITE_ELO; break;
    case Q_RESULT:
        if (node->number == TBY_WHITE_WINS || node->number == TBY_BLACK_WINS)
            node->number = TBY_WHITE_WINS + TBY_BLACK_WINS - node->number;
        break;
    default: break;
    }
}

void tby_transform_apply(const query_transform *t, query_node *node)
{
    switch (node->type) {
    case Q_MEN:
    case Q_TERM_MEN: change_men(t, &node->u.m.men[0]); break;
    case Q_ATTACKS:
    case Q_MOVE:
        change_men(t, &node->u.m.men[0]);
        change_men(t, &node->u.m.men[1]);
        node->u.m.promotion = pieces_of(t, node->u.m.promotion);
        break;
    case Q_PATH: change_path(t, node); break;
    case Q_FEN:
    case Q_BOARD: change_board(t, node); break;
    case Q_CASTLING:
    case Q_CASTLES:
        node->number = rights_of(t, node->number);
        if (t->mirrors || t->shifts)
            make_false(node);
        break;
    default:
        if (t->flips)
            flip(node);
    }
}
