/*
 * counts.h - stored counts for common positions: the moves that the games of a run of the index play there, and the
 * results.
 *
 * They contain no more than the postings and the facts, but are available at once. A run has them for each position
 * that COUNTS_GAMES of its games reach; they are made with the run, and rebuilt when games of it are deleted.
 */
#ifndef TBY_STORE_SQLITE_INDEX_COUNTS_H
#define TBY_STORE_SQLITE_INDEX_COUNTS_H

#include "codec/bytes.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/index/positions.h"

enum { COUNTS_GAMES = 256, COUNTS_MOVES = 256 };

typedef struct counted_move {
    tby_move move;
    uint32_t games, results[4], n_elo[2], last_date;
    uint64_t elo_sum[2]; /* of White and Black; the position determines the side to move */
} counted_move;

typedef struct position_counts {
    uint32_t games, results[4], ended;
    size_t n_moves;
    counted_move moves[COUNTS_MOVES]; /* in order of first occurrence */
} position_counts;

/* Files of earlier versions have none. */
bool counts_are_kept(lite *db, bool *out);
/* The counts of a position in a run; `*is_there` is false if none are stored. */
bool counts_get(lite *db, const position_run *run, uint64_t key, position_counts *out, bool *is_there);

/* The data for making the counts of a run, and the statement that stores them: its parameters are the run, which is
   bound, the key and the counts. */
typedef struct counts_maker {
    lite *db;
    const position_run *run;
    uint8_t *facts; /* of all games of the run */
    sqlite3_stmt *put;
} counts_maker;
bool counts_begin(counts_maker *m, lite *db, const position_run *run);
void counts_end(counts_maker *m);
/* Starts a position and counts one of its games, in any thread. */
void counts_start(position_counts *counts);
void counts_count(const counts_maker *m, position_counts *counts, tby_game_id id, tby_move next);
/* Overwrites the buffer with the counts; false if they need not be stored. */
bool counts_encode(buffer *row, const position_counts *counts);

/* Remembers, before these games are deleted, which counts include them; and rebuilds those when the games are gone.
 */
bool counts_touch(lite *db, const tby_game_id *ids, size_t n_ids);
bool counts_refresh(lite *db);
/* Do a run's counts match its postings and facts? */
bool counts_verify(lite *db, const position_run *run, bool *is_right);

#endif
