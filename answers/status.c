/*
 * status.c - asks the rules all that they say about one position.
 *
 * The FEN is read raw, so that castling rights and en passant squares that the board does not bear out are shown as
 * faults instead of being dropped.
 */
#include "status.h"

#include <stdlib.h>

static tby_verdict dead_position(const tby_position *pos)
{
    size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    void *memory = memory_new(size, 1);
    tby_verdict dead = tby_dead_position(pos, memory, size);
    free(memory);
    return dead;
}

/* The library's answer knows dead positions by material only; the search above may know more. Reasons are numbered in
   the order in which they count. */
static tby_outcome outcome_of(const tby_position *pos, tby_verdict dead)
{
    tby_outcome outcome = tby_outcome_of(pos, NULL, 0, false);
    if (dead == TBY_YES && (outcome.reason == TBY_REASON_NONE || outcome.reason > TBY_DEAD_POSITION))
        outcome = (tby_outcome){TBY_DRAW, TBY_DEAD_POSITION};
    return outcome;
}

static void ask_rules(status *s)
{
    const tby_position *pos = &s->position;
    const tby_board *board = &s->setup.board;
    s->n_moves = tby_moves_count(pos);
    s->check = tby_position_is_check(pos);
    s->checkmate = tby_position_is_checkmate(pos);
    s->stalemate = tby_position_is_stalemate(pos);
    s->insufficient[TBY_WHITE] = tby_material_is_insufficient(board, TBY_WHITE);
    s->insufficient[TBY_BLACK] = tby_material_is_insufficient(board, TBY_BLACK);
    s->insufficient_both = tby_material_is_draw(board);
    s->dead = dead_position(pos);
    s->fifty = tby_move_clock_is_fifty(pos);
    s->seventy_five = tby_move_clock_is_seventy_five(pos);
    s->outcome = outcome_of(pos, s->dead);
    tby_opening_of(&s->opening, pos);
}

bool status_read(status *out, const fen_input *fen, unsigned flags, tby_faults allowed)
{
    *out = (status){0};
    if (!setup_read(&out->setup, fen, flags | TBY_FEN_RAW, &out->warnings))
        return false;
    out->faults = tby_setup_faults(&out->setup);
    out->legal = !(out->faults & ~allowed);
    out->playable = tby_position_init(&out->position, &out->setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
    if (out->playable)
        ask_rules(out);
    return true;
}
