/*
 * conditions.h - the facts of a query as conditions of SQLite's SQL.
 */
#ifndef TBY_STORE_SQLITE_CONDITIONS_H
#define TBY_STORE_SQLITE_CONDITIONS_H

#include "query/run.h"
#include "store/plan.h"
#include "store/sqlite/db.h"

/* Conditions on the table `game`. While one of them is used db->facts is a state of the query. */
extern const dialect tby_sqlite_dialect;
/* The function that they call, for a connection. */
bool tby_conditions_register(lite *db);

#endif
