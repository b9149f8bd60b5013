/*
 * key.h - the keys of a placement and of a position, for those who compute them often.
 */
#ifndef TBY_POSITION_KEY_H
#define TBY_POSITION_KEY_H

#include "position/en_passant.h"
#include "position/play.h"

TBY_INLINE uint64_t placement_key_of_set(tby_bitboard set, tby_piece piece)
{
    uint64_t key = 0;
    for (; set; set = bb_rest(set))
        key ^= tby_zobrist_piece[piece][bb_first(set)];
    return key;
}

/* Bits that are no piece count as empty squares. */
TBY_INLINE uint64_t placement_key(const tby_board *b)
{
    const tby_bitboard black = board_black(b), nonsense = b->plane[0] & b->plane[1] & b->plane[2];
    uint64_t key = 0;
    for (int color = 0; color < 2; color++) {
        const tby_bitboard own = (color ? black : ~black) & ~nonsense;
        key ^= placement_key_of_set(board_pawns(b) & own, TBY_PIECE(color, TBY_PAWN));
        key ^= placement_key_of_set(board_knights(b) & own, TBY_PIECE(color, TBY_KNIGHT));
        key ^= placement_key_of_set(board_bishops(b) & own, TBY_PIECE(color, TBY_BISHOP));
        key ^= placement_key_of_set(board_rooks(b) & own, TBY_PIECE(color, TBY_ROOK));
        key ^= placement_key_of_set(board_queens(b) & own, TBY_PIECE(color, TBY_QUEEN));
        key ^= placement_key_of_set(board_kings(b) & own, TBY_PIECE(color, TBY_KING));
    }
    return key;
}

/* See zobrist.h. `us` is the side to move. */
TBY_INLINE uint64_t position_key(const tby_position *pos, tby_color us)
{
    uint64_t key = pos->placement_key ^ tby_zobrist_castling[TBY_WHITE][pos->castling & 0xff] ^
                   tby_zobrist_castling[TBY_BLACK][pos->castling >> 56];
    if (us == TBY_BLACK)
        key ^= tby_zobrist_black;
    if (pos->en_passant != TBY_NO_SQUARE && en_passant_ready(&pos->board, pos->en_passant, us) &&
        en_passant_capturers(&pos->board, pos->en_passant, board_king(&pos->board, us), us))
        key ^= tby_zobrist_en_passant[TBY_FILE(pos->en_passant)];
    return key;
}

#endif
