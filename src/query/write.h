/*
 * write.h - a part of a query as text.
 */
#ifndef TBY_QUERY_WRITE_H
#define TBY_QUERY_WRITE_H

#include "query/ast.h"

/* Of the facts that must hold together, those that can be checked against a game that consists only of its moves, or
   the others; named patterns are written out, so that any reader knows them. Both parts together are the query. Empty
   if there are none. With cap 0 it only measures. */
size_t query_write_part(char *buf, size_t cap, const tby_query *query, bool is_of_moves);

#endif
