/*
 * sketch.h - what a search looks at before it opens a game: 32 bytes, so that many lie side by side.
 *
 *     0             15    16                                32
 *     +-------------+-----+---------------------------------+
 *     | trailer     |  0  | the game's first bytes, or zeros |
 *     +-------------+-----+---------------------------------+
 *
 * The trailer says whether the game can hold a position at all, and the first bytes (header and 15 moves) settle most
 * searches for positions of the opening. A game that does not exist has SKETCH_NONE in every byte, which fits no board.
 */
#ifndef TBY_VALUE_SKETCH_H
#define TBY_VALUE_SKETCH_H

#include "tabiya_value.h"

enum { SKETCH_SIZE = 32, SKETCH_MOVES = 16, SKETCH_NONE = 0xff };

/* Of the bytes of a packed game. */
void sketch_make(uint8_t out[SKETCH_SIZE], const uint8_t *bytes, size_t n);
/* The first sketch from `at` on whose game may hold one of the targets; `n` if there is none. */
size_t sketch_next(const uint8_t *sketches, size_t n, size_t at, const tby_target *targets, size_t n_targets);
/* A cursor on the game's beginning; false if the sketch does not hold it. */
bool sketch_begin(tby_packed *cursor, const uint8_t *sketch);

#endif
