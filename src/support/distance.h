/*
 * distance.h - how different two words are.
 */
#ifndef TBY_SUPPORT_DISTANCE_H
#define TBY_SUPPORT_DISTANCE_H

#include <stddef.h>

/* The number of letters that must be changed, added, removed or swapped with a neighbour, up to `limit`. Ignores the case
   of ASCII letters. */
unsigned word_distance_within(const char *a, size_t n_a, const char *b, size_t n_b, unsigned limit);

#endif
