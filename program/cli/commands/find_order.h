/*
 * find_order.h - the games that a search has found, in another order than that of their numbers, or a sample of them.
 *
 * A game takes about 100 bytes, of a sample only as many as it has.
 */
#ifndef TABIYA_CLI_FIND_ORDER_H
#define TABIYA_CLI_FIND_ORDER_H

#include "sources.h"

typedef struct find_order find_order;

/* `list` as for tby_order_read, NULL for the order of numbers; a fault in it ends the program. With `sample`, a random
   sample of that many games, the same for the same seed; 0 for all. */
find_order *find_order_new(const char *who, const char *list, uint64_t sample, uint64_t seed);
void find_order_free(find_order *o);
/* Without the first `offset`, and at most `limit`, 0 for all. */
void find_order_limit(find_order *o, uint64_t offset, uint64_t limit);
/* What the search must be asked for, if the caller wants `wanted`. */
tby_db_wanted find_order_wanted(const find_order *o, tby_db_wanted wanted);
/* False if the game could not be read. */
bool find_order_add(find_order *o, source *s, const tby_db_hit *hit);
/* Calls `visit` for each in order, until it says no. */
void find_order_each(find_order *o, source_visit visit, void *context);

#endif
