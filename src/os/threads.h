/*
 * threads.h - threads, locks, and work that several threads share.
 *
 * In a header, because only the store, the tree and the front ends use threads; libtabiya needs none.
 */
#ifndef TBY_OS_THREADS_H
#define TBY_OS_THREADS_H

#include "base/contract.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Locks ---------------------------------------------------------------------------------------------- */

#ifdef _WIN32

/* Both are the system's own types, which are one pointer; zero is their initial state. */
typedef struct os_mutex {
    void *opaque;
} os_mutex;
typedef struct os_condition {
    void *opaque;
} os_condition;
typedef struct os_once {
    void *opaque;
} os_once;
typedef struct os_thread {
    void *handle;
} os_thread;
#define OS_MUTEX_INIT                                                                                                  \
    {                                                                                                                  \
        0                                                                                                              \
    }
#define OS_ONCE_INIT                                                                                                   \
    {                                                                                                                  \
        0                                                                                                              \
    }

static inline void os_mutex_init(os_mutex *m) { m->opaque = 0; }
static inline void os_mutex_destroy(os_mutex *m) { (void)m; }
void os_mutex_lock(os_mutex *m);
void os_mutex_unlock(os_mutex *m);
static inline void os_condition_init(os_condition *c) { c->opaque = 0; }
static inline void os_condition_destroy(os_condition *c) { (void)c; }
void os_condition_wait(os_condition *c, os_mutex *m);
void os_condition_wait_for(os_condition *c, os_mutex *m, unsigned milliseconds);
void os_condition_signal(os_condition *c);
void os_condition_broadcast(os_condition *c);
void os_once_call(os_once *once, void (*call)(void));

#else

#include <pthread.h>

typedef pthread_mutex_t os_mutex;
typedef pthread_cond_t os_condition;
typedef pthread_once_t os_once;
typedef pthread_t os_thread;
#define OS_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
#define OS_ONCE_INIT PTHREAD_ONCE_INIT

static inline void os_mutex_init(os_mutex *m) { pthread_mutex_init(m, NULL); }
static inline void os_mutex_destroy(os_mutex *m) { pthread_mutex_destroy(m); }
static inline void os_mutex_lock(os_mutex *m) { pthread_mutex_lock(m); }
static inline void os_mutex_unlock(os_mutex *m) { pthread_mutex_unlock(m); }
static inline void os_condition_init(os_condition *c) { pthread_cond_init(c, NULL); }
static inline void os_condition_destroy(os_condition *c) { pthread_cond_destroy(c); }
static inline void os_condition_wait(os_condition *c, os_mutex *m) { pthread_cond_wait(c, m); }
static inline void os_condition_signal(os_condition *c) { pthread_cond_signal(c); }
static inline void os_condition_broadcast(os_condition *c) { pthread_cond_broadcast(c); }
static inline void os_once_call(os_once *once, void (*call)(void)) { pthread_once(once, call); }
void os_condition_wait_for(os_condition *c, os_mutex *m, unsigned milliseconds);

#endif

/* ---- Threads -------------------------------------------------------------------------------------------- */

/* False if the system refuses to start one. */
bool os_thread_start(os_thread *out, void *(*work)(void *), void *context);
void os_thread_join(os_thread thread);
/* Of the machine, those in use; at least 1. */
unsigned os_processors(void);

/* ---- Shared work ---------------------------------------------------------------------------------------- */

enum { THREADS_RUN_MAX = 256 };

/* The number of threads to use, from 1 to THREADS_RUN_MAX, if the caller wants `n` (0: one per processor) and there is
   work for `most`. */
static inline unsigned threads_wanted(unsigned n, int64_t most)
{
    const int64_t limit = most < THREADS_RUN_MAX ? most : THREADS_RUN_MAX;
    const int64_t wanted = n ? (int64_t)n : (int64_t)os_processors();
    const int64_t count = wanted < limit ? wanted : limit;
    return count < 1 ? 1 : (unsigned)count;
}

typedef void (*threads_work)(void *context, unsigned number);

typedef struct threads_one {
    threads_work work;
    void *context;
    unsigned number;
    os_thread thread;
} threads_one;

static inline void *threads_begin(void *one)
{
    const threads_one *t = one;
    t->work(t->context, t->number);
    return 0;
}

/* Calls `work` with each number from 0 to n - 1, each in its own thread (0 in the caller's), and returns when all are
   done. Threads that the system refuses to start are left out, so fewer threads must be able to do all the work. Returns
   how many did it. */
static inline unsigned threads_run(unsigned n, threads_work work, void *context)
{
    threads_one others[THREADS_RUN_MAX];
    unsigned end = 1;
    TBY_CONTRACT(n <= THREADS_RUN_MAX);
    for (; end < n; end++) {
        others[end].work = work;
        others[end].context = context;
        others[end].number = end;
        if (!os_thread_start(&others[end].thread, threads_begin, &others[end]))
            break;
    }
    work(context, 0);
    for (unsigned i = end; i-- > 1;)
        os_thread_join(others[i].thread);
    return end;
}

/* Starts up to `n` threads with the same work, without waiting for them. Returns how many started. */
static inline unsigned threads_start(os_thread *threads, unsigned n, void *(*work)(void *), void *context)
{
    unsigned started = 0;
    while (started < n && os_thread_start(&threads[started], work, context))
        started++;
    return started;
}

static inline void threads_join(const os_thread *threads, unsigned n)
{
    while (n > 0)
        os_thread_join(threads[--n]);
}

#endif
