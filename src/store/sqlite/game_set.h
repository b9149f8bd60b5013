/*
 * game_set.h - a set of games: a bit for each number from 0 on.
 */
#ifndef TBY_STORE_SQLITE_GAME_SET_H
#define TBY_STORE_SQLITE_GAME_SET_H

#include "store/sqlite/db.h"

#include <stdlib.h>

/* Without words it is not a set yet, and means all games. */
typedef struct game_set {
    uint64_t *words;
    size_t n_words;
} game_set;

/* An empty set with room for the games up to `last_id`; false without memory. */
static inline bool game_set_init(game_set *set, tby_game_id last_id)
{
    set->n_words = (size_t)(last_id > 0 ? last_id : 0) / 64 + 1;
    set->words = calloc(set->n_words, sizeof *set->words);
    return set->words != NULL;
}

static inline void game_set_free(game_set *set)
{
    free(set->words);
    *set = (game_set){NULL, 0};
}

static inline bool game_set_has(const game_set *set, tby_game_id id)
{
    return (uint64_t)id / 64 < set->n_words && (set->words[id / 64] >> id % 64 & 1);
}

static inline void game_set_put(game_set *set, tby_game_id id)
{
    if ((uint64_t)id / 64 < set->n_words)
        set->words[id / 64] |= 1ULL << id % 64;
}

/* All from `first`, at least 0, to `last`. */
static inline void game_set_put_range(game_set *set, tby_game_id first, tby_game_id last)
{
    for (; first <= last && first % 64; first++)
        game_set_put(set, first);
    for (; first <= last - 63 && (size_t)first / 64 < set->n_words; first += 64)
        set->words[first / 64] = UINT64_MAX;
    for (; first <= last; first++)
        game_set_put(set, first);
}

/* The 64 games from `first` on. */
static inline uint64_t game_set_word(const game_set *set, tby_game_id first)
{
    const size_t w = (size_t)first / 64;
    const unsigned bit = (unsigned)first % 64;
    uint64_t word = w < set->n_words ? set->words[w] >> bit : 0;
    if (bit && w + 1 < set->n_words)
        word |= set->words[w + 1] << (64 - bit);
    return word;
}

static inline void game_set_put_word(game_set *set, tby_game_id first, uint64_t word)
{
    const size_t w = (size_t)first / 64;
    const unsigned bit = (unsigned)first % 64;
    if (w < set->n_words)
        set->words[w] |= word << bit;
    if (bit && w + 1 < set->n_words)
        set->words[w + 1] |= word >> (64 - bit);
}

static inline int64_t game_set_count(const game_set *set)
{
    int64_t n = 0;
    for (size_t i = 0; i < set->n_words; i++)
        n += __builtin_popcountll(set->words[i]);
    return n;
}

/* Keeps the games that `other` has too, and frees `other`; both have the same size. */
static inline void game_set_keep(game_set *set, game_set *other)
{
    if (!set->words) {
        *set = *other;
        *other = (game_set){NULL, 0};
        return;
    }
    for (size_t i = 0; i < set->n_words; i++)
        set->words[i] &= other->words[i];
    game_set_free(other);
}

#endif
