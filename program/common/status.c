/*
 * status.c - collects everything that the rules say about one position.
 *
 * The FEN is read twice: as it is written, so that castling rights and en passant squares that the board contradicts
 * are shown as faults; and without them, as all other commands read it, for what the rules say.
 */
#include "status.h"

#include <stdlib.h>

static bool search_dead_position(status *s, problem *p)
{
    const size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    void *memory = calloc(size, 1);
    if (!memory)
        return problem_no_memory(p);
    s->dead = tby_dead_position(&s->position, memory, size);
    free(memory);
    return true;
}

static bool ask_rules(status *s, problem *p)
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
    if (!search_dead_position(s, p))
        return false;
    s->fifty = tby_move_clock_is_fifty(pos);
    s->seventy_five = tby_move_clock_is_seventy_five(pos);
    s->outcome = tby_outcome_of(pos, 1, s->dead, false);
    tby_opening_of(&s->opening, pos);
    return true;
}

bool status_read(status *out, span fen, unsigned flags, tby_faults allowed, problem *p)
{
    tby_setup mended;
    *out = (status){0};
    if (!fen_setup(&out->setup, fen, flags | TBY_FEN_RAW, NULL, p) ||
        !fen_setup(&mended, fen, flags, &out->warnings, p))
        return false;
    out->faults = tby_setup_faults(&out->setup);
    out->legal = !(out->faults & ~allowed);
    out->playable = tby_position_init(&out->position, &mended, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
    return !out->playable || ask_rules(out, p);
}
