/*
 * parquet_dictionary.c - the distinct values of a column, in order of first occurrence.
 *
 * Neighbours are often equal, like the players' names in all positions of a game; these need no look-up.
 */
#include "table/parquet.h"

enum { N_SLOTS = 4 * DICTIONARY_MAX, SAMPLE = 2048 };

static uint64_t mix(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15ULL;
    return x ^ x >> 29;
}

/* Up to eight bytes as a number. */
static inline uint64_t short_word(const char *s, size_t n)
{
    uint32_t first, last;
    if (n >= sizeof first) {
        memcpy(&first, s, sizeof first);
        memcpy(&last, s + n - sizeof last, sizeof last);
        return first | (uint64_t)last << 32;
    }
    return n == 0 ? 0 : (uint64_t)(uint8_t)s[0] | (uint64_t)(uint8_t)s[n / 2] << 8 | (uint64_t)(uint8_t)s[n - 1] << 16;
}

static inline uint64_t hash_text(const char *s, size_t n)
{
    uint64_t hash = n, word;
    for (; n > sizeof word; s += sizeof word, n -= sizeof word) {
        memcpy(&word, s, sizeof word);
        hash = mix(hash ^ word);
    }
    return mix(hash ^ short_word(s, n));
}

/* A value of a column, text or number: the loop over the rows is compiled for each. */
typedef struct cell {
    const char *s;
    uint64_t bits; /* or the length of the text */
} cell;

static inline cell cell_at(const table_column *c, size_t row, bool is_text)
{
    if (!is_text)
        return (cell){NULL, column_bits(c, row)};
    size_t n;
    const char *s = column_text(c, row, &n);
    return (cell){s, n};
}

static inline bool is_equal(cell a, cell b, bool is_text)
{
    if (a.bits != b.bits || !is_text)
        return a.bits == b.bits;
    const size_t n = (size_t)a.bits;
    return n <= 8 ? short_word(a.s, n) == short_word(b.s, n) : memcmp(a.s, b.s, n) == 0;
}

/* The index of a value, a new one if necessary; DICTIONARY_MAX if there is no room. */
static inline uint32_t look_up(parquet_work *work, const table_column *c, size_t row, cell value, bool is_text)
{
    const uint64_t hash = is_text ? hash_text(value.s, (size_t)value.bits) : mix(value.bits);
    size_t slot = (size_t)(hash >> 20) % N_SLOTS;
    for (; work->slots[slot]; slot = (slot + 1) % N_SLOTS)
        if (is_equal(cell_at(c, work->entries[work->slots[slot] - 1], is_text), value, is_text))
            return work->slots[slot] - 1u;
    if (work->n_entries == DICTIONARY_MAX)
        return DICTIONARY_MAX;
    work->entries[work->n_entries] = (uint32_t)row;
    work->slots[slot] = (uint16_t)++work->n_entries;
    return work->n_entries - 1;
}

/* Gives up early if most values differ. */
static inline bool find_values(parquet_work *work, const table_column *c, size_t n_rows, bool is_text)
{
    uint32_t *indexes = (uint32_t *)(void *)work->indexes.data, index = 0;
    size_t n = 0;
    cell last = {NULL, 0};
    for (size_t row = 0; row < n_rows; row++) {
        if (!column_has(c, row))
            continue;
        const cell value = cell_at(c, row, is_text);
        if (n == 0 || !is_equal(last, value, is_text))
            index = look_up(work, c, row, value, is_text);
        if (index == DICTIONARY_MAX || (n == SAMPLE && work->n_entries > SAMPLE / 2))
            return false;
        indexes[n++] = index;
        last = value;
    }
    work->indexes.n = n * sizeof index;
    return 2 * (size_t)work->n_entries <= n;
}

bool parquet_dictionary(parquet_work *work, const table_column *c, size_t n_rows)
{
    work->n_entries = 0;
    work->indexes.n = 0;
    if (!buffer_reserve(&work->indexes, n_rows * sizeof(uint32_t)))
        return false;
    memset(work->slots, 0, sizeof work->slots);
    return column_is_text(c) ? find_values(work, c, n_rows, true) : find_values(work, c, n_rows, false);
}
