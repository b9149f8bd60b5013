/*
 * ask.h - checks a query against many games, using all processors.
 */
#ifndef TBY_STORE_SQLITE_ASK_H
#define TBY_STORE_SQLITE_ASK_H

#include "store/sqlite/game_set.h"

typedef struct ask_options {
    const tby_query *query;
    const char *where;     /* a condition of SQL on the table `game`; NULL for none */
    const game_set *among; /* NULL: all games */
    unsigned n_threads;    /* 0 = one per processor */
    tby_db_progress progress;
    void *progress_context;
} ask_options;

/* Calls `visit` in this thread for every matching game, in the order of ids, as soon as all games before it are
   decided, until it returns false. */
bool lite_ask(lite *db, const ask_options *options, tby_db_visit visit, void *context);

#endif
