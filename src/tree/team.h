/*
 * team.h - work shared by several threads: stopping and progress.
 */
#ifndef TBY_TREE_TEAM_H
#define TBY_TREE_TEAM_H

#include "support/threads.h"
#include "tabiya_tree.h"

#include <stdatomic.h>

/* Shared by all workers. */
typedef struct team {
    void *context;
    atomic_bool stops;         /* stop soon: the caller asked for it, or a worker failed */
    atomic_uint_fast64_t done; /* out of `total`, for the progress */
    uint64_t total;
    const tby_tree_work *work;
    bool is_unwanted; /* the caller asked it to stop */
} team;

unsigned team_size(const tby_tree_work *work);
/* Called by worker `number` after each step, which should be short, with its share of the total. Worker 0, the caller's
   thread, reports the progress. */
void team_step(team *t, unsigned number, uint64_t n);
/* Runs `member` in team_size threads, with the team as its context. False if the caller asked it to stop. */
bool team_run(team *t, threads_work member, const tby_tree_work *work);

#endif
