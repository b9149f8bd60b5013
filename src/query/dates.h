/*
 * dates.h - dates whose parts need not be known: the days that they may mean, and whether these meet a range.
 *
 * A date is a number such as 20190531. Its month and day are 0 if they are not known; the date itself is 0 if the year
 * is not. A game is in a range of dates if it may have been played in it.
 */
#ifndef TBY_QUERY_DATES_H
#define TBY_QUERY_DATES_H

#include <stdbool.h>
#include <stdint.h>

/* The first and the last number that a date may be. */
typedef struct date_span {
    int64_t first, last;
} date_span;

static inline date_span date_span_of(int64_t date)
{
    return (date_span){date, date + (date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0)};
}

static inline bool date_span_meets(date_span span, int64_t low, int64_t high)
{
    return span.last >= low && span.first <= high;
}

/* The same for one date, fast: most are not close to the beginning of the range. A date of 0 meets none. */
static inline bool date_meets(int64_t date, int64_t low, int64_t high)
{
    if (date >= low || date + 9999 < low)
        return date > 0 && date >= low && date <= high;
    return date > 0 && date_span_meets(date_span_of(date), low, high);
}

#endif
