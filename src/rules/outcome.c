/*
 * outcome.c - is the game over, and why?
 *
 * If several reasons apply, the first in this order counts (FIDE 5.1.1, 5.2.1, 5.2.2, 9.6.2, 9.6.1):
 *
 *     checkmate, stalemate, dead position, seventy-five moves, fivefold repetition
 *     and, if the caller says that a player claims: fifty moves (9.3), threefold repetition (9.2)
 *
 * Mate comes first: it ends the game even on the move that completes the seventy-five (9.6.2).
 */
#include "position/play.h"

static tby_reason reason_of(const tby_position *pos, unsigned n_times, tby_verdict dead, bool with_claims)
{
    if (!tby_moves_any(pos))
        return tby_position_is_check(pos) ? TBY_CHECKMATE : TBY_STALEMATE;
    if (dead == TBY_YES || tby_material_is_draw(&pos->board))
        return TBY_DEAD_POSITION;
    if (tby_move_clock_is_seventy_five(pos))
        return TBY_SEVENTY_FIVE_MOVES;
    if (n_times >= TBY_FIVEFOLD_TIMES)
        return TBY_FIVEFOLD;
    if (with_claims && tby_move_clock_is_fifty(pos))
        return TBY_FIFTY_MOVES;
    if (with_claims && n_times >= TBY_THREEFOLD_TIMES)
        return TBY_THREEFOLD;
    return TBY_REASON_NONE;
}

tby_outcome tby_outcome_of(const tby_position *pos, unsigned n_times, tby_verdict dead, bool with_claims)
{
    tby_outcome outcome = {TBY_DRAW, reason_of(pos, n_times, dead, with_claims)};
    if (outcome.reason == TBY_REASON_NONE)
        outcome.result = TBY_RESULT_NONE;
    if (outcome.reason == TBY_CHECKMATE)
        outcome.result = position_side(pos) == TBY_WHITE ? TBY_BLACK_WINS : TBY_WHITE_WINS;
    return outcome;
}

const char *tby_reason_text(tby_reason reason)
{
    switch (reason) {
    case TBY_REASON_NONE: return "";
    case TBY_CHECKMATE: return "checkmate";
    case TBY_STALEMATE: return "stalemate";
    case TBY_DEAD_POSITION: return "dead position";
    case TBY_SEVENTY_FIVE_MOVES: return "seventy-five moves";
    case TBY_FIVEFOLD: return "fivefold repetition";
    case TBY_FIFTY_MOVES: return "fifty moves";
    case TBY_THREEFOLD: return "threefold repetition";
    }
    return "";
}

/* ---- The present position (FIDE 3.9, 5.1.1, 5.2.1) --------------------------------------------------------------- */

bool tby_position_is_check(const tby_position *pos) { return tby_position_checkers(pos) != 0; }

bool tby_position_is_checkmate(const tby_position *pos) { return tby_position_is_check(pos) && !tby_moves_any(pos); }

bool tby_position_is_stalemate(const tby_position *pos) { return !tby_position_is_check(pos) && !tby_moves_any(pos); }
