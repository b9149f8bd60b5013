/*
 * team.c - work shared by several threads: stopping and progress.
 */
#include "tree/team.h"

unsigned team_size(const tby_tree_work *work) { return threads_wanted(work ? work->n_threads : 0, THREADS_RUN_MAX); }

static void tell_progress(team *t)
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

void team_step(team *t, unsigned number, uint64_t n)
{
    atomic_fetch_add(&t->done, n);
    if (number == 0)
        tell_progress(t);
}

bool team_run(team *t, threads_work member, const tby_tree_work *work)
{
    t->work = work;
    threads_run(team_size(work), member, t);
    tell_progress(t);
    return !t->is_unwanted;
}
