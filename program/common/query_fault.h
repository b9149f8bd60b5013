/*
 * query_fault.h - reports what is wrong with a query, and where; and the named patterns of a user.
 */
#ifndef TABIYA_ANSWERS_QUERY_FAULT_H
#define TABIYA_ANSWERS_QUERY_FAULT_H

#include "problem.h"
#include "tabiya_query.h"

/* User-defined patterns, as tabiya_query.h takes them, and the file they come from. */
typedef struct patterns {
    const char *path; /* NULL: there are none */
    buffer text;
} patterns;

/* Makes a problem from the error of a query that was made with `options`: the sentence, the line and a caret under the
   location. An error in the patterns is reported with file, line and column. Returns false. */
bool query_fault(problem *p, const char *who, const tby_query_error *err, const char *asked,
                 const tby_query_options *options, const patterns *own);
/* Are they valid, whatever the query? */
bool patterns_check(const patterns *own, const char *who, problem *p);

#endif
