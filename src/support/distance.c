/*
 * distance.c - how different two words are.
 */
#include "support/distance.h"

#include <string.h>

enum { LONGEST_WORD = 40 };

static char small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Optimal string alignment: only the last three rows are needed. */
unsigned word_distance_within(const char *a, size_t n_a, const char *b, size_t n_b, unsigned limit)
{
    unsigned rows[3][LONGEST_WORD + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    if (n_a > LONGEST_WORD || n_b > LONGEST_WORD)
        return limit;
    for (unsigned j = 0; j <= n_b; j++)
        last[j] = j;
    memcpy(before, last, sizeof rows[0]);
    for (size_t i = 1; i <= n_a; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            const unsigned differs = small(a[i - 1]) != small(b[j - 1]);
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + differs);
            if (i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) && small(a[i - 2]) == small(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return least(last[n_b], limit);
}
