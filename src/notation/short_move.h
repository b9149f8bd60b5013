/*
 * short_move.h - the short texts of all legal moves of a position at once.
 */
#ifndef TBY_NOTATION_SHORT_MOVE_H
#define TBY_NOTATION_SHORT_MOVE_H

#include "tabiya.h"

/* `moves` are all legal moves of `pos`, in any order; out[i] becomes the text of moves[i]. Takes linear time. */
void short_moves_write_all(char (*out)[TBY_SHORT_MOVE_SIZE], const tby_position *pos, const tby_move *moves,
                           size_t n_moves);

#endif
