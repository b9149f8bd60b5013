/*
 * range.h - ranges of games, as options take them: LOW..HIGH, LOW.., ..HIGH, or one number; both ends are included.
 */
#ifndef TABIYA_ANSWERS_RANGE_H
#define TABIYA_ANSWERS_RANGE_H

#include "problem.h"

typedef struct range {
    unsigned long low, high; /* an open end is 1 or ULONG_MAX */
} range;

/* Numbers of games, from 1; the lower bound must not exceed the upper one. An invalid value is a problem, which names
   `what`: "pgn: --games". */
bool range_of_games(range *out, const char *what, const char *value, problem *p);
/* Returns false. */
bool value_refuse(const char *what, const char *value, const char *expected, problem *p);

#endif
