/*
 * moves_write.c - the legal moves of a position as one line of text.
 */
#include "tabiya_value.h"

bool tby_moves_write(const tby_position *pos, const tby_move_notation *notation, tby_sink sink, void *context)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    tby_moves_sort(moves, n_moves);
    for (size_t i = 0; i < n_moves; i++) {
        char text[64] = " ";
        tby_error err;
        const size_t n = notation->write(text + 1, sizeof text - 1, pos, moves[i], 0, &err);
        if (err.status != TBY_OK || !sink(context, text + (i == 0), n + (i > 0)))
            return false;
    }
    return true;
}
