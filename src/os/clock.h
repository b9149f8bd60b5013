/*
 * clock.h - a monotonic clock, for measuring and for deadlines.
 */
#ifndef TBY_OS_CLOCK_H
#define TBY_OS_CLOCK_H

#include <stdint.h>

int64_t clock_nanoseconds(void);

static inline int64_t clock_milliseconds(void) { return clock_nanoseconds() / 1000000; }

static inline double clock_seconds(void) { return (double)clock_nanoseconds() * 1e-9; }

#endif
