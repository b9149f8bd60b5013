/*
 * sketch.h - the 32 bytes of a game that a search looks at before it opens the game, stored side by side.
 *
 *     0             15    16                                32
 *     +-------------+-----+---------------------------------+
 *     | trailer     |  0  | the game's first bytes, or zeros |
 *     +-------------+-----+---------------------------------+
 *
 * The trailer shows whether the game can contain a position at all, and the first bytes (header and 15 moves) decide
 * most searches for opening positions. A game that does not exist has SKETCH_NONE in every byte, which matches no
 * board.
 */
#ifndef TBY_VALUE_SKETCH_H
#define TBY_VALUE_SKETCH_H

#include "tabiya_value.h"

enum { SKETCH_SIZE = 32, SKETCH_MOVES = 16, SKETCH_NONE = 0xff };

/* Makes the sketch of a packed game. */
void sketch_make(uint8_t out[SKETCH_SIZE], const uint8_t *bytes, size_t n);
/* The first sketch from `at` on whose game may contain one of the targets; `n` if there is none. */
size_t sketch_next(const uint8_t *sketches, size_t n, size_t at, const tby_target *targets, size_t n_targets);
/* Sets a cursor on the game's first moves; false if the sketch does not contain them. */
bool sketch_begin(tby_packed *cursor, const uint8_t *sketch);

#endif
