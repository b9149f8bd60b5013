/*
 * game_set.c - sets of games: creating and combining them.
 */
#include "store/sqlite/game_set.h"
#include "base/contract.h"

#include <stdlib.h>

bool game_set_init(game_set *set, tby_game_id last_id)
{
    const tby_game_id last = last_id > 0 ? last_id : 0;
    *set = (game_set){.n_pages = (size_t)last / GAME_PAGE_GAMES + 1, .last = last};
    set->pages = calloc(set->n_pages, sizeof *set->pages);
    return set->pages != NULL;
}

void game_set_free(game_set *set)
{
    for (size_t i = 0; set->pages && i < set->n_pages; i++)
        free(set->pages[i]);
    free(set->pages);
    *set = (game_set){.pages = NULL};
}

uint64_t *game_set_page(game_set *set, size_t number)
{
    TBY_CONTRACT(number < set->n_pages);
    if (!set->pages[number])
        set->pages[number] = calloc(GAME_PAGE_WORDS, sizeof **set->pages);
    set->has_failed |= !set->pages[number];
    return set->pages[number];
}

void game_set_add(game_set *set, const game_set *other)
{
    TBY_CONTRACT(set->pages && other->pages);
    for (size_t i = 0; i < set->n_pages && i < other->n_pages; i++)
        for (size_t w = 0; other->pages[i] && w < GAME_PAGE_WORDS; w++)
            game_set_put_at(set, i * GAME_PAGE_WORDS + w, other->pages[i][w]);
    set->has_failed |= other->has_failed;
}

static void intersect(game_set *set, const game_set *other)
{
    TBY_CONTRACT(set->pages && other->pages && set->n_pages == other->n_pages);
    for (size_t i = 0; i < set->n_pages; i++) {
        for (size_t w = 0; set->pages[i] && other->pages[i] && w < GAME_PAGE_WORDS; w++)
            set->pages[i][w] &= other->pages[i][w];
        if (!other->pages[i]) {
            free(set->pages[i]);
            set->pages[i] = NULL;
        }
    }
    set->has_failed |= other->has_failed;
}

bool game_set_keep(game_set *set, game_set *other, bool is_good)
{
    if (is_good && !set->pages) {
        *set = *other;
        *other = (game_set){.pages = NULL};
    } else if (is_good) {
        intersect(set, other);
    }
    game_set_free(other);
    return is_good;
}

int64_t game_set_count(const game_set *set)
{
    TBY_CONTRACT(set->pages || set->n_pages == 0);
    int64_t n = 0;
    for (size_t i = 0; i < set->n_pages; i++)
        for (size_t w = 0; set->pages[i] && w < GAME_PAGE_WORDS; w++)
            n += __builtin_popcountll(set->pages[i][w]);
    return n;
}

uint64_t game_set_next_word(const game_set *set, uint64_t *w)
{
    TBY_CONTRACT(set->pages != NULL);
    uint64_t word = 0;
    for (; *w <= (uint64_t)set->last / 64; ++*w)
        if (!set->pages[*w / GAME_PAGE_WORDS])
            *w |= GAME_PAGE_WORDS - 1; /* the last word of the page */
        else if ((word = game_set_at(set, *w)) != 0)
            break;
    return word;
}

tby_game_id game_set_next(const game_set *set, tby_game_id id)
{
    TBY_CONTRACT(set->pages && id >= 0);
    uint64_t w = (uint64_t)id / 64, word = game_set_at(set, w) & UINT64_MAX << (uint64_t)id % 64;
    if (!word) {
        w++;
        word = game_set_next_word(set, &w);
    }
    return word ? (tby_game_id)(w * 64) + __builtin_ctzll(word) : 0;
}
