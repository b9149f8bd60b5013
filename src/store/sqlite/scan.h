/*
 * scan.h - which games come to a position, without an index and with one.
 */
#ifndef TBY_STORE_SQLITE_SCAN_H
#define TBY_STORE_SQLITE_SCAN_H

#include "store/sqlite/game_set.h"

struct position_counts; /* counts.h */

/* A game that comes to target number `target`. */
typedef struct hit {
    uint32_t id;
    uint16_t target, ply;
    tby_move next; /* what is played there; TBY_MOVE_NONE at the end of the game */
} hit;

typedef struct scan_options {
    const tby_target *targets;
    size_t n_targets;
    int max_ply;
    unsigned n_threads;    /* 0 = as many as there are processors */
    int64_t n_wanted;      /* of a single target: the first N games are enough; 0 = all */
    const game_set *among; /* only these games, which must all be there; NULL: all */
    bool ignores_index;    /* else only games are scanned that no run of the index covers to `max_ply` */
    /* Called for the targets from `first_counted` on where the index knows how many games there are without looking at
       each. NULL: never. */
    void (*count)(void *context, size_t target, uint32_t n_games);
    size_t first_counted;
    /* Several threads look up the index then, and its hits come in no order: the context of a thread from number 1 on,
       NULL if it can have none. NULL: this thread alone does. */
    void *(*context_of)(void *context, unsigned number);
    /* Takes the counts that are kept of the first target in a run, in the place of its hits there. NULL: never. */
    void (*take)(void *context, const struct position_counts *counts);
} scan_options;

/* Calls `visit` for every hit, in this thread unless there is a `context_of`: first those of the index, then those of
   the scan; each part has the games of a target in order, `n_wanted` at most. False on failure, or if `visit` returns
   false, having said why. */
typedef bool (*hit_visit)(void *context, const hit *h);
bool scan_games(lite *db, const scan_options *options, hit_visit visit, void *context);

/* For threads: how many there should be, if the caller wants `n_threads` (0 = as many as there are processors) and
   there is work for `most`; and the connection of number `i`: 0 is `db` itself, NULL if it cannot be opened. */
enum { THREADS_MAX = 64 };
unsigned scan_threads(unsigned n_threads, int64_t most);
lite *lite_reader(lite *db, unsigned i);

#endif
