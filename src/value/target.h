/*
 * target.h - could a game with this trailer have reached a certain board?
 *
 * In a game the number of pieces only decreases, pawns that have moved never come back, and only promotion adds a piece
 * of a kind. So the board must have at least the pieces of the game's end (except kinds that a side may have promoted
 * to), and the pawns that have moved on it must be the first that moved in the game.
 */
#ifndef TBY_VALUE_TARGET_H
#define TBY_VALUE_TARGET_H

#include "base/bitboard.h"
#include "codec/packed.h"

/* The five bytes of piece counts as one number. (Reads eight bytes, which compilers turn into one load.) */
TBY_INLINE uint64_t trailer_counts(const uint8_t *t)
{
    const uint64_t word = (uint64_t)t[0] | (uint64_t)t[1] << 8 | (uint64_t)t[2] << 16 | (uint64_t)t[3] << 24 |
                          (uint64_t)t[4] << 32 | (uint64_t)t[5] << 40 | (uint64_t)t[6] << 48 | (uint64_t)t[7] << 56;
    return word >> (8 * TRAILER_MATERIAL);
}

/* Is no count at the end larger than on the board? The top bit of each byte of `upper` and `lower` is set, and stays
   set where the subtraction needs no borrow. */
TBY_INLINE bool material_fits(const tby_target *t, const uint8_t *trailer)
{
    const uint64_t halves = 0x0f0f0f0f0f, top = 0x8080808080;
    const unsigned promotions = (trailer[TRAILER_FLAGS] >> 2) & 3;
    const uint64_t counts = trailer_counts(trailer);
    const uint64_t upper = t->upper[promotions] - ((counts >> 4) & halves),
                   lower = t->lower[promotions] - (counts & halves);
    return (upper & lower & top) == top;
}

TBY_INLINE bool pawns_fit(const tby_target *t, const uint8_t *trailer)
{
    if (trailer[TRAILER_N_GONE] < t->n_gone)
        return false;
    for (unsigned i = 0; i < t->n_gone; i++)
        if (!((t->gone >> trailer_gone(trailer, i)) & 1))
            return false;
    return true;
}

TBY_INLINE bool target_fits(const tby_target *t, const uint8_t *trailer)
{
    return material_fits(t, trailer) && pawns_fit(t, trailer);
}

/* ---- A few keys of positions; ten bits of a key rule out most others --------------------------------------------- */

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
