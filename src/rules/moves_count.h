/*
 * moves_count.h - finds, for most positions without generating a move, that there are more legal moves than a small
 * number.
 */
#ifndef TBY_RULES_MOVES_COUNT_H
#define TBY_RULES_MOVES_COUNT_H

#include "position/attackers.h"

/* The pieces of `us` that share no line with their king: none of them is pinned, so all their moves are legal unless
   the king is in check. */
TBY_INLINE tby_bitboard free_pieces(const tby_board *b, tby_color us)
{
    const unsigned king = board_king(b, us);
    return board_color(b, us) & ~(rook_rays(king) | bishop_rays(king));
}

/* Adds the moves of free pieces other than pawns to `n` until it exceeds `most`. Out of line, because the pawn moves
   are usually enough. */
static __attribute__((noinline, unused)) size_t count_free_pieces(const tby_board *b, tby_color us, size_t n,
                                                                  size_t most)
{
    const tby_bitboard occupied = board_occupied(b), targets = ~board_color(b, us), pieces = free_pieces(b, us);
    for (tby_bitboard set = board_knights(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(knight_attacks(bb_first(set)) & targets);
    for (tby_bitboard set = board_line_sliders(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(rook_attacks(bb_first(set), occupied) & targets);
    for (tby_bitboard set = board_diagonal_sliders(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(bishop_attacks(bb_first(set), occupied) & targets);
    return n;
}

/* True only if there are more than `most` legal moves; false may mean either. */
TBY_INLINE bool moves_surely_exceed(const tby_board *b, tby_color us, size_t most)
{
    size_t n = bb_count(bb_forward(board_pawns(b) & free_pieces(b, us), us) & ~board_occupied(b));
    if (n <= most)
        n = count_free_pieces(b, us, n, most);
    return n > most && !king_attackers(b, us);
}

#endif
