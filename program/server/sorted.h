/*
 * sorted.h - lists games in another order than that of their numbers.
 */
#ifndef TABIYA_SERVER_SORTED_H
#define TABIYA_SERVER_SORTED_H

#include "query.h"
#include "site_games.h"

typedef enum sort_key { BY_ID, BY_DATE, BY_ELO, BY_PLIES } sort_key;
typedef struct sorting {
    sort_key key;
    bool is_falling;
} sorting;

/* The parameter sort: date, elo or plies, with a - before it for the highest first. */
bool sort_read(sorting *out, const question *q);
/* Games without the value come last; equal ones are in the order of their numbers. */
bool find_sorted(games *g, const question *q, const query *conditions, const sorting *order);

#endif
