/*
 * range.c - ranges of numbers and dates, as options take them.
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

bool bound_read(unsigned long *out, const char *s, size_t n, unsigned long none)
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

bool date_read(unsigned long *out, const char *s, size_t n, unsigned long missing)
{
    static const unsigned long widths[] = {10000, 100, 1};
    size_t at = 0;
    *out = 0;
    for (size_t part = 0; part < 3; part++) {
        unsigned long value = 0;
        size_t digits = 0;
        for (; at < n && isdigit((unsigned char)s[at]) && digits < 4; at++, digits++)
            value = value * 10 + (unsigned long)(s[at] - '0');
        if (part == 0 && digits == 0)
            return false;
        *out += (digits ? value : missing) * widths[part];
        while (at < n && s[at] == '?')
            at++;
        if (at < n && s[at] != '.' && s[at] != '-' && s[at] != '/')
            return false;
        at += at < n;
    }
    return at == n;
}

typedef struct ends {
    const char *low, *high;
    size_t n_low, n_high;
} ends;

/* False if there is nothing. */
static bool split(ends *out, const char *value)
{
    const char *dots = strstr(value, "..");
    *out = (ends){value, dots ? dots + 2 : value, dots ? (size_t)(dots - value) : strlen(value), 0};
    out->n_high = strlen(out->high);
    return out->n_low + out->n_high > 0;
}

bool range_of_numbers(range *out, const char *what, const char *value, problem *p)
{
    ends e;
    if (!split(&e, value) || !bound_read(&out->low, e.low, e.n_low, 0) ||
        !bound_read(&out->high, e.high, e.n_high, ULONG_MAX))
        return value_refuse(what, value, "a number or a range such as 2400..", p);
    return true;
}

bool range_of_games(range *out, const char *what, const char *value, problem *p)
{
    ends e;
    if (!split(&e, value) || !bound_read(&out->low, e.low, e.n_low, 1) ||
        !bound_read(&out->high, e.high, e.n_high, ULONG_MAX) || out->low == 0 || out->low > out->high)
        return value_refuse(what, value, "a number or a range such as 10..20", p);
    return true;
}

bool range_of_dates(range *out, const char *what, const char *value, problem *p)
{
    ends e;
    *out = (range){0, ULONG_MAX};
    if (!split(&e, value) || (e.n_low && !date_read(&out->low, e.low, e.n_low, 0)) ||
        (e.n_high && !date_read(&out->high, e.high, e.n_high, 99)))
        return value_refuse(what, value, "a date or a range such as 2019..2021.06", p);
    return true;
}
