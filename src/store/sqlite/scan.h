/*
 * scan.h - finds the games that reach a position, with and without an index.
 */
#ifndef TBY_STORE_SQLITE_SCAN_H
#define TBY_STORE_SQLITE_SCAN_H

#include "store/sqlite/index/positions.h"

#include <stdatomic.h>

struct position_counts; /* counts.h */

/* A game that reaches target number `target`. */
typedef struct hit {
    uint32_t id;
    uint16_t target, ply;
    tby_move next; /* the move played there; TBY_MOVE_NONE at the end of the game */
} hit;

/* Hits, and the connection that reports a lack of memory. */
typedef struct hit_list {
    lite *db;
    hit *hits;
    size_t n, cap;
} hit_list;
/* A visitor that appends to such a list; and the order by game. */
bool hit_list_add(void *list, const hit *h);
int compare_hits(const void *a, const void *b);

/* The hits in one block of games. */
typedef struct hit_block {
    int64_t number;
    hit_list hits;
    atomic_bool is_done;
} hit_block;
/* Lists the blocks that have games up to `last` which no run covers; hit_blocks_free in any case. */
bool hit_blocks_list(lite *db, const position_runs *covered, tby_game_id last, hit_block **out, int64_t *n);
void hit_blocks_free(hit_block *blocks, int64_t n);

typedef struct scan_options {
    const tby_target *targets;
    size_t n_targets;
    int max_ply;
    const tby_db_search *search; /* has the number of threads, and whether to ignore the index */
    int64_t n_wanted;            /* for a single target: the first N games are enough; 0 = all */
    const game_set *among;       /* only these games, which must all exist; NULL: all */
    /* Called for the targets from `first_counted` on if the index can count their games, instead of their hits. NULL:
       never. */
    void (*count)(void *context, size_t target, uint32_t n_games);
    size_t first_counted;
    /* The context for a thread numbered from 1; NULL if there is none. Several threads then look up the index, and its
       hits come in any order. NULL: only this thread does. */
    void *(*context_of)(void *context, unsigned number);
    /* Receives the stored counts of the first target in a run, which include all games, instead of its hits there. NULL:
       never. */
    void (*take)(void *context, const struct position_counts *counts);
} scan_options;

/* Calls `visit` for every hit, in this thread unless there is a `context_of`: first those from the index, then those
   from the scan; each part has the games of a target in order, at most `n_wanted`. False, with a failure set, on
   failure or if `visit` returns false. */
typedef bool (*hit_visit)(void *context, const hit *h);
bool scan_games(lite *db, const scan_options *options, hit_visit visit, void *context);

#endif
