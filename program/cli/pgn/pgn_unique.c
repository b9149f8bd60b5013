/*
 * pgn_unique.c - lines of play by their hash.
 *
 * Open addressing, linear probing. With 128 bits, the probability that two of a billion different lines have the same
 * hash is one in 10^21.
 */
#include "pgn_unique.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 1 << 12 };

struct line_set {
    line_hash *places; /* b = 0: free */
    atomic_uchar *marks;
    size_t cap, n;
};

/* ---- Hashes ----------------------------------------------------------------------------------------------------- */

/* The finisher of MurmurHash3: every bit of the result depends on every bit of x. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

line_hash line_begin(const tby_position *start)
{
    const uint64_t key = tby_position_key(start);
    return (line_hash){mix(key), mix(key + 1) | 1};
}

line_hash line_play(line_hash hash, tby_move m)
{
    return (line_hash){mix(hash.a + m), mix(hash.b ^ (uint64_t)m << 40) | 1};
}

line_hash line_mix(line_hash hash, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (line_hash){mix(hash.a + (uint8_t)s[i]), mix(hash.b ^ (uint64_t)(uint8_t)s[i] << 32) | 1};
    return hash;
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

static void set_memory(line_set *set, size_t cap)
{
    set->cap = cap;
    set->n = 0;
    set->places = memory_new(cap, sizeof *set->places);
    set->marks = memory_new(cap, sizeof *set->marks);
}

line_set *line_set_new(void)
{
    line_set *set = memory_new(1, sizeof *set);
    set_memory(set, FIRST_CAPACITY);
    return set;
}

void line_set_free(line_set *set)
{
    if (set) {
        free(set->places);
        free(set->marks);
    }
    free(set);
}

/* Its slot, or the free slot for it. */
static size_t find(const line_set *set, line_hash hash)
{
    size_t i = (size_t)hash.a & (set->cap - 1);
    while (set->places[i].b && (set->places[i].a != hash.a || set->places[i].b != hash.b))
        i = (i + 1) & (set->cap - 1);
    return i;
}

static void grow(line_set *set)
{
    const line_set old = {.places = set->places, .marks = set->marks, .cap = set->cap};
    set_memory(set, old.cap * 2);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.places[i].b)
            continue;
        const size_t place = find(set, old.places[i]);
        set->places[place] = old.places[i];
        set->marks[place] = old.marks[i];
        set->n++;
    }
    free(old.places);
    free(old.marks);
}

int line_set_add(line_set *set, line_hash hash)
{
    size_t place = find(set, hash);
    if (set->places[place].b)
        return LINE_KNOWN;
    if (set->n >= set->cap / 4 * 3) {
        grow(set);
        place = find(set, hash);
    }
    set->places[place] = hash;
    set->n++;
    return LINE_NEW;
}

void line_set_mark(line_set *set, line_hash hash)
{
    const size_t place = find(set, hash);
    if (set->places[place].b)
        atomic_store_explicit(&set->marks[place], 1, memory_order_relaxed);
}

bool line_set_is_marked(const line_set *set, line_hash hash)
{
    return atomic_load_explicit(&set->marks[find(set, hash)], memory_order_relaxed) != 0;
}
