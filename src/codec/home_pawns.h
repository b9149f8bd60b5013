/*
 * home_pawns.h - the pawns on their initial squares: a pawn that has left its square never comes back.
 */
#ifndef TBY_CODEC_HOME_PAWNS_H
#define TBY_CODEC_HOME_PAWNS_H

#include "position/board.h"

/* The squares of these pawns. */
TBY_INLINE tby_bitboard home_pawn_squares(const tby_board *b)
{
    return board_pawns(b) & ((BB_RANK_2 & ~board_black(b)) | (BB_RANK_7 & board_black(b)));
}

/* The same in 16 bits: 0-7 white's a2 to h2, 8-15 black's a7 to h7. */
TBY_INLINE unsigned home_pawn_bits(tby_bitboard squares)
{
    return (unsigned)(squares >> 8 & 0xff) | (unsigned)(squares >> 40 & 0xff00);
}

#endif
