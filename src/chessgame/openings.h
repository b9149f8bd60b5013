/*
 * openings.h - the table of named positions that the build makes of openings.tsv with tools/make_openings.c.
 *
 *     keys     sorted; those with the upper bits b are keys[first[b]] to keys[first[b + 1]], about one
 *     places   where in `text` the name of the position of that key is
 *     text     "B90", NUL, "Sicilian Defense: Najdorf Variation", NUL; each code and name once
 *     ahead    one bit for each set of pawns at home: may a game with these still come to a named position?
 *
 * A pawn that has left home never comes back, so the pawns at home later are a subset of those at home now. Bit s of
 * `ahead` is set if the pawns at home in some named position are a subset of s. Sets are as home_pawns in
 * tby_packed_summary.
 */
#ifndef TBY_VALUE_OPENINGS_H
#define TBY_VALUE_OPENINGS_H

#include "tabiya_value.h"
#include <stdint.h>

enum { OPENING_FIRST_BITS = 12, OPENING_ECO_SIZE = 4 };

extern const uint64_t opening_keys[];
extern const uint32_t opening_places[];
extern const char opening_text[];
extern const uint16_t opening_firsts[(1 << OPENING_FIRST_BITS) + 1];
extern const uint64_t opening_ahead[1024];

#endif
