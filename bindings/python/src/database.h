/*
 * database.h - Database: what its files share.
 */
#ifndef TABIYA_PYTHON_DATABASE_H
#define TABIYA_PYTHON_DATABASE_H

#include "python.h"

typedef struct database_object {
    PyObject_HEAD tby_db *db; /* NULL: closed */
    char *name;
    bool is_busy;
} database_object;

/* Marks the database as in use without the interpreter's lock: false, with an exception set, if it is closed or busy.
   */
bool database_take(database_object *d);
void database_give(database_object *d);
/* Reads a query and an SQL condition into a search; false with an exception set. `*owned` must be freed if not NULL. */
bool search_read(tby_db_search *search, tby_query **owned, PyObject *query, const char *where);
PyObject *database_sql(PyObject *self, PyObject *args);
PyObject *database_explore(PyObject *self, PyObject *args, PyObject *keywords);

#endif
