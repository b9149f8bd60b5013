/*
 * parquet_dictionary.c - the different values of a column, in the order in which they come.
 *
 * Neighbours are often equal, like the names of the players in all positions of a game; then nothing is looked up.
 */
#include "table/parquet.h"

enum { N_SLOTS = 4 * DICTIONARY_MAX, SAMPLE = 2048 };

static uint64_t mix(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15ULL;
    return x ^ x >> 29;
}

static uint64_t hash_text(const char *s, size_t n)
{
    uint64_t hash = n, word;
    for (; n >= sizeof word; s += sizeof word, n -= sizeof word) {
        memcpy(&word, s, sizeof word);
        hash = mix(hash ^ word);
    }
    word = 0;
    if (n > 0)
        memcpy(&word, s, n);
    return mix(hash ^ word);
}

static uint64_t hash_row(const table_column *c, size_t row)
{
    size_t n;
    if (!column_is_text(c))
        return mix(column_bits(c, row));
    const char *s = column_text(c, row, &n);
    return hash_text(s, n);
}

static bool is_equal(const table_column *c, size_t a, size_t b)
{
    size_t n_a, n_b;
    if (!column_is_text(c))
        return column_bits(c, a) == column_bits(c, b);
    const char *text_a = column_text(c, a, &n_a), *text_b = column_text(c, b, &n_b);
    return n_a == n_b && (n_a == 0 || memcmp(text_a, text_b, n_a) == 0);
}

/* The index of the row's value, a new one if need be; DICTIONARY_MAX if there is no room. */
static uint32_t look_up(parquet_work *work, const table_column *c, size_t row)
{
    size_t slot = (size_t)(hash_row(c, row) >> 20) % N_SLOTS;
    for (; work->slots[slot]; slot = (slot + 1) % N_SLOTS)
        if (is_equal(c, work->entries[work->slots[slot] - 1], row))
            return work->slots[slot] - 1u;
    if (work->n_entries == DICTIONARY_MAX)
        return DICTIONARY_MAX;
    work->entries[work->n_entries] = (uint32_t)row;
    work->slots[slot] = (uint16_t)++work->n_entries;
    return work->n_entries - 1;
}

bool tby_parquet_dictionary(parquet_work *work, const table_column *c, size_t n_rows)
{
    uint32_t index = 0;
    size_t n = 0, last = 0;
    work->n_entries = 0;
    work->indexes.n = 0;
    if (!bytes_reserve(&work->indexes, n_rows * sizeof index))
        return false;
    memset(work->slots, 0, sizeof work->slots);
    for (size_t row = 0; row < n_rows; row++) {
        if (!column_has(c, row))
            continue;
        if (n == 0 || !is_equal(c, last, row))
            index = look_up(work, c, row);
        if (index == DICTIONARY_MAX || (n == SAMPLE && work->n_entries > SAMPLE / 2))
            return false;
        memcpy(work->indexes.data + n++ * sizeof index, &index, sizeof index);
        last = row;
    }
    work->indexes.n = n * sizeof index;
    return 2 * (size_t)work->n_entries <= n;
}
