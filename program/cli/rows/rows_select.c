/*
 * rows_select.c - selects rows: those of positions not seen before, and a random sample.
 *
 * Distinct   the keys of all positions so far are in memory: 16 to 32 bytes each. Sample     every row has a random
 * number, made of the seed and of how many rows came before it, and the rows with the
 *            smallest numbers stay. A few more than wanted are kept, and from time to time the surplus is thrown out.
 *            So each row has the same chance, the same seed gives the same rows, and they stay in order.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct key_set {
    uint64_t *slots; /* 0: free */
    size_t n, cap;   /* a power of 2 */
} key_set;

struct row_select {
    tby_table *kept, *spare;
    bool is_distinct;
    size_t key_column;
    key_set seen;
    uint64_t sample, seed;
    uint64_t n_rows;            /* rows offered, without those of positions seen before */
    uint64_t *numbers, *sorted; /* of the rows that are kept */
    size_t cap;
    uint64_t limit; /* rows with greater numbers are dropped */
    uint64_t n_left_out;
};

/* ---- Keys ------------------------------------------------------------------------------------------------------- */

static size_t key_place(const key_set *set, uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & (set->cap - 1);
    while (set->slots[at] && set->slots[at] != key)
        at = (at + 1) & (set->cap - 1);
    return at;
}

static void key_grow(key_set *set)
{
    const key_set old = *set;
    set->cap = old.cap ? 2 * old.cap : 1 << 12;
    set->slots = memory_new(set->cap, sizeof *set->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i])
            set->slots[key_place(set, old.slots[i])] = old.slots[i];
    free(old.slots);
}

/* Adds a key; false if it was there already. */
static bool key_add(key_set *set, uint64_t key)
{
    key = key ? key : 1;
    if (2 * set->n >= set->cap)
        key_grow(set);
    const size_t at = key_place(set, key);
    if (set->slots[at])
        return false;
    set->slots[at] = key;
    set->n++;
    return true;
}

/* ---- Life ------------------------------------------------------------------------------------------------------- */

row_select *row_select_new(const tby_column *columns, size_t n_columns, bool is_distinct, uint64_t sample,
                           uint64_t seed)
{
    row_select *s = memory_new(1, sizeof *s);
    s->kept = memory_got(tby_table_new(columns, n_columns, NULL));
    s->spare = memory_got(tby_table_new(columns, n_columns, NULL));
    s->is_distinct = is_distinct;
    s->key_column = n_columns - 1;
    s->sample = sample;
    s->seed = seed;
    s->limit = UINT64_MAX;
    if (sample > 0) {
        s->cap = (size_t)sample + (sample < 1 << 16 ? 1 << 16 : (size_t)sample);
        s->numbers = memory_new(s->cap, sizeof *s->numbers);
        s->sorted = memory_new(s->cap, sizeof *s->sorted);
    }
    return s;
}

void row_select_free(row_select *s)
{
    if (!s)
        return;
    tby_table_free(s->kept);
    tby_table_free(s->spare);
    free(s->seen.slots);
    free(s->numbers);
    free(s->sorted);
    free(s);
}

uint64_t row_select_n_left_out(const row_select *s) { return s ? s->n_left_out : 0; }

/* ---- The sample ------------------------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Keeps the rows with the `sample` smallest numbers. */
static void throw_out(row_select *s)
{
    const size_t n = tby_table_n_rows(s->kept);
    size_t n_kept = 0;
    if (n <= s->sample)
        return;
    memcpy(s->sorted, s->numbers, n * sizeof *s->sorted);
    qsort(s->sorted, n, sizeof *s->sorted, compare);
    s->limit = s->sorted[s->sample - 1];
    tby_table_cut(s->spare, 0);
    for (size_t i = 0; i < n && n_kept < s->sample; i++) {
        if (s->numbers[i] > s->limit)
            continue;
        tby_table_append(s->spare, s->kept, i, 1);
        s->numbers[n_kept++] = s->numbers[i];
    }
    tby_table *full = s->kept;
    s->kept = s->spare;
    s->spare = full;
    s->n_left_out += n - n_kept;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static bool is_chosen(row_select *s)
{
    const uint64_t number = mix(mix(s->seed) ^ s->n_rows++);
    if (number > s->limit)
        return false;
    if (tby_table_n_rows(s->kept) == s->cap)
        throw_out(s);
    if (number > s->limit)
        return false;
    s->numbers[tby_table_n_rows(s->kept)] = number;
    return true;
}

void row_select_add(row_select *s, const tby_table *t)
{
    const size_t n = tby_table_n_rows(t);
    const uint64_t *keys = s->is_distinct ? tby_table_values((tby_table *)t, s->key_column) : NULL;
    for (size_t i = 0; i < n; i++) {
        if ((!keys || key_add(&s->seen, keys[i])) && (s->sample == 0 || is_chosen(s)))
            tby_table_append(s->kept, t, i, 1);
        else
            s->n_left_out++;
    }
    memory_need(!tby_table_has_failed(s->kept));
}

tby_table *row_select_ready(row_select *s, bool is_end)
{
    if (s->sample > 0 && !is_end)
        return NULL;
    if (s->sample > 0)
        throw_out(s);
    return s->kept;
}
