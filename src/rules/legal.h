/*
 * legal.h - is a move that a piece can make legal, too: is its king safe afterwards?
 */
#ifndef TBY_RULES_LEGAL_H
#define TBY_RULES_LEGAL_H

#include "position/en_passant.h"
#include "position/play.h"
#include "rules/movegen.h"

/* The pieces among `origins` that may go to `to`. They are own pieces that attack `to`, not the king: a check must be
   answered, and a pinned piece must stay on its line. Does not support en passant. */
TBY_INLINE tby_bitboard legal_origins(tby_bitboard origins, unsigned to, unsigned king, const king_bonds *bonds)
{
    const tby_bitboard target = bb_square(to);
    if (bonds->checkers) {
        if (bb_many(bonds->checkers))
            return 0;
        if (!((squares_between(king, bb_first(bonds->checkers)) | bonds->checkers) & target))
            return 0;
    }
    for (tby_bitboard set = origins & (bonds->pin_lines | bonds->pin_diagonals); set; set = bb_rest(set)) {
        const tby_bitboard origin = set & -set;
        if (!((squares_between(king, bb_first(set)) & target) | (squares_between(king, to) & origin)))
            origins ^= origin;
    }
    return origins;
}

TBY_INLINE bool king_move_is_safe(const tby_board *b, unsigned king, unsigned to, tby_color us)
{
    const tby_bitboard occupied = board_occupied(b) ^ bb_square(king);
    return !(attackers_to(b, to, occupied) & board_color(b, color_other(us)));
}

/* The rook to castle with, on that side of the king; 0 if the right is gone. */
TBY_INLINE tby_bitboard castling_rook(const tby_position *pos, unsigned king, tby_color us, bool king_side)
{
    const tby_bitboard rooks = pos->castling & bb_back_rank(us), above = ~(bb_square(king) | (bb_square(king) - 1));
    return rooks & (king_side ? above : ~above);
}

TBY_INLINE bool castling_is_legal(const tby_position *pos, unsigned king, unsigned rook, tby_color us)
{
    const tby_bitboard occupied = board_occupied(&pos->board) ^ bb_square(king);
    const tby_bitboard attacked = attacked_squares(&pos->board, color_other(us), occupied, NULL);
    return !(attacked & bb_square(king)) && castling_is_free(&pos->board, king, rook) &&
           castling_is_safe(&pos->board, us, king, rook, attacked);
}

#endif
