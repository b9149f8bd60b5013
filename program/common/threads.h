/*
 * threads.h - threads that do one piece of work together.
 */
#ifndef TABIYA_ANSWERS_THREADS_H
#define TABIYA_ANSWERS_THREADS_H

#include <pthread.h>
#include <unistd.h>

/* How many processors there are, from 1 to `most`. */
static inline unsigned processors_up_to(unsigned most)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n < (long)most ? (unsigned)n : most;
}

/* Starts up to `n` threads, each with the same work, and returns how many there are. */
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
