/*
 * positions.h - the index of positions: which games come to a position, when, and what they play there.
 *
 * The games are indexed in runs of neighbouring numbers; value/postings.c draws the rows of a run. A game has one posting
 * for a position: its first visit.
 */
#ifndef TBY_STORE_POSITIONS_H
#define TBY_STORE_POSITIONS_H

#include "store/sqlite/db.h"

enum { RUN_GAMES = 1 << 16 };

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

/* The postings of a key in one run, by rising games, until `visit` answers false. False on failure, or if the row is
   damaged. */
typedef bool (*posting_visit)(void *context, const tby_posting *p);
bool tby_positions_each(tby_db *db, const position_run *run, uint64_t key, posting_visit visit, void *context);
/* How many there are. */
bool tby_positions_count(tby_db *db, const position_run *run, uint64_t key, uint32_t *n);

#endif
