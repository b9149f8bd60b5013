/*
 * turns.h - threads that work in parallel and deliver their results in order.
 *
 * A thread takes a number for its piece of work, works without the lock, waits for the turn of that number, and
 * delivers its result. The lock is held while a number is taken and during a turn, so both may use data that only one
 * thread may touch. Every number that was taken gets its turn, even after the end was declared.
 */
#ifndef TBY_PGN_TURNS_H
#define TBY_PGN_TURNS_H

#include "os/threads.h"

#include <stdbool.h>

typedef struct turns {
    os_mutex lock;
    os_condition changed;
    int64_t n_taken, n_done;
    bool is_over; /* no more numbers are taken */
} turns;

static inline void turns_init(turns *t)
{
    os_mutex_init(&t->lock);
    os_condition_init(&t->changed);
    t->n_taken = t->n_done = 0;
    t->is_over = false;
}

static inline void turns_end(turns *t)
{
    os_condition_destroy(&t->changed);
    os_mutex_destroy(&t->lock);
}

/* Takes the lock. False, without the lock, if there is no more work. */
static inline bool turns_enter(turns *t)
{
    os_mutex_lock(&t->lock);
    if (!t->is_over)
        return true;
    os_mutex_unlock(&t->lock);
    return false;
}

/* Takes a number and releases the lock. */
static inline int64_t turns_take(turns *t)
{
    const int64_t number = t->n_taken++;
    os_mutex_unlock(&t->lock);
    return number;
}

/* Waits for a number's turn, with the lock held until turns_next. */
static inline void turns_wait(turns *t, int64_t number)
{
    os_mutex_lock(&t->lock);
    while (t->n_done < number)
        os_condition_wait(&t->changed, &t->lock);
}

static inline void turns_next(turns *t)
{
    t->n_done++;
    os_condition_broadcast(&t->changed);
    os_mutex_unlock(&t->lock);
}

#endif
