/*
 * key_filter.h - a few keys of positions; ten bits of a key rule out most others.
 */
#ifndef TBY_VALUE_KEY_FILTER_H
#define TBY_VALUE_KEY_FILTER_H

#include "base/bitboard.h"

typedef struct key_filter {
    uint64_t words[16];
} key_filter;

TBY_INLINE void key_filter_add(key_filter *f, uint64_t key) { f->words[key >> 60] |= (uint64_t)1 << (key >> 54 & 63); }
/* False: the key was not added. */
TBY_INLINE bool key_filter_may_have(const key_filter *f, uint64_t key)
{
    return f->words[key >> 60] >> (key >> 54 & 63) & 1;
}

#endif
