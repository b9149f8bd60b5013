/*
 * positions_sort.c - sorts the positions of games by key: by digits from the top, until few have the same ones.
 */
#include "value/postings.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 16 };

static void sort_few(position_entry *e, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const position_entry moved = e[i];
        size_t k = i;
        for (; k > 0 && moved.key < e[k - 1].key; k--)
            e[k] = e[k - 1];
        e[k] = moved;
    }
}

/* Some bits of the keys by which entries are distributed. */
typedef struct digit {
    unsigned shift, n_bits;
} digit;

static unsigned digit_of(const position_entry *e, digit d)
{
    return (unsigned)(e->key >> d.shift) & ((1u << d.n_bits) - 1);
}

/* The digit after `n_same` equal upper bits: the more entries, the more bits. */
static digit choose_digit(size_t n, unsigned n_same)
{
    const unsigned length = bit_length(n) - 2, most = length < DIGIT_BITS ? length : DIGIT_BITS;
    const unsigned n_bits = 64 - n_same < most ? 64 - n_same : most;
    return (digit){64 - n_same - n_bits, n_bits};
}

/* Where the entries with each digit begin. */
typedef struct digit_starts {
    size_t at[DIGITS + 1];
} digit_starts;

/* Finds the next digit that differs between entries; it has no bits if there is none. */
static digit find_digit(digit_starts *starts, const position_entry *e, size_t n, unsigned *n_same)
{
    for (digit d;; *n_same += d.n_bits) {
        d = choose_digit(n, *n_same);
        memset(starts->at, 0, ((1u << d.n_bits) + 1) * sizeof *starts->at);
        if (d.n_bits == 0)
            return d;
        for (size_t i = 0; i < n; i++)
            starts->at[digit_of(&e[i], d) + 1]++;
        if (starts->at[digit_of(e, d) + 1] != n) {
            for (unsigned i = 0; i < 1u << d.n_bits; i++)
                starts->at[i + 1] += starts->at[i];
            return d;
        }
    }
}

/* Sorts entries whose upper `n_same` key bits are equal by key, from `e` to `out` or within `e`; the other array is
   scratch space. Stable: entries with the same key stay in the order of the games. */
static void sort_entries(position_entry *e, position_entry *out, size_t n, unsigned n_same, bool is_moved)
{
    digit_starts starts, next;
    const digit d = n <= FEW ? (digit){0, 0} : find_digit(&starts, e, n, &n_same);
    if (d.n_bits == 0) { /* few, or all the same key */
        if (is_moved)
            memcpy(out, e, n * sizeof *e);
        if (n <= FEW)
            sort_few(is_moved ? out : e, n);
        return;
    }
    memcpy(next.at, starts.at, sizeof *next.at << d.n_bits);
    for (size_t i = 0; i < n; i++)
        out[next.at[digit_of(&e[i], d)]++] = e[i];
    for (unsigned i = 0; i < 1u << d.n_bits; i++)
        if (starts.at[i + 1] > starts.at[i] + is_moved)
            sort_entries(out + starts.at[i], e + starts.at[i], starts.at[i + 1] - starts.at[i], n_same + d.n_bits,
                         !is_moved);
}

void positions_sort(position_entry *e, position_entry *room, size_t n, unsigned n_same)
{
    TBY_CONTRACT(n == 0 || (e && room));
    sort_entries(e, room, n, n_same, false);
}

void positions_sort_to(position_entry *out, position_entry *e, size_t n, unsigned n_same)
{
    TBY_CONTRACT(n == 0 || (e && out));
    sort_entries(e, out, n, n_same, true);
}
