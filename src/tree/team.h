/*
 * team.h - threads that do one piece of work together, while the caller's thread reports progress.
 */
#ifndef TBY_TREE_TEAM_H
#define TBY_TREE_TEAM_H

#include "tabiya_tree.h"

#include <stdatomic.h>

/* Given to every worker. */
typedef struct team {
    void *context;
    atomic_bool stops;         /* end soon: the caller wishes it, or a worker has failed */
    atomic_uint_fast64_t done; /* out of `total`, for the progress; workers add to it */
    uint64_t total;
} team;

typedef void (*team_member)(team *t, unsigned number);

unsigned team_size(const tby_tree_work *work);
/* Runs `member` in team_size threads and waits for them. False if the caller wanted it to stop, or if no thread could
   be started. */
bool team_run(team *t, team_member member, const tby_tree_work *work);

#endif
