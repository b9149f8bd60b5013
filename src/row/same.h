/*
 * same.h - when two games are the same, so that the second is a duplicate.
 *
 * They have the same tags in any order, the same start, moves, variations, NAGs and result, and the same comments. In
 * comments a line end, with the blanks around it, counts as one blank; blanks at both ends do not count.
 */
#ifndef TBY_ROW_SAME_H
#define TBY_ROW_SAME_H

#include "tabiya_value.h"

/* A 64-bit hash of bytes, continuing from `seed`; the same on every machine. */
uint64_t bytes_hash(uint64_t seed, const void *bytes, size_t n);
/* Games that are the same have the same hash. `moves` is the main line as a packed game. */
uint64_t same_hash(const tby_game *game, const uint8_t *moves, size_t n, bool is_plain);
bool games_match(const tby_game *a, const tby_game *b);

#endif
