/*
 * scan.h - which games come to a position, without an index and with one.
 */
#ifndef TBY_STORE_SQLITE_SCAN_H
#define TBY_STORE_SQLITE_SCAN_H

#include "store/sqlite/db.h"

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
    unsigned n_threads; /* 0 = as many as there are processors */
    bool ignores_index; /* else only games are scanned that no run of the index covers to `max_ply` */
    /* Where the index can tell the number of games alone, which takes no look at each, it is told so for the targets
       from `first_counted` on. NULL: never. */
    void (*count)(void *context, size_t target, uint32_t n_games);
    size_t first_counted;
} scan_options;

/* Calls `visit` for every hit, in this thread: first those of the index, then those of the scan; each part has the
   games of a target in rising order. False on failure, or if `visit` answers false, having told why. */
typedef bool (*hit_visit)(void *context, const hit *h);
bool tby_scan(lite *db, const scan_options *options, hit_visit visit, void *context);

/* For threads: how many, of `n_threads` that were wished (0 = as many as there are processors) and `most` that have
   work; and the connection of number `i`, 0 being `db` itself, NULL if there can be none. */
enum { THREADS_MAX = 64 };
unsigned tby_scan_threads(unsigned n_threads, int64_t most);
lite *tby_reader(lite *db, unsigned i);

#endif
