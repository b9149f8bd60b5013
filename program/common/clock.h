/*
 * clock.h - a monotonic clock, for measuring and for deadlines.
 */
#ifndef TABIYA_COMMON_CLOCK_H
#define TABIYA_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t clock_milliseconds(void) { return clock_nanoseconds() / 1000000; }

static inline double clock_seconds(void) { return (double)clock_nanoseconds() * 1e-9; }

#endif
