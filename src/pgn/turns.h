/*
 * turns.h - threads that work in parallel and deliver their results in order.
 *
 * A thread takes a number for its piece of work, works without the lock, waits for the turn of that number, and
 * delivers its result. The lock is held while a number is taken and during a turn, so both may use data that only one
 * thread may touch. Every number that was taken gets its turn, even after the end was declared.
 */
#ifndef TBY_PGN_TURNS_H
#define TBY_PGN_TURNS_H

#include "support/threads.h"

#include <stdbool.h>

typedef struct turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t n_taken, n_done;
    bool is_over; /* no more numbers are taken */
} turns;

static inline void turns_init(turns *t)
{
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->n_taken = t->n_done = 0;
    t->is_over = false;
}

static inline void turns_end(turns *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
}

/* Takes the lock. False, without the lock, if there is no more work. */
static inline bool turns_enter(turns *t)
{
    pthread_mutex_lock(&t->lock);
    if (!t->is_over)
        return true;
    pthread_mutex_unlock(&t->lock);
    return false;
}

/* Takes a number and releases the lock. */
static inline int64_t turns_take(turns *t)
{
    const int64_t number = t->n_taken++;
    pthread_mutex_unlock(&t->lock);
    return number;
}

/* Waits for a number's turn, with the lock held until turns_next. */
static inline void turns_wait(turns *t, int64_t number)
{
    pthread_mutex_lock(&t->lock);
    while (t->n_done < number)
        pthread_cond_wait(&t->changed, &t->lock);
}

static inline void turns_next(turns *t)
{
    t->n_done++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

#endif
