/*
 * copy.h - what a copy of a query for one database has of its own; the query itself never changes.
 */
#ifndef TBY_QUERY_COPY_H
#define TBY_QUERY_COPY_H

#include "query/ast.h"
#include "row/columns.h"

/* Does the query name games by their numbers? */
bool query_has_ids(const tby_query *query);
/* A copy for a database whose games have numbers that are lower by `less`; NULL if out of memory. */
tby_query *query_copy_ids_less(const tby_query *query, int64_t less);

/* ---- Names that match a person in a query, but are another person's, as only a database can know ----------------- */

/* A name that does not belong to the person who is written like this. */
typedef struct other_name {
    tby_text asked, name;
} other_name;

typedef struct query_people {
    const other_name *list;
    size_t n;
} query_people;

/* Is this another person's name? `people` may be NULL. */
static inline bool people_part(const query_people *people, tby_text asked, tby_text name)
{
    for (size_t i = 0; people && i < people->n; i++)
        if (texts_equal(people->list[i].name, name) && texts_equal(people->list[i].asked, asked))
            return true;
    return false;
}

#endif
