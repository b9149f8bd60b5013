/*
 * target_square.h - the square that a move's text names as its target.
 *
 * It is where the moving piece ends up; for castling, the king's destination. In Chess960 a king next to that square
 * may also be able to step there (Kf1-g1 and O-O): then castling names its rook's square, where no own piece can move.
 * So only promotions share origin and target with another legal move.
 */
#ifndef TBY_NOTATION_TARGET_SQUARE_H
#define TBY_NOTATION_TARGET_SQUARE_H

#include "base/attacks.h"
#include "position/play.h"

/* `m` is legal, so the castling king's destination is empty or its rook's square, and safe. */
static inline tby_square move_target(tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    if (!TBY_MOVE_IS_CASTLING(m))
        return to;
    const tby_square king_to = castling_king_to(from, to);
    return king_attacks(from) & bb_square(king_to) ? to : king_to;
}

#endif
