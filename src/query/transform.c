/*
 * transform.c - exchanges colours in a fact, mirrors it, or shifts it sideways.
 *
 * Castling depends on the side of the board: a mirrored or shifted fact about it is false. A `fen` or `board` covers
 * the whole board, so it cannot be shifted; a mirrored `fen` holds only if neither side may castle.
 */
#include "base/contract.h"
#include "query/facts.h"

#include "base/bitboard.h"

enum { NO_FILE = 8 };

query_transform transform_none(void) { return (query_transform){.file = {0, 1, 2, 3, 4, 5, 6, 7}}; }

query_transform transform_flip(query_transform t)
{
    t.flips = !t.flips;
    return t;
}

query_transform transform_mirror(query_transform t)
{
    const query_transform outer = t;
    for (int f = 0; f < 8; f++)
        t.file[f] = outer.file[7 - f];
    t.mirrors = !t.mirrors;
    return t;
}

query_transform transform_shift(query_transform t, int files)
{
    TBY_CONTRACT(files > -8 && files < 8);
    const query_transform outer = t;
    for (int f = 0; f < 8; f++)
        t.file[f] = f + files >= 0 && f + files < 8 ? outer.file[f + files] : NO_FILE;
    t.shifts |= files != 0;
    return t;
}

/* ---- Squares and pieces ------------------------------------------------------------------------------------ */

static tby_bitboard squares_of(const query_transform *t, tby_bitboard squares)
{
    tby_bitboard moved = 0;
    for (unsigned f = 0; f < 8; f++)
        if (t->file[f] < 8)
            moved |= (squares >> f & BB_FILE_A) << t->file[f];
    return t->flips ? __builtin_bswap64(moved) : moved;
}

/* TBY_NO_SQUARE for a square that leaves the board. */
static tby_square square_of(const query_transform *t, tby_square square)
{
    if (t->file[TBY_FILE(square)] == NO_FILE)
        return TBY_NO_SQUARE;
    return (tby_square)(((square & 56) | t->file[TBY_FILE(square)]) ^ (t->flips ? 56 : 0));
}

static uint16_t pieces_of(const query_transform *t, uint16_t pieces)
{
    return t->flips ? (uint16_t)((pieces & WHO_WHITE) << 8 | (pieces & WHO_BLACK) >> 8 | (pieces & WHO_EMPTY)) : pieces;
}

static void change_pieces(const query_transform *t, query_who *who)
{
    who->pieces = pieces_of(t, who->pieces);
    if (!who->is_anywhere)
        who->squares = squares_of(t, who->squares);
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

static void make_false(query_node *node)
{
    memset(node, 0, sizeof *node);
    node->type = Q_FALSE;
}

void turn_path(const query_transform *t, query_node *node)
{
    node->u.path.pieces = pieces_of(t, node->u.path.pieces);
    for (unsigned i = 0; i < node->u.path.n; i++)
        if ((node->u.path.squares[i] = square_of(t, node->u.path.squares[i])) == TBY_NO_SQUARE) {
            make_false(node);
            return;
        }
}

void turn_board(const query_transform *t, query_node *node)
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

void turn_pieces(const query_transform *t, query_node *node)
{
    change_pieces(t, &node->u.m.who[0]);
    change_pieces(t, &node->u.m.who[1]);
    node->u.m.promotion = pieces_of(t, node->u.m.promotion);
}

void turn_castles(const query_transform *t, query_node *node)
{
    if (t->mirrors || t->shifts)
        make_false(node);
}

void turn_rights(const query_transform *t, query_node *node)
{
    if (t->flips)
        node->number = (node->number << 2 & 12) | node->number >> 2;
    turn_castles(t, node);
}

void turn_material(const query_transform *t, query_node *node)
{
    if (!t->flips)
        return;
    exchange(node->u.material.least[0], node->u.material.least[1]);
    exchange(node->u.material.is_open[0], node->u.material.is_open[1]);
}

void turn_points(const query_transform *t, query_node *node) { node->number = t->flips ? -node->number : node->number; }

void turn_eval(const query_transform *t, query_node *node)
{
    static const uint8_t turned[] = {
        [OP_NONE] = OP_NONE, [OP_EQUAL] = OP_EQUAL,           [OP_UNEQUAL] = OP_UNEQUAL,       [OP_LESS] = OP_MORE,
        [OP_MORE] = OP_LESS, [OP_LESS_EQUAL] = OP_MORE_EQUAL, [OP_MORE_EQUAL] = OP_LESS_EQUAL,
    };
    if (!t->flips)
        return;
    node->op = turned[node->op];
    node->number = -node->number;
}

void turn_result(const query_transform *t, query_node *node)
{
    if (t->flips && (node->number == TBY_WHITE_WINS || node->number == TBY_BLACK_WINS))
        node->number = TBY_WHITE_WINS + TBY_BLACK_WINS - node->number;
}

/* Reverses a range of differences. */
static void turn_range(query_node *node)
{
    const int64_t low = node->u.range.low, high = node->u.range.high;
    node->u.range.low = high == INT64_MAX ? INT64_MIN : -high;
    node->u.range.high = low == INT64_MIN ? INT64_MAX : -low;
}

void transform_apply(const query_transform *t, query_node *node)
{
    const query_fact *fact = fact_of_node(node);
    if (t->flips && fact->flipped) {
        const query_fact *other = fact_find(fact->flipped, strlen(fact->flipped));
        node->type = (uint16_t)fact_type(other);
        node->number = other->number;
    }
    if (t->flips && fact->of == OF_DIFFERENCE)
        turn_range(node);
    if (fact->transform)
        fact->transform(t, node);
}
