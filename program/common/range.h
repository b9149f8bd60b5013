/*
 * range.h - ranges of numbers and dates, as options take them.
 *
 *     range   LOW..HIGH, LOW.., ..HIGH, or one value; both ends are included
 *     date    2019, 2019.06, 2019.06.30; - is accepted for .
 */
#ifndef TABIYA_ANSWERS_RANGE_H
#define TABIYA_ANSWERS_RANGE_H

#include "problem.h"

typedef struct range {
    unsigned long low, high; /* dates as 20190630; an open end is 0 or ULONG_MAX */
} range;

/* An invalid value is a problem, which names `what`: "find: --elo". */
bool range_of_numbers(range *out, const char *what, const char *value, problem *p);
/* Numbers of games, from 1; the lower bound must not exceed the upper one. */
bool range_of_games(range *out, const char *what, const char *value, problem *p);
bool range_of_dates(range *out, const char *what, const char *value, problem *p);
/* Returns false. */
bool value_refuse(const char *what, const char *value, const char *expected, problem *p);

/* A whole number up to 2^32 - 1, the last that a game may have; `none` if there is nothing. */
bool bound_read(unsigned long *out, const char *s, size_t n, unsigned long none);
/* yyyy.mm.dd as a number; parts that are missing or unknown count as `missing`. False if there is no year. */
bool date_read(unsigned long *out, const char *s, size_t n, unsigned long missing);

#endif
