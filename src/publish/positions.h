/*
 * positions.h - all positions of all games: which games reach each of them, and how many.
 *
 * A visit is the first time that a game reaches a position. Visits are sorted, a range at a time, so that they fit into the
 * memory that may be used, by the position's pawns and material and then by its key:
 *
 *     key    the shape (32 bits), and the upper 32 bits of the position's key
 *     next   the 16 bits of the position's key after these
 *
 * So the positions that a game passes through with the same pawns and pieces are neighbours, and most of those that no
 * other game reaches have no neighbours but each other.
 */
#ifndef TBY_PUBLISH_POSITIONS_H
#define TBY_PUBLISH_POSITIONS_H

#include "publish/publish.h"
#include "value/postings.h"

typedef position_entry visit;

/* A range of keys is cut into buckets, which are sorted separately, by several threads. */
enum { VISIT_BUCKETS = 1 << 12 };
typedef struct visits {
    visit *of;
    uint64_t n, cap;
    uint64_t first, width; /* of the shapes */
    uint64_t starts[VISIT_BUCKETS + 1];
} visits;

/* What is known of each game for counting. */
typedef struct brief_game {
    int date;
    short elo[2];
    uint8_t result;
} brief_game;

/* A position that several games reach. */
typedef struct shared_key {
    uint64_t key; /* as of a visit */
    uint32_t n_games;
    uint16_t next;
} shared_key;

/* A place is the number of a half-move in all games together. */
typedef struct positions {
    tby_publisher *p;
    brief_game *games;
    uint64_t *places;            /* of each game's start */
    tby_move *moves;             /* by place; TBY_MOVE_NONE at the end of a game */
    _Atomic uint64_t *is_shared; /* a bit by place: do several games reach the position? */
    shared_key *shared;          /* in order */
    size_t n_shared, cap_shared;
    uint32_t *starts;  /* the first of `shared` with these upper bits */
    unsigned shift;    /* to the upper bits */
    uint64_t n_shapes; /* of all positions */
} positions;

/* The pawns and the number of other pieces of each kind, as 32 bits: docs/formats/published.md. */
uint32_t publish_shape(const tby_board *board);
/* The key and the 16 bits after it, as of a visit. */
uint64_t publish_key(const tby_position *pos, uint16_t *next);

static inline bool publish_is_shared(const positions *all, uint64_t place)
{
    return all->is_shared[place / 64] >> (place % 64) & 1;
}

/* shared.c: finds the positions that several games reach. */
bool publish_positions_begin(positions *all, tby_publisher *p);
/* Adds those of a range; ranges come in order. */
bool publish_positions_add(positions *all, const visits *v);
bool publish_positions_ready(positions *all);
/* How many games reach a position that several do. */
uint32_t publish_positions_games(const positions *all, const tby_position *pos);
void publish_positions_free(positions *all);

/* visits.c */
/* How many ranges of keys there have to be. */
unsigned publish_visits_n_ranges(const tby_publisher *p);
/* Finds and sorts the visits of a range; several visits of one game are still there, the first one first. Sets the moves
   of `all`. */
bool publish_visits_collect(visits *v, positions *all, unsigned range, unsigned n_ranges);
void publish_visits_free(visits *v);
/* The visits of one position from `at` on, each game once: returns where the next position begins. */
uint64_t publish_visits_group(const visits *v, uint64_t at, uint64_t end, uint64_t *n_games);

#endif
