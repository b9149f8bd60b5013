/*
 * team.h - the work of the tree that many threads share: when to stop, and how far it is.
 */
#ifndef TBY_TREE_TEAM_H
#define TBY_TREE_TEAM_H

#include "support/threads.h"
#include "tabiya_tree.h"

#include <stdatomic.h>

/* Given to every worker. */
typedef struct team {
    void *context;
    atomic_bool stops;         /* end soon: the caller wishes it, or a worker has failed */
    atomic_uint_fast64_t done; /* out of `total`, for the progress */
    uint64_t total;
    const tby_tree_work *work;
    bool is_unwanted; /* the caller wishes it to stop */
} team;

unsigned team_size(const tby_tree_work *work);
/* Called by worker `number` after each step, which should be short, with how much of the total it was. That of the
   caller's thread, 0, reports the progress. */
void team_step(team *t, unsigned number, uint64_t n);
/* Runs `member` in team_size threads, with the team as its context. False if the caller wanted it to stop. */
bool team_run(team *t, threads_work member, const tby_tree_work *work);

#endif
