/*
 * key.h - the keys of a placement and of a position, for those who compute them often.
 */
#ifndef TBY_POSITION_KEY_H
#define TBY_POSITION_KEY_H

#include "position/en_passant.h"
#include "position/play.h"

/* Bits that are no piece count as empty squares. */
TBY_INLINE uint64_t placement_key(const tby_board *b)
{
    const tby_bitboard nonsense = (b->plane[0] & b->plane[1] & b->plane[2]) | (board_black(b) & ~board_occupied(b));
    uint64_t key = 0;
    for (int i = 0; i < 4; i++)
        for (int rank = 0; rank < 8; rank++)
            key ^= tby_zobrist_planes[i][rank][((b->plane[i] & ~nonsense) >> (8 * rank)) & 0xff];
    return key;
}

/* What en passant adds where a pawn stands ready: rare, so out of line. */
static __attribute__((noinline, cold, unused)) uint64_t en_passant_key(const tby_position *pos, tby_color us)
{
    const tby_square king = board_king(&pos->board, us);
    return en_passant_capturers(&pos->board, pos->en_passant, king, us)
               ? tby_zobrist_en_passant[TBY_FILE(pos->en_passant)]
               : 0;
}

/* See zobrist.h. `us` is the side to move. */
TBY_INLINE uint64_t position_key(const tby_position *pos, tby_color us)
{
    uint64_t key = pos->placement_key ^ tby_zobrist_castling[TBY_WHITE][pos->castling & 0xff] ^
                   tby_zobrist_castling[TBY_BLACK][pos->castling >> 56];
    key ^= us == TBY_BLACK ? tby_zobrist_black : 0;
    if (pos->en_passant != TBY_NO_SQUARE && en_passant_ready(&pos->board, pos->en_passant, us))
        key ^= en_passant_key(pos, us);
    return key;
}

#endif
