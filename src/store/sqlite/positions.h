/*
 * positions.h - the index of positions: which games come to a position, when, and what they play there.
 *
 * The games are indexed in runs of neighbouring numbers; value/postings.c draws the rows of a run. A game has one
 * posting for a position: its first visit.
 */
#ifndef TBY_STORE_SQLITE_POSITIONS_H
#define TBY_STORE_SQLITE_POSITIONS_H

#include "store/sqlite/db.h"

enum { RUN_GAMES = 1 << 16 };
#define RUN_ID_MAX ((int64_t)1 << 40)

typedef struct position_run {
    int64_t id;
    tby_game_id first, last;
    int plies; /* how deep it is; TBY_INDEX_ALL = every ply */
} position_run;

typedef struct position_runs {
    position_run *runs; /* by rising games */
    size_t n, cap;
} position_runs;

/* Both leave something to free, even on failure. The first takes the runs as they are, the second only sound ones that
   do not overlap. */
bool tby_positions_read(lite *db, position_runs *out);
bool tby_positions_runs(lite *db, position_runs *out);
/* How many plies of a game it holds at most. */
static inline int run_depth(const position_run *run)
{
    return run->plies >= TBY_INDEX_ALL ? TBY_PLIES_MAX : run->plies;
}
/* Can there be such a run? */
bool tby_positions_is_run(const position_run *run);
void tby_positions_free(position_runs *runs);

/* The postings of a key in one run, in the order of games, until `visit` returns false. False on failure, or if the row
   is damaged. */
typedef bool (*posting_visit)(void *context, const tby_posting *p);
bool tby_positions_each(lite *db, const position_run *run, uint64_t key, posting_visit visit, void *context);
/* How many there are. */
bool tby_positions_count(lite *db, const position_run *run, uint64_t key, uint32_t *n);

#endif
