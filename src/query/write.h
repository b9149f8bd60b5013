/*
 * write.h - writes a part of a query as text.
 */
#ifndef TBY_QUERY_WRITE_H
#define TBY_QUERY_WRITE_H

#include "query/ast.h"

/* From the facts that must all hold, writes those that can be checked against a game that consists only of moves, or
   the others. Named patterns are expanded, so that any reader understands them. Both parts together are the query.
   Empty if there are none. With cap 0 it only measures. */
size_t query_write_part(char *buf, size_t cap, const tby_query *query, bool is_of_moves);

#endif
