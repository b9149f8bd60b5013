/*
 * en_passant.h - whether an en passant square is sound, and which pawns may legally capture there.
 *
 * Two pawns leave their squares at once, so pins alone do not decide: the capture is played on the set of occupied
 * squares, and the own king must not be attacked afterwards.
 */
#ifndef TBY_POSITION_EN_PASSANT_H
#define TBY_POSITION_EN_PASSANT_H

#include "position/attackers.h"

/* Has a pawn just stepped over `target`, with `us` to move? NULL, or why not. */
TBY_INLINE const char *en_passant_flaw(const tby_board *b, unsigned target, tby_color us)
{
    const tby_color them = color_other(us);
    const tby_bitboard passed = bb_square(target), origin = bb_forward(passed, us), pawn = bb_forward(passed, them);
    if (!(passed & (us == TBY_WHITE ? BB_RANK_6 : BB_RANK_3)))
        return us == TBY_WHITE ? "rank 6 expected, white is to move" : "rank 3 expected, black is to move";
    if (board_occupied(b) & (passed | origin))
        return "a piece stands where the pawn came from or passed";
    if (!(board_pawns(b) & board_color(b, them) & pawn))
        return "no pawn has just passed this square";
    return NULL;
}

/* The same for any value of an en passant square, including TBY_NO_SQUARE. */
TBY_INLINE bool en_passant_is_sound(const tby_board *b, unsigned target, tby_color us)
{
    return target == TBY_NO_SQUARE || (target < TBY_NO_SQUARE && !en_passant_flaw(b, target, us));
}

/* The pawns of `us` that stand ready to capture on `target`. */
TBY_INLINE tby_bitboard en_passant_ready(const tby_board *b, unsigned target, tby_color us)
{
    return bb_pawn_attacks(bb_square(target), color_other(us)) & board_pawns(b) & board_color(b, us);
}

TBY_INLINE bool en_passant_is_safe(const tby_board *b, unsigned from, unsigned target, unsigned king, tby_color us)
{
    const tby_bitboard captured = bb_square(target ^ 8);
    const tby_bitboard occupied = (board_occupied(b) ^ bb_square(from) ^ captured) | bb_square(target);
    return !(attackers_to(b, king, occupied) & board_color(b, color_other(us)) & ~captured);
}

TBY_INLINE tby_bitboard en_passant_capturers(const tby_board *b, unsigned target, unsigned king, tby_color us)
{
    tby_bitboard capturers = en_passant_ready(b, target, us);
    for (tby_bitboard set = capturers; set; set = bb_rest(set))
        if (!en_passant_is_safe(b, bb_first(set), target, king, us))
            capturers ^= set & -set;
    return capturers;
}

#endif
