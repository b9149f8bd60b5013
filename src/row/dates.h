/*
 * dates.h - incomplete dates: the first and the last day that they may mean, and when they count as in a range.
 *
 * A date is a number such as 20190531. An unknown month or day is 0; the whole date is 0 if the year is unknown, even
 * in part. A game is in a range of dates if it may have been played in it.
 */
#ifndef TBY_ROW_DATES_H
#define TBY_ROW_DATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The smallest and the largest number that a date may be, such as 20190500 and 20190599; both 0 if unknown. */
typedef struct date_span {
    int first, last;
} date_span;

static inline date_span date_span_of(int date)
{
    return (date_span){date, date + (date == 0 ? 0 : date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0)};
}

/* The span of a text with a partly known year, such as "19??"; none for anything else. (tag_text.c) */
date_span date_span_read(const char *s, size_t n);

static inline bool date_span_meets(date_span span, int64_t low, int64_t high)
{
    return span.last > 0 && span.last >= low && span.first <= high;
}

#endif
