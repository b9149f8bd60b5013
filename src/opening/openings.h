/*
 * openings.h - the table of named positions, which tools/make_openings.c generates from openings.tsv.
 *
 *     keys     sorted; those with the upper bits b are keys[first[b]] to keys[first[b + 1]], about one
 *     places   for each key, the offset in `text` of the position's name
 *     text     "B90", NUL, "Sicilian Defense: Najdorf Variation", NUL; each code and name once
 *     ahead    one bit for each set of unmoved pawns: may a game with these still reach a named position?
 *
 * A pawn that has moved never comes back, so the unmoved pawns later in the game are a subset of those now. Bit s of
 * `ahead` is set if the unmoved pawns of some named position are a subset of s. Sets are encoded as home_pawns in
 * tby_packed_summary.
 */
#ifndef TBY_OPENING_OPENINGS_H
#define TBY_OPENING_OPENINGS_H

#include "tabiya_value.h"
#include <stdint.h>

enum { OPENING_FIRST_BITS = 12, OPENING_ECO_SIZE = 4 };

extern const uint64_t opening_keys[];
extern const uint32_t opening_places[];
extern const char opening_text[];
extern const uint16_t opening_firsts[(1 << OPENING_FIRST_BITS) + 1];
extern const uint64_t opening_ahead[1024];
extern const int64_t opening_checksum; /* of all keys and names */

/* The number of the named position with this key, for tby_opening_at; -1: it has no name. */
int opening_number(uint64_t key);
/* Is no named position reachable any more? */
bool opening_is_beyond(const tby_board *board);

#endif
