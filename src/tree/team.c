/*
 * team.c - work shared by several threads: numbered items, stopping, failures and progress.
 */
#include "tree/team.h"

unsigned team_size(const tby_tree_work *work) { return threads_wanted(work ? work->n_threads : 0, THREADS_RUN_MAX); }

static void report_progress(team *t)
{
    const double done = (double)atomic_load(&t->done);
    const tby_tree_work *work = t->work;
    if (t->is_unwanted || !work || !work->progress)
        return;
    if (!work->progress(work->context, t->total ? done / (double)t->total : 0)) {
        t->is_unwanted = true;
        atomic_store(&t->stops, true);
    }
}

bool team_take(team *t, size_t most, size_t *first, size_t *end)
{
    *first = atomic_load(&t->stops) ? t->end : atomic_fetch_add(&t->next, most);
    *end = *first < t->end && t->end - *first > most ? *first + most : t->end;
    return *first < t->end;
}

void team_step(team *t, unsigned number, uint64_t n)
{
    atomic_fetch_add(&t->done, n);
    if (number == 0)
        report_progress(t);
}

bool team_run(team *t, threads_work member, size_t first, size_t end)
{
    atomic_store(&t->next, first);
    t->end = end;
    os_mutex_init(&t->lock);
    threads_run(team_size(t->work), member, t);
    os_mutex_destroy(&t->lock);
    report_progress(t);
    return t->is_unwanted ? failure_interrupted(t->failure) : t->failure->status == TBY_OK;
}
