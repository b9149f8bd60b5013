/*
 * game_set.h - a set of games: one bit for each number from 0 on, in pages. Pages without games are not stored, because
 * numbers may be far apart.
 *
 *     pages   65,536 games each; NULL: none of these games
 */
#ifndef TBY_STORE_SQLITE_GAME_SET_H
#define TBY_STORE_SQLITE_GAME_SET_H

#include "store/sqlite/db.h"
#include "value/postings.h"

enum { GAME_PAGE_WORDS = POSTINGS_PAGE_WORDS, GAME_PAGE_GAMES = GAME_PAGE_WORDS * 64 };

/* Without pages it is not initialized, and means all games. */
typedef struct game_set {
    uint64_t **pages;
    size_t n_pages;
    tby_game_id last; /* the largest number that it can have */
    bool has_failed;  /* out of memory: some game is missing */
} game_set;

/* An empty set with room for the games up to `last_id`; false if out of memory. */
bool game_set_init(game_set *set, tby_game_id last_id);
void game_set_free(game_set *set);
/* Adds the games of `other`. */
void game_set_add(game_set *set, const game_set *other);
/* Keeps the games that are also in `other`, a set of the same size, unless filling it has failed: not `is_good`, which
   is returned. Frees `other`. */
bool game_set_keep(game_set *set, game_set *other, bool is_good);
/* game_set_init with a failure. */
static inline bool lite_set_begin(lite *db, game_set *set, tby_game_id last_id)
{
    return game_set_init(set, last_id) || lite_fail_memory(db);
}
int64_t game_set_count(const game_set *set);
/* The first word from `*w` on that has games; its first game is 64 * *w. 0 if there is none. */
uint64_t game_set_next_word(const game_set *set, uint64_t *w);
/* The first game from `id` on; 0 if there is none. */
tby_game_id game_set_next(const game_set *set, tby_game_id id);
/* A page to write to; NULL if out of memory. */
uint64_t *game_set_page(game_set *set, size_t number);

static inline uint64_t game_set_at(const game_set *set, uint64_t w)
{
    const uint64_t *page = w / GAME_PAGE_WORDS < set->n_pages ? set->pages[w / GAME_PAGE_WORDS] : NULL;
    return page ? page[w % GAME_PAGE_WORDS] : 0;
}

static inline void game_set_put_at(game_set *set, uint64_t w, uint64_t games)
{
    if (!games || w > (uint64_t)set->last / 64)
        return;
    const size_t number = (size_t)w / GAME_PAGE_WORDS;
    uint64_t *page = set->pages[number] ? set->pages[number] : game_set_page(set, number);
    if (page)
        page[w % GAME_PAGE_WORDS] |= games;
}

static inline bool game_set_has(const game_set *set, tby_game_id id)
{
    const uint64_t w = (uint64_t)id / 64;
    const uint64_t *page = w / GAME_PAGE_WORDS < set->n_pages ? set->pages[w / GAME_PAGE_WORDS] : NULL;
    return page && (page[w % GAME_PAGE_WORDS] >> (uint64_t)id % 64 & 1);
}

static inline void game_set_put(game_set *set, tby_game_id id)
{
    game_set_put_at(set, (uint64_t)id / 64, 1ULL << (uint64_t)id % 64);
}

/* The 64 games from `first` on. */
static inline uint64_t game_set_word(const game_set *set, tby_game_id first)
{
    const uint64_t w = (uint64_t)first / 64;
    const unsigned bit = (unsigned)first % 64;
    const uint64_t word = game_set_at(set, w) >> bit;
    return bit ? word | game_set_at(set, w + 1) << (64 - bit) : word;
}

static inline void game_set_put_word(game_set *set, tby_game_id first, uint64_t word)
{
    const uint64_t w = (uint64_t)first / 64;
    const unsigned bit = (unsigned)first % 64;
    game_set_put_at(set, w, word << bit);
    if (bit)
        game_set_put_at(set, w + 1, word >> (64 - bit));
}

#endif
