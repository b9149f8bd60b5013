/*
 * moves_count.h - tells of most positions, without generating a move, that they have more legal moves than a small
 * number.
 */
#ifndef TBY_RULES_MOVES_COUNT_H
#define TBY_RULES_MOVES_COUNT_H

#include "position/attackers.h"

/* Moves of men that stand on no line with their king, counted until there are more than `most`. No such man is pinned:
   all these moves are legal if the king is not in check. */
TBY_INLINE size_t moves_count_free(const tby_board *b, tby_color us, size_t most)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us);
    const unsigned king = board_king(b, us);
    const tby_bitboard free = own & ~(tby_rook_rays[king] | tby_bishop_rays[king]);
    size_t n = bb_count(bb_forward(board_pawns(b) & free, us) & ~occupied);
    for (tby_bitboard set = board_knights(b) & free; set && n <= most; set = bb_rest(set))
        n += bb_count(knight_attacks(bb_first(set)) & ~own);
    for (tby_bitboard set = board_line_sliders(b) & free; set && n <= most; set = bb_rest(set))
        n += bb_count(rook_attacks(bb_first(set), occupied) & ~own);
    for (tby_bitboard set = board_diagonal_sliders(b) & free; set && n <= most; set = bb_rest(set))
        n += bb_count(bishop_attacks(bb_first(set), occupied) & ~own);
    return n;
}

/* True only if there are more than `most` legal moves; false says nothing. */
TBY_INLINE bool moves_surely_exceed(const tby_board *b, tby_color us, size_t most)
{
    return moves_count_free(b, us, most) > most && !king_attackers(b, us);
}

#endif
