/*
 * problem.c - why a request could not be answered.
 */
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>

bool problem_tell(problem *p, unsigned status, const char *format, ...)
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

bool problem_no_memory(problem *p) { return problem_tell(p, PROBLEM_NOT_NOW, "out of memory"); }

/* Stops before the number can wrap. */
bool digits_read(uint64_t *value, const char *s, uint64_t high)
{
    *value = 0;
    if (!*s)
        return false;
    for (; *s >= '0' && *s <= '9'; s++) {
        const uint64_t digit = (uint64_t)(*s - '0');
        if (digit > high || *value > (high - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return !*s;
}

bool problem_number(uint64_t *out, const char *what, const char *s, uint64_t low, uint64_t high, problem *p)
{
    return (digits_read(out, s, high) && *out >= low) ||
           problem_tell(p, PROBLEM_ASKED, "%s must be a number from %" PRIu64 " to %" PRIu64 ", not \"%.200s\"", what,
                        low, high, s);
}
