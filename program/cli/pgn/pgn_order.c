/*
 * pgn_order.c - games that are held back until all are known: to be sorted, or to draw a sample.
 *
 * Samples  the n-th game takes the place of another with a chance of sample / n (Vitter's algorithm R).
 */
#include "pgn_order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------------------------- */

void held_order_read(tby_order *out, const char *who, const char *list)
{
    buffer known = {0};
    tby_text fault;
    if (tby_order_read(out, list, &fault))
        return;
    if (out->n == TBY_ORDER_FIELDS)
        error_exit("%s: --sort takes at most %d names", who, TBY_ORDER_FIELDS);
    for (size_t i = 0; tby_row_column_name(i); i++)
        buffer_printf(&known, "%s, ", tby_row_column_name(i));
    error_exit("%s: --sort takes %.*selo, id and names of tags, not \"%.*s\"", who, (int)known.n, known.s, (int)fault.n,
               fault.s);
}

void held_key(buffer *out, const tby_order *order, const tby_row *row)
{
    const size_t n = tby_order_key(NULL, 0, order, row), at = out->n;
    if (n && buffer_room(out, n)) {
        tby_order_key(out->s + at, n, order, row);
        out->n += n;
    }
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

typedef struct held {
    char *bytes; /* text, names, key */
    size_t n_text, n_names, n_key;
    uint64_t number; /* the lowest of equal games comes first */
} held;

struct held_games {
    held *games;
    size_t n, cap;
    size_t most;  /* the first in order that are wanted; 0 = all */
    bool is_full; /* the last of `most` is in its place: what comes after it is not wanted */
    uint64_t sample, n_seen, random;
    bool is_reversed;
};

held_games *held_new(uint64_t sample, uint64_t seed, bool is_reversed)
{
    held_games *h = memory_new(1, sizeof *h);
    h->sample = sample;
    h->random = seed;
    h->is_reversed = is_reversed;
    return h;
}

void held_free(held_games *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n; i++)
        free(h->games[i].bytes);
    free(h->games);
    free(h);
}

void held_limit(held_games *h, uint64_t most) { h->most = h->sample || most > SIZE_MAX / 2 ? 0 : (size_t)most; }

/* SplitMix64. */
static uint64_t next_random(held_games *h)
{
    uint64_t x = h->random += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

/* The place of the next game; NULL if it has none. */
static held *place_of_next(held_games *h)
{
    const uint64_t seen = h->n_seen++;
    if (!h->sample || h->n < h->sample) {
        if (!array_reserve(&h->games, &h->cap, h->n + 1, sizeof *h->games, NULL))
            error_exit("out of memory");
        h->games[h->n] = (held){0};
        return &h->games[h->n++];
    }
    const uint64_t place = next_random(h) % (seen + 1);
    return place < h->sample ? &h->games[place] : NULL;
}

static int compare_keys(const char *x, size_t n_x, uint64_t x_number, const held *y)
{
    const size_t n = n_x < y->n_key ? n_x : y->n_key;
    const int order = n ? memcmp(x, y->bytes + y->n_text + y->n_names, n) : 0;
    if (order)
        return order;
    return x_number < y->number ? -1 : x_number > y->number;
}

static int compare(const void *a, const void *b)
{
    const held *x = a;
    return compare_keys(x->bytes + x->n_text + x->n_names, x->n_key, x->number, b);
}

static void sort(held_games *h)
{
    if (h->n)
        qsort(h->games, h->n, sizeof *h->games, compare);
}

/* Sorts now and then, so that few are held. */
static void drop_last(held_games *h)
{
    enum { AT_LEAST = 1024 };
    if (!h->most || h->n < AT_LEAST || h->n / 2 < h->most)
        return;
    sort(h);
    while (h->n > h->most)
        free(h->games[--h->n].bytes);
    h->is_full = true;
}

void held_add(held_games *h, const char *text, size_t n, const char *names, size_t n_names, const char *key,
              size_t n_key)
{
    const uint64_t number = h->is_reversed ? UINT64_MAX - h->n_seen - 1 : h->n_seen + 1;
    if (h->is_full && compare_keys(key, n_key, number, &h->games[h->most - 1]) > 0) {
        h->n_seen++;
        return;
    }
    held *one = place_of_next(h);
    if (!one)
        return;
    free(one->bytes);
    *one = (held){memory_new(n + n_names + n_key + 1, 1), n, n_names, n_key, number};
    if (n)
        memcpy(one->bytes, text, n);
    if (n_names)
        memcpy(one->bytes + n, names, n_names);
    if (n_key)
        memcpy(one->bytes + n + n_names, key, n_key);
    drop_last(h);
}

void held_each(held_games *h,
               void (*visit)(void *context, const char *text, size_t n, const char *names, size_t n_names),
               void *context)
{
    sort(h);
    for (size_t i = 0; i < h->n; i++) {
        const held *one = &h->games[i];
        visit(context, one->bytes, one->n_text, one->bytes + one->n_text, one->n_names);
    }
}
