/*
 * short_move.h - the short texts of all legal moves of a position at once, and the target that a text names.
 */
#ifndef TBY_NOTATION_SHORT_MOVE_H
#define TBY_NOTATION_SHORT_MOVE_H

#include "base/attacks.h"
#include "position/play.h"

/* `moves` are all legal moves of `pos`, in any order; out[i] becomes the text of moves[i]. Takes linear time. */
void short_moves_write_all(char (*out)[TBY_SHORT_MOVE_SIZE], const tby_position *pos, const tby_move *moves,
                           size_t n_moves);

/* ---- The square that a move's text names as its target ----------------------------------------------------------- */

/*
 * It is where the moving piece ends up; for castling, the king's destination. In Chess960 a king next to that square
 * may also be able to step there (Kf1-g1 and O-O): then castling names its rook's square, where no own piece can move.
 * So only promotions share origin and target with another legal move.
 *
 * `m` is legal, so the castling king's destination is empty or its rook's square, and safe.
 */
static inline tby_square move_target(tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    if (!TBY_MOVE_IS_CASTLING(m))
        return to;
    const tby_square king_to = castling_king_to(from, to);
    return king_attacks(from) & bb_square(king_to) ? to : king_to;
}

#endif
