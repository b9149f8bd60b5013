/*
 * dates.h - dates with unknown parts: the days that they may mean, and when they count as in a range.
 *
 * A game is in a range of dates if it may have been played in it.
 */
#ifndef TBY_ROW_DATES_H
#define TBY_ROW_DATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A date as numbers such as 20190531. In `date`, an unknown month or day is 0; it is 0 if the year is not completely
   known. `first` and `last` have 0 and 9 for each unknown digit, such as 20190500 and 20190599 for 2019.05.??, or
   20190012 and 20199912 for 2019.??.12; all are 0 if nothing is known. */
typedef struct date_parts {
    int date, first, last;
} date_parts;

/* Unknown are: question marks, zeros, and parts that cannot be: "2019.13.45" is 2019, "2019.02.30" is 2019.02,
   "20.06.2019" is nothing, because it does not begin with a year of four digits. */
date_parts dates_read(const char *s, size_t n);

/* The numbers of a `date` if unknown parts are only at its end. */
static inline date_parts dates_of(int date)
{
    return (date_parts){date, date, date + (date == 0 ? 0 : date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0)};
}

/* A range from `low` to `high`, such as 20190600 to 20190699; only with years from 1 to 9999. */
typedef struct date_range {
    int low, high;
} date_range;

date_range dates_range(int64_t low, int64_t high);
/* The days of months that occur in the first and in the last year of the range; bit 0 is the 1st. */
enum { DATES_ALL_DAYS = 0x7fffffff };
uint32_t dates_first_days(const date_range *range);
uint32_t dates_last_days(const date_range *range);
/* May the date, with this first and last number, be in the range? The SQL of store/plan.c has the same rule. */
bool dates_meet(const date_range *range, int first, int last);

/* Is the month unknown, but not the day? */
static inline bool dates_lack_month(int first) { return first % 10000 > 0 && first % 10000 < 100; }

#endif
