/*
 * keys.c - the 64-bit keys of a placement and of a position, and the identity they stand for.
 *
 *     placement key   the 64 squares
 *     position key    placement, side to move, castling rights, and en passant only if a capture is legal:
 *                     what FIDE 9.2.3 calls the same position
 *
 * Neither the move number nor the clock is part of a key. Equal keys mean the same position, with a 1 in 2^64 chance of
 * being wrong; tby_position_same is certain.
 *
 * Keeps    the keys never change between releases: databases store them (constants: base/tables.h)
 */
#include "position/key.h"

uint64_t tby_placement_key(const tby_board *board) { return placement_key(board); }

uint64_t tby_position_key(const tby_position *pos) { return position_key(pos, position_side(pos)); }

bool tby_position_same(const tby_position *a, const tby_position *b)
{
    for (int i = 0; i < 4; i++)
        if (a->board.plane[i] != b->board.plane[i])
            return false;
    return position_side(a) == position_side(b) && a->castling == b->castling &&
           tby_position_en_passant_legal(a) == tby_position_en_passant_legal(b);
}
