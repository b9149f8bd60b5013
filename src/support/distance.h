/*
 * distance.h - compares texts: equality, order, and how different two words are.
 */
#ifndef TBY_SUPPORT_DISTANCE_H
#define TBY_SUPPORT_DISTANCE_H

#include "tabiya_query.h"

#include <string.h>

static inline bool texts_equal(tby_text a, tby_text b) { return a.n == b.n && memcmp(a.s, b.s, a.n) == 0; }

/* The order of their bytes, for qsort. */
static inline int text_order(tby_text a, tby_text b)
{
    const int order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* The number of letters that must be changed, added, removed or swapped with a neighbour, up to `limit`. Ignores the case
   of ASCII letters. */
unsigned word_distance_within(const char *a, size_t n_a, const char *b, size_t n_b, unsigned limit);

#endif
