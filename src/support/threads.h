/*
 * threads.h - threads that share one piece of work.
 *
 * In a header, because only the store, the tree and the program use threads; libtabiya needs none.
 */
#ifndef TBY_SUPPORT_THREADS_H
#define TBY_SUPPORT_THREADS_H

#include "base/contract.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { THREADS_RUN_MAX = 256 };

/* The number of threads to use, from 1 to THREADS_RUN_MAX, if the caller wants `n` (0: one per processor) and there is
   work for `most`. */
static inline unsigned threads_wanted(unsigned n, int64_t most)
{
    const int64_t limit = most < THREADS_RUN_MAX ? most : THREADS_RUN_MAX;
    const int64_t wanted = n ? (int64_t)n : (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t count = wanted < limit ? wanted : limit;
    return count < 1 ? 1 : (unsigned)count;
}

typedef void (*threads_work)(void *context, unsigned number);

typedef struct threads_one {
    threads_work work;
    void *context;
    unsigned number;
    pthread_t thread;
} threads_one;

static inline void *threads_begin(void *one)
{
    const threads_one *t = one;
    t->work(t->context, t->number);
    return NULL;
}

/* Calls `work` with each number from 0 to n - 1, each in its own thread (0 in the caller's), and returns when all are
   done. Threads that the system refuses to start are left out, so fewer threads must be able to do all the work. */
static inline void threads_run(unsigned n, threads_work work, void *context)
{
    threads_one others[THREADS_RUN_MAX];
    unsigned end = 1;
    TBY_CONTRACT(n <= THREADS_RUN_MAX);
    for (; end < n; end++) {
        others[end] = (threads_one){.work = work, .context = context, .number = end};
        if (pthread_create(&others[end].thread, NULL, threads_begin, &others[end]) != 0)
            break;
    }
    work(context, 0);
    while (end > 1)
        pthread_join(others[--end].thread, NULL);
}

/* Starts up to `n` threads with the same work, without waiting for them. Returns how many started. */
static inline unsigned threads_start(pthread_t *threads, unsigned n, void *(*work)(void *), void *context)
{
    unsigned started = 0;
    while (started < n && pthread_create(&threads[started], NULL, work, context) == 0)
        started++;
    return started;
}

static inline void threads_join(const pthread_t *threads, unsigned n)
{
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

#endif
