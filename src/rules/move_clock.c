/*
 * move_clock.c - moves without a capture or a pawn move: a draw can be claimed after fifty, and is one after
 * seventy-five.
 *
 * "Fifty moves" are fifty of each side: 100 half-moves (FIDE 9.3); seventy-five are 150 (FIDE 9.6.2). Playing a move
 * updates the clock. A player may claim before moving if the announced move completes the fifty; after mate or
 * stalemate there is nothing to claim.
 */
#include "position/play.h"

bool tby_move_clock_is_fifty(const tby_position *pos) { return pos->clock >= TBY_FIFTY_MOVE_PLIES; }

bool tby_move_clock_is_seventy_five(const tby_position *pos) { return pos->clock >= TBY_SEVENTY_FIVE_MOVE_PLIES; }

static bool keeps_clock(const tby_position *pos, tby_move m)
{
    const tby_piece piece = board_piece(&pos->board, TBY_MOVE_FROM(m));
    return TBY_PIECE_KIND(piece) != TBY_PAWN && tby_move_captured(pos, m) == TBY_NO_PIECE;
}

bool tby_move_clock_can_claim_fifty(const tby_position *pos)
{
    if (pos->clock >= TBY_FIFTY_MOVE_PLIES)
        return tby_moves_any(pos);
    if (pos->clock != TBY_FIFTY_MOVE_PLIES - 1)
        return false;
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n_moves; i++)
        if (keeps_clock(pos, moves[i]))
            return true;
    return false;
}
