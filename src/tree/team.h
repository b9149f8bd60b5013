/*
 * team.h - work shared by several threads: numbered items, stopping, failures and progress.
 */
#ifndef TBY_TREE_TEAM_H
#define TBY_TREE_TEAM_H

#include "os/threads.h"
#include "support/failure.h"
#include "tabiya_tree.h"

#include <stdatomic.h>

/* Shared by all workers. */
typedef struct team {
    void *context;
    const tby_tree_work *work;
    uint64_t total;            /* for the progress */
    tby_failure *failure;      /* changed by workers only with the lock */
    os_mutex lock;             /* while they work */
    atomic_bool stops;         /* stop soon: the caller asked for it, or a worker failed */
    atomic_uint_fast64_t done; /* out of `total` */
    atomic_size_t next;        /* the first item that no worker has taken */
    size_t end;
    bool is_unwanted; /* the caller asked it to stop */
} team;

unsigned team_size(const tby_tree_work *work);
/* Called by a worker for its next items, up to `most` of them; false if there are none left, or the team stops. */
bool team_take(team *t, size_t most, size_t *first, size_t *end);
/* Called by worker `number` after each step, which should be short, with its share of the total. Worker 0, the caller's
   thread, reports the progress. */
void team_step(team *t, unsigned number, uint64_t n);
/* Runs `member` in team_size threads, with the team as its context, on the items from `first` to `end`. False if it
   failed, or if the caller asked it to stop, which is a failure too. */
bool team_run(team *t, threads_work member, size_t first, size_t end);

#endif
