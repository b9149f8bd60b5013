/*
 * compile.h - a query as a program: names, `either`, `mirror` and `shift` expanded, equal parts shared.
 *
 * The nodes of a program are AND, OR, NOT, EVER, ALWAYS, FOR, SOON, TRUE, FALSE and facts. Children come before their
 * parents, and the children of AND and OR are sorted by cost.
 */
#ifndef TBY_QUERY_COMPILE_H
#define TBY_QUERY_COMPILE_H

#include "query/ast.h"

/* Fills query->program and query->needs. */
bool query_compile(tby_query *query, tby_query_error *err);

/* The last ply that the program looks at to answer for the plies up to `asked`; QUERY_NO_LAST_PLY if there is no limit.
   (last_ply.c) */
uint32_t query_last_ply(const query_tree *program, uint32_t asked);

#endif
