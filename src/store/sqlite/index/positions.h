/*
 * positions.h - the position index: which games reach a position, at which ply, and the moves they play there.
 *
 * Games are indexed in runs of consecutive numbers; value/postings.h describes the rows of a run. A game has one
 * posting per position: its first occurrence. Rows contain only parts of keys: a game of the row, the witness, is
 * replayed to see whether it reaches the wanted position.
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
    int plies;    /* its depth; TBY_INDEX_ALL = every ply */
    int row_bits; /* how many bits of a key select its row */
} position_run;

typedef struct position_runs {
    position_run *runs; /* in the order of games */
    size_t n, cap;
} position_runs;

/* Both must be freed, even on failure. The first takes the runs unchecked, the second only valid ones that do not
   overlap. */
bool positions_read(lite *db, position_runs *out);
bool positions_runs(lite *db, position_runs *out);
/* The maximum number of plies of a game in the run. */
static inline int run_depth(const position_run *run)
{
    return run->plies >= TBY_INDEX_ALL ? TBY_PLIES_MAX : run->plies;
}
/* Is the run valid? */
bool positions_is_run(const position_run *run);
void positions_free(position_runs *runs);
/* The first run that ends at this game or after it; runs->n if there is none. */
size_t positions_run_at(const position_runs *runs, tby_game_id id);
/* The run that contains the game; runs->n if there is none. */
size_t positions_run_of(const position_runs *runs, tby_game_id id);

/* The postings of a key in one run, of all games or of those in `among`, in the order of games,
   until `visit` returns false. False on failure, or if the row is damaged. */
typedef bool (*posting_visit)(void *context, const tby_posting *p);
bool positions_each(lite *db, const position_run *run, uint64_t key, const game_set *among, posting_visit visit,
                    void *context);
/* Counts these postings. */
bool positions_count(lite *db, const position_run *run, uint64_t key, const game_set *among, uint32_t *n);

/* Compares the rows of a run and its counts with its games; deleted games do not count. `go_on` receives the fraction done, and may
   stop: then the result is false, without an error. */
typedef enum run_verdict { RUN_IS_RIGHT, RUN_HAS_WRONG_COUNTS, RUN_IS_WRONG, RUN_IS_DAMAGED } run_verdict;
bool positions_verify(lite *db, const position_run *run, sorter *s, run_verdict *verdict,
                      bool (*go_on)(void *context, double part), void *context);

/* Parameters for building an index; tests choose small numbers. */
typedef struct index_limits {
    int64_t run_games;    /* of a run, at most */
    uint64_t run_entries; /* of a run, at most, not counting its last game */
    size_t most_held;     /* positions in memory */
    unsigned row_entries; /* of a row on average; up to twice as many */
    unsigned spare_bits;  /* of a key, beyond those needed to number the run's positions */
} index_limits;
extern const index_limits default_index_limits;
bool index_build(lite *db, int plies, const index_limits *limits, tby_db_progress progress, void *context);

#endif
