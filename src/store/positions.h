/*
 * positions.h - the index of positions: which games come to a position, when, and what they play there.
 *
 * The games are indexed in runs of neighbouring numbers; a run has one row for each of the 65,536 values of a key's
 * upper 16 bits (its bucket), whose number is run * 65536 + bucket:
 *
 *     row     [ group ][ group ] ...                 by rising key
 *     group   [ rest of the key: 6 bytes, highest first | number of postings | posting ... ]
 *     posting [ game: difference to the one before, at first to the run's first | ply | next move: 2 bytes ]
 *
 * Numbers are varints (codec/varint.h), the move is a tby_move, lowest byte first, 0 where the game ends. A game has
 * one posting for a position: its first visit.
 */
#ifndef TBY_STORE_POSITIONS_H
#define TBY_STORE_POSITIONS_H

#include "store/db.h"

enum { POSITION_BUCKETS = 1 << 16, RUN_GAMES = 1 << 16 };

typedef struct position_run {
    int64_t id;
    tby_game_id first, last;
    int plies; /* how deep it is; TBY_INDEX_ALL = every ply */
} position_run;

typedef struct position_runs {
    position_run *runs; /* by rising games */
    size_t n, cap;
} position_runs;

bool tby_positions_runs(tby_db *db, position_runs *out);
void tby_positions_free(position_runs *runs);

typedef struct posting {
    tby_game_id id;
    int ply;
    tby_move next;
} posting;
typedef bool (*posting_visit)(void *context, const posting *p);

/* The postings of a key in one run, by rising games, until `visit` answers false. False on failure, or if the row is
   damaged. */
bool tby_positions_each(tby_db *db, const position_run *run, uint64_t key, posting_visit visit, void *context);
/* Every posting of one row; for checking. */
typedef bool (*keyed_visit)(void *context, uint64_t key, const posting *p);
bool tby_positions_row(const uint8_t *bytes, size_t n, const position_run *run, unsigned bucket, keyed_visit visit,
                       void *context);

#endif
