/*
 * copy.h - copies of a query that differ from it in the numbers of games.
 */
#ifndef TBY_QUERY_COPY_H
#define TBY_QUERY_COPY_H

#include "query/ast.h"

/* Does the query name games by their numbers? */
bool query_has_ids(const tby_query *query);
/* A copy for a database whose games have numbers that are lower by `less`; NULL if out of memory. */
tby_query *query_copy_ids_less(const tby_query *query, int64_t less);

#endif
