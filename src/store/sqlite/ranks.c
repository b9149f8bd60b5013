/*
 * ranks.c - the first games in an order that one number per game decides, without sorting the others.
 *
 * Selects  digit by digit: the games are counted by the highest bits in which they differ, and only those that share
 *          these bits with the wanted one are counted by the next bits. The time does not depend on their order.
 */
#include "store/sqlite/ranks.h"
#include "support/array.h"

#include <stdlib.h>

ranks ranks_of(const tby_order *order, int64_t offset, int64_t limit)
{
    const bool is_cut = limit > 0 && offset <= INT64_MAX / 4 - limit;
    return (ranks){.most = is_cut ? (size_t)(offset + limit) : 0, .last = UINT64_MAX, .ids_fall = order->ids_fall};
}

void ranks_free(ranks *r) { free(r->games); }

/* How many of the highest bits all games share; 64 for a single game. */
static unsigned n_shared_bits(const uint64_t *games, size_t n)
{
    uint64_t differences = 0;
    for (size_t i = 1; i < n; i++)
        differences |= games[i] ^ games[0];
    return differences ? (unsigned)__builtin_clzll(differences) : 64;
}

/* The game with `k` games before it; false if out of memory. */
static bool select_game(const uint64_t *games, size_t n, size_t k, uint64_t *out)
{
    enum { BITS = 11, VALUES = 1 << BITS };
    uint64_t *room = NULL;
    for (unsigned shared; (shared = n_shared_bits(games, n)) < 64; games = room) {
        const unsigned shift = shared + BITS < 64 ? 64 - BITS - shared : 0;
        size_t counts[VALUES] = {0}, digit = 0, kept = 0;
        for (size_t i = 0; i < n; i++)
            counts[games[i] >> shift & (VALUES - 1)]++;
        for (; k >= counts[digit]; digit++)
            k -= counts[digit];
        if (!room && !(room = malloc(counts[digit] * sizeof *room)))
            return false;
        for (size_t i = 0; i < n; i++)
            if ((games[i] >> shift & (VALUES - 1)) == digit)
                room[kept++] = games[i];
        n = kept;
    }
    *out = games[0];
    free(room);
    return true;
}

static void keep_between(ranks *r, uint64_t first, uint64_t last)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->games[i] - first <= last - first)
            r->games[kept++] = r->games[i];
    r->n = kept;
}

bool ranks_grow(ranks *r)
{
    enum { AT_LEAST = 4096 };
    if (!r->most || r->n < AT_LEAST || r->n / 2 < r->most)
        return array_reserve(&r->games, &r->cap, r->n + AT_LEAST, sizeof *r->games, NULL);
    if (!select_game(r->games, r->n, r->most - 1, &r->last))
        return false;
    keep_between(r, 0, r->last);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool ranks_cut(ranks *r, int64_t offset, int64_t limit)
{
    const size_t begin = (uint64_t)offset < r->n ? (size_t)offset : r->n,
                 end = limit > 0 && (uint64_t)limit < r->n - begin ? begin + (size_t)limit : r->n;
    if (begin == end) {
        r->n = 0;
        return true;
    }
    uint64_t first = 0, last = UINT64_MAX;
    if ((begin > 0 && !select_game(r->games, r->n, begin, &first)) ||
        (end < r->n && !select_game(r->games, r->n, end - 1, &last)))
        return false;
    if (begin > 0 || end < r->n)
        keep_between(r, first, last);
    qsort(r->games, r->n, sizeof *r->games, compare);
    return true;
}
