/*
 * range.c - ranges of games, as options take them.
 */
#include "range.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

bool value_refuse(const char *what, const char *value, const char *expected, problem *p)
{
    return problem_tell(p, PROBLEM_ASKED, "%s must be %s, not \"%.200s\"", what, expected, value);
}

/* A whole number up to 2^32 - 1, the last that a game may have; `none` if there is nothing. */
static bool bound_read(unsigned long *out, const char *s, size_t n, unsigned long none)
{
    *out = n ? 0 : none;
    for (size_t i = 0; i < n; i++) {
        const unsigned long digit = (unsigned long)(unsigned char)s[i] - '0';
        if (!isdigit((unsigned char)s[i]) || *out > (UINT32_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return true;
}

bool range_of_games(range *out, const char *what, const char *value, problem *p)
{
    const char *dots = strstr(value, ".."), *high = dots ? dots + 2 : value;
    const size_t n_low = dots ? (size_t)(dots - value) : strlen(value), n_high = strlen(high);
    if (n_low + n_high == 0 || !bound_read(&out->low, value, n_low, 1) ||
        !bound_read(&out->high, high, n_high, ULONG_MAX) || out->low == 0 || out->low > out->high)
        return value_refuse(what, value, "a number or a range such as 10..20", p);
    return true;
}
