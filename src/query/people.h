/*
 * people.h - names that match a person in a query, but are another person's, as only a database can know.
 *
 * A search gets a copy of its query with this list; the query itself never changes.
 */
#ifndef TBY_QUERY_PEOPLE_H
#define TBY_QUERY_PEOPLE_H

#include "query/ast.h"
#include "row/columns.h"

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
