/*
 * team.c - threads that do one piece of work together.
 */
#include "tree/team.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TEAM_MAX = 256 };
static const long WAIT_NANOSECONDS = 50 * 1000 * 1000;

typedef struct meeting {
    team *team;
    team_member member;
    pthread_mutex_t lock;
    pthread_cond_t left;
    unsigned n_working, next_number;
} meeting;

unsigned team_size(const tby_tree_work *work)
{
    const long n = work && work->n_threads ? (long)work->n_threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > TEAM_MAX ? TEAM_MAX : (unsigned)n;
}

static void *run_member(void *context)
{
    meeting *m = context;
    pthread_mutex_lock(&m->lock);
    const unsigned number = m->next_number++;
    pthread_mutex_unlock(&m->lock);
    m->member(m->team, number);
    pthread_mutex_lock(&m->lock);
    m->n_working--;
    pthread_cond_signal(&m->left);
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static bool tell_progress(team *t, const tby_tree_work *work)
{
    if (!work || !work->progress)
        return true;
    const double done = (double)atomic_load(&t->done);
    return work->progress(work->context, t->total ? done / (double)t->total : 0);
}

/* Waits until all are done. False if they were told to stop. */
static bool wait_for(meeting *m, const tby_tree_work *work)
{
    bool is_wanted = true;
    pthread_mutex_lock(&m->lock);
    while (m->n_working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&m->left, &m->lock, &until);
        if (is_wanted && !tell_progress(m->team, work)) {
            is_wanted = false;
            atomic_store(&m->team->stops, true);
        }
    }
    pthread_mutex_unlock(&m->lock);
    return is_wanted;
}

bool team_run(team *t, team_member member, const tby_tree_work *work)
{
    pthread_t threads[TEAM_MAX];
    meeting m = {.team = t, .member = member};
    unsigned n = 0;
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.left, NULL);
    pthread_mutex_lock(&m.lock);
    for (const unsigned wanted = team_size(work); n < wanted; n++, m.n_working++)
        if (pthread_create(&threads[n], NULL, run_member, &m) != 0)
            break;
    pthread_mutex_unlock(&m.lock);
    const bool is_wanted = wait_for(&m, work);
    for (unsigned i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&m.left);
    pthread_mutex_destroy(&m.lock);
    return is_wanted && n > 0;
}
