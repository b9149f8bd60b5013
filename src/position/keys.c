/*
 * keys.c - the 64-bit keys of a placement and of a position, and the identity they stand for.
 *
 *     placement key   the 64 squares
 *     position key    placement, side to move, castling rights, and en passant only if a capture is legal:
 *                     what FIDE 9.2.3 calls the same position
 *
 * Neither move number nor clock is in a key. Equal keys mean the same position but for one chance in 2^64;
 * tby_position_same is certain.
 *
 * Keeps    the keys never change between releases: databases store them (constants: position/zobrist.h)
 */
#include "position/board.h"
#include "position/play.h"
#include "position/zobrist.h"

/* Bits that are no piece have the key 0 and count as an empty square. */
uint64_t tby_placement_key(const tby_board *board)
{
    uint64_t key = 0;
    for (tby_bitboard set = board_occupied(board); set; set = bb_rest(set))
        key ^= tby_zobrist_piece[board_piece(board, bb_first(set))][bb_first(set)];
    return key;
}

uint64_t tby_position_key(const tby_position *pos)
{
    uint64_t key = pos->placement_key ^ tby_zobrist_castling[TBY_WHITE][pos->castling & 0xff] ^
                   tby_zobrist_castling[TBY_BLACK][pos->castling >> 56];
    if (position_side(pos) == TBY_BLACK)
        key ^= tby_zobrist_black;
    if (pos->en_passant != TBY_NO_SQUARE && tby_position_en_passant_legal(pos) != TBY_NO_SQUARE)
        key ^= tby_zobrist_en_passant[TBY_FILE(pos->en_passant)];
    return key;
}

bool tby_position_same(const tby_position *a, const tby_position *b)
{
    for (int i = 0; i < 4; i++)
        if (a->board.plane[i] != b->board.plane[i])
            return false;
    return position_side(a) == position_side(b) && a->castling == b->castling &&
           tby_position_en_passant_legal(a) == tby_position_en_passant_legal(b);
}
