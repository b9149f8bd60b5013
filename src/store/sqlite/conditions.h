/*
 * conditions.h - the facts of a query as conditions of SQLite's SQL.
 */
#ifndef TBY_STORE_SQLITE_CONDITIONS_H
#define TBY_STORE_SQLITE_CONDITIONS_H

#include "query/run.h"
#include "store/plan.h"
#include "store/sqlite/db.h"

/* What conditions are made with. */
typedef struct conditions {
    lite *db;
    bool by_index;   /* the index of words may be asked */
    bool has_failed; /* it could not be read */
} conditions;
/* Conditions on the table `game`. While one of them is used db->facts is a state of the query. */
dialect conditions_dialect(conditions *c);
/* Does a fact hold for a value: a name, a code, the object of tags, or the name of a collection? */
bool conditions_hold(tby_query_state *state, const query_node *node, tby_text value);
/* The function that they call, for a connection. */
bool conditions_register(lite *db);

#endif
