/*
 * positions.h - the index of positions: which games come to a position, when, and what they play there.
 *
 * The games are indexed in runs of neighbouring numbers; chessgame/postings.h draws the rows of a run. A game has one
 * posting for a position: its first visit. Rows hold parts of keys only: a game of the row, the witness, is replayed to
 * see whether it comes to the position that is looked for.
 */
#ifndef TBY_STORE_SQLITE_INDEX_POSITIONS_H
#define TBY_STORE_SQLITE_INDEX_POSITIONS_H

#include "store/sqlite/game_set.h"
#include "store/sqlite/index/sorter.h"

enum { RUN_GAMES = 1 << 20 }; /* of a run, at most */
#define RUN_ID_MAX ((int64_t)1 << 40)

typedef struct position_run {
    int64_t id;
    tby_game_id first, last;
    int plies;    /* how deep it is; TBY_INDEX_ALL = every ply */
    int row_bits; /* how many bits of a key select its row */
} position_run;

typedef struct position_runs {
    position_run *runs; /* by rising games */
    size_t n, cap;
} position_runs;

/* Both leave something to free, even on failure. The first takes the runs as they are, the second only sound ones that
   do not overlap. */
bool positions_read(lite *db, position_runs *out);
bool positions_runs(lite *db, position_runs *out);
/* How many plies of a game it holds at most. */
static inline int run_depth(const position_run *run)
{
    return run->plies >= TBY_INDEX_ALL ? TBY_PLIES_MAX : run->plies;
}
/* Can there be such a run? */
bool positions_is_run(const position_run *run);
void positions_free(position_runs *runs);

/* The postings of a key in one run, of all games or of those in `among`, a set without a rest, in the order of games,
   until `visit` returns false. False on failure, or if the row is damaged. */
typedef bool (*posting_visit)(void *context, const tby_posting *p);
bool positions_each(lite *db, const position_run *run, uint64_t key, const game_set *among, posting_visit visit,
                    void *context);
/* How many there are. */
bool positions_count(lite *db, const position_run *run, uint64_t key, uint32_t *n);

/* Compares the rows of a run with its games; those of deleted games do not count. `go_on` receives how much is done,
   and may stop it: then the answer is false, and no error. */
typedef enum run_verdict { RUN_IS_RIGHT, RUN_IS_WRONG, RUN_IS_DAMAGED } run_verdict;
bool positions_verify(lite *db, const position_run *run, sorter *s, run_verdict *verdict,
                      bool (*go_on)(void *context, double part), void *context);

/* How an index is made; tests choose small numbers. */
typedef struct index_limits {
    int64_t run_games;    /* of a run, at most */
    uint64_t run_entries; /* the same of positions, but for the run's last game */
    size_t most_held;     /* positions in memory */
    unsigned row_entries; /* of a row, on the average: up to twice as many */
    unsigned spare_bits;  /* of a key, beyond those that number the positions of the run */
} index_limits;
extern const index_limits default_index_limits;
bool index_build(lite *db, int plies, const index_limits *limits, tby_db_progress progress, void *context);

#endif
