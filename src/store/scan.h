/*
 * scan.h - which games come to a position, without an index and with one.
 */
#ifndef TBY_STORE_SCAN_H
#define TBY_STORE_SCAN_H

#include "store/db.h"

/* A game that comes to target number `target`. */
typedef struct hit {
    uint32_t id;
    uint16_t target, ply;
    tby_move next; /* what is played there; TBY_MOVE_NONE at the end of the game */
} hit;

typedef struct hit_list {
    hit *hits;
    size_t n, cap;
} hit_list;

typedef struct scan_options {
    const tby_target *targets;
    size_t n_targets;
    int max_ply;
    unsigned n_threads; /* 0 = as many as there are processors */
    bool ignores_index; /* else only games are scanned that no run of the index covers to `max_ply` */
} scan_options;

/* All hits; those of one target by rising games. */
bool tby_scan(tby_db *db, const scan_options *options, hit_list *out);
void tby_hits_free(hit_list *list);

#endif
