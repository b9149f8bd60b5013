/*
 * readers.h - work that several threads share, each with its own connection.
 */
#ifndef TBY_STORE_SQLITE_READERS_H
#define TBY_STORE_SQLITE_READERS_H

#include "store/sqlite/db.h"

enum { THREADS_MAX = 64 };

typedef struct readers_work {
    /* Called by the caller's thread for each thread, numbered from 0 (its own), within that thread's transaction. False
       if the thread cannot take part; for the first one this is a failure. NULL: nothing to do. */
    bool (*join)(void *context, lite *db, unsigned thread);
    /* Does one piece of the work, numbered from 0. False, with a failure of `db` set, ends all work. */
    bool (*work)(void *context, lite *db, unsigned thread, int64_t number);
    void *context;
    unsigned n_threads;   /* wanted; 0 = one per processor */
    int64_t most_threads; /* more are not worthwhile */
    int64_t n;            /* pieces of work */
} readers_work;

/* Each thread takes the next piece until all are done; everything it reads is from one transaction. */
bool readers_run(lite *db, const readers_work *work);

/* The connection of a thread: 0 is `db` itself, NULL if it cannot be opened. */
lite *lite_reader(lite *db, unsigned thread);

#endif
