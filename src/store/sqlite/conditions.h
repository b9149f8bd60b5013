/*
 * conditions.h - the facts of a query as conditions in SQLite's SQL.
 */
#ifndef TBY_STORE_SQLITE_CONDITIONS_H
#define TBY_STORE_SQLITE_CONDITIONS_H

#include "query/run.h"
#include "store/plan.h"
#include "store/sqlite/db.h"

/* The state while conditions are made. */
typedef struct conditions {
    lite *db;
    const query_members *members; /* of the plan */
    bool by_index;                /* the index of words may be used */
    bool has_failed;              /* the index could not be read */
} conditions;
/* Conditions on the table `game`. A statement with one gets a state of the query by conditions_bind. */
#define CONDITION_STATE "?9"
dialect conditions_dialect(conditions *c);
/* Returns the statement, which may be NULL. */
sqlite3_stmt *conditions_bind(sqlite3_stmt *s, tby_query_state *state);
/* Does a fact hold for a value: a name, a code, the object of tags, or the name of a collection or an opening? */
bool conditions_hold(tby_query_state *state, const query_node *node, tby_text value);
/* Registers the function that they call, for a connection. */
bool conditions_register(lite *db);

#endif
