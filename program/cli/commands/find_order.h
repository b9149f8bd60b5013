/*
 * find_order.h - the games that a search has found, in another order than that of their numbers, or a sample of them.
 *
 * A game takes about 100 bytes, of a sample only as many as it has.
 */
#ifndef TABIYA_CLI_FIND_ORDER_H
#define TABIYA_CLI_FIND_ORDER_H

#include "database.h"

typedef struct find_order find_order;

/* `list`: names of columns, or elo, separated by commas, each perhaps after a minus; NULL for that of the numbers. A
   name that is none ends the program. */
find_order *find_order_new(const char *list);
void find_order_free(find_order *o);
void find_order_sample(find_order *o, uint64_t n, uint64_t seed);
/* Without the first `offset`, and at most `limit`, 0 for all. */
void find_order_limit(find_order *o, uint64_t offset, uint64_t limit);
/* False if the game could not be read. */
bool find_order_add(find_order *o, tby_db *db, const tby_db_hit *hit);
/* Calls `visit` for each in order, until it says no. */
void find_order_each(find_order *o, tby_db_visit visit, void *context);

#endif
