/*
 * sorted.h - lists games in another order than that of their numbers.
 */
#ifndef TABIYA_SERVER_SORTED_H
#define TABIYA_SERVER_SORTED_H

#include "query.h"
#include "site_games.h"

/* The parameter sort: a column of the list, elo or id, with a minus before it for falling order. */
bool sort_read(tby_order *out, const question *q);
/* The games in that order, which is not that of rising numbers. */
bool find_sorted(games *g, const question *q, const query *conditions, const tby_order *order);

#endif
