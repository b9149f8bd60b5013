/*
 * rows.h - rows: what its files share.
 *
 *     rows.c         the type, its Arrow stream, and writing to files
 *     rows_read.c    reads games in several threads, and turns them into rows in the order of the input
 */
#ifndef TABIYA_PYTHON_ROWS_H
#define TABIYA_PYTHON_ROWS_H

#include "python.h"

typedef struct rows_share rows_share;

typedef struct rows_object {
    PyObject_HEAD bool is_open; /* not closed, nor handed over as an Arrow stream */
    bool is_busy, is_over;
    bool skips; /* games with a fault */
    tby_rows *rows;
    const tby_column *columns; /* of `rows` */
    size_t n_columns;
    rows_share *shares; /* one for each part that is read at the same time */
    size_t n_shares;

    PyObject *inputs; /* a list of paths, bytes and file objects; NULL for a database */
    Py_ssize_t at;
    char *notation; /* may be NULL */
    source *source; /* the current input */
    const tby_game_notation *from;
    buffer rest;                                 /* read from it, but in no part yet */
    bool is_read;                                /* to its end */
    uint64_t games_before;                       /* in the inputs before this one */
    uint64_t games_read, lines_read, bytes_read; /* in the parts of this input that are done */

    char *db; /* or the path of a database, and the numbers of its games */
    buffer ids;
    size_t id_at;

    tby_rows_counts counts; /* all games; plies and rows are those of parts that are done */
    PyObject *raised;       /* the exception that ended reading */
} rows_object;

/* The games of `inputs`, a list; or those of a database that `query` finds. False with an exception set. */
bool rows_begin(rows_object *r, PyObject *query);
bool rows_begin_database(rows_object *r, const database_object *d, PyObject *query);
void rows_end(rows_object *r);
tby_rows_counts rows_count(const rows_object *r);
/* The `next` of a tby_table_source: adds the rows of some games. Needs no lock. */
tby_status rows_read_some(void *rows, tby_table *table, tby_failure *failure);

#endif
