/*
 * problem.c - why a request could not be answered.
 */
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool problem_set(problem *p, unsigned status, const char *format, ...)
{
    va_list list;
    if (p->status)
        return false;
    p->status = status;
    va_start(list, format);
    vsnprintf(p->text, sizeof p->text, format, list);
    va_end(list);
    return false;
}

bool problem_no_memory(problem *p) { return problem_set(p, PROBLEM_NOT_NOW, "out of memory"); }

/* Stops before the number can wrap. */
bool digits_read_some(uint64_t *value, const char *s, size_t n, uint64_t high)
{
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t digit = (uint64_t)(s[i] - '0');
        if (s[i] < '0' || s[i] > '9' || digit > high || *value > (high - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return n > 0;
}

bool digits_read(uint64_t *value, const char *s, uint64_t high) { return digits_read_some(value, s, strlen(s), high); }

bool problem_number(uint64_t *out, const char *what, const char *s, uint64_t low, uint64_t high, problem *p)
{
    return (digits_read(out, s, high) && *out >= low) ||
           problem_set(p, PROBLEM_ASKED, "%s must be a number from %" PRIu64 " to %" PRIu64 ", not \"%.200s\"", what,
                       low, high, s);
}

bool list_has(const char *list, char separator, const char *name)
{
    const size_t n = strlen(name);
    for (const char *end; *list; list = *end ? end + 1 : end) {
        end = strchr(list, separator);
        end = end ? end : list + strlen(list);
        if ((size_t)(end - list) == n && memcmp(list, name, n) == 0)
            return true;
    }
    return false;
}
