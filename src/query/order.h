/*
 * order.h - the order of games in SQL.
 */
#ifndef TBY_QUERY_ORDER_H
#define TBY_QUERY_ORDER_H

#include "tabiya_query.h"

/* Are all fields numbers, which databases sort as tby_order_key does? */
bool order_is_numeric(const tby_order *order);
/* The kinds of columns that tby_order_key reads. */
unsigned order_kinds(const tby_order *order);
/* Can SQL sort by all fields, given a function that turns texts into sort keys? */
bool order_is_sql(const tby_order *order);
/* "ORDER BY g.date DESC NULLS LAST, KEY(g.white) NULLS LAST, g.id" for a table called `table`. `key_of` is the name of
   that function, needed only for texts. If `order` is NULL: by game number. */
void order_write_sql(tby_sink sink, void *context, const tby_order *order, const char *table, const char *key_of);

#endif
