/*
 * positions.h - all positions of all games: which games reach each of them, and how many.
 *
 * A visit is the first time that a game reaches a position. Visits are sorted by key, a range of keys at a time, so that
 * they fit into the memory that may be used; afterwards the keys of all positions are known with their numbers of games.
 */
#ifndef TBY_PUBLISH_POSITIONS_H
#define TBY_PUBLISH_POSITIONS_H

#include "publish/publish.h"

typedef struct visit {
    uint64_t key;
    uint32_t game;
    uint16_t ply;
    uint16_t next; /* the move played there; TBY_MOVE_NONE at the end of a game */
} visit;

/* A range of keys is cut into buckets, which are sorted separately, by several threads. */
enum { VISIT_BUCKETS = 1 << 14 };
typedef struct visits {
    visit *of;
    uint64_t n, cap;
    uint64_t first, width; /* of the upper 32 bits of the keys */
    uint64_t starts[VISIT_BUCKETS + 1];
} visits;

/* The keys of all positions in order. */
typedef struct all_keys {
    uint64_t *of;
    uint8_t *n_games; /* of each; 255: see `many` */
    uint64_t n, cap;
    uint32_t *starts; /* the first key with these upper bits */
    unsigned shift;   /* to the upper bits */
    uint64_t *filter; /* a bit for the lower bits of each key */
    uint64_t filter_mask;
    struct many {
        uint64_t key;
        uint32_t n_games;
    } * many;
    size_t n_many, cap_many;
} all_keys;

/* How many ranges of keys there have to be. */
unsigned publish_visits_n_ranges(const tby_publisher *p);
/* Finds and sorts the visits of a range; several visits of one game are still there, the first one first. */
bool publish_visits_collect(visits *v, tby_publisher *p, unsigned range, unsigned n_ranges);
void publish_visits_free(visits *v);
/* The visits of one position from `at` on, each game once: returns where the next position begins. */
uint64_t publish_visits_group(const visits *v, uint64_t at, uint64_t end, uint64_t *n_games);

/* Adds the keys of a range; they come in order. */
bool publish_keys_add(all_keys *keys, const visits *v);
bool publish_keys_ready(all_keys *keys);
/* The index of a key; UINT64_MAX if no game reaches it. */
uint64_t publish_keys_find(const all_keys *keys, uint64_t key);
/* The number of games at an index. */
uint32_t publish_keys_games(const all_keys *keys, uint64_t index);
void publish_keys_free(all_keys *keys);
/* The key of the position after a legal move; `base` is publish_base_key of the position before it. */
uint64_t publish_base_key(const tby_position *pos);
uint64_t publish_key_after(const tby_position *pos, uint64_t base, tby_move m);

/* How many threads to use. */
unsigned publish_threads(const tby_publisher *p);

#endif
