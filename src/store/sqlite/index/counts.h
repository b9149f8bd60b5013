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

/* The numbers of a position, and those of a move in it, in the order of their bytes. For White and for Black: how many of
   the games have a rating, and the sum of these, its lower 32 bits first. */
enum { POSITION_GAMES, POSITION_RESULTS, POSITION_ENDED = POSITION_RESULTS + 4, POSITION_NUMBERS };
enum { MOVE_GAMES, MOVE_RESULTS, MOVE_RATINGS = MOVE_RESULTS + 4, MOVE_DATE = MOVE_RATINGS + 6, MOVE_NUMBERS };

typedef struct counted_move {
    tby_move move;
    uint32_t numbers[MOVE_NUMBERS];
} counted_move;

typedef struct position_counts {
    uint32_t numbers[POSITION_NUMBERS];
    size_t n_moves;
    counted_move moves[COUNTS_MOVES]; /* in order of first occurrence */
} position_counts;

/* The sum of a side's ratings. */
static inline uint64_t counted_ratings(const counted_move *m, tby_color side)
{
    const uint32_t *sum = &m->numbers[MOVE_RATINGS + 3 * side + 1];
    return sum[0] | (uint64_t)sum[1] << 32;
}

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

/* Compares the stored counts of a run with the entries of its positions, passed in ascending order of keys. `is_right` is the
   result. Call counts_check_end in any case. */
typedef struct counts_check {
    counts_maker maker; /* without a database: there is nothing to compare */
    position_counts counts;
    buffer row;
    uint64_t *keys; /* stored */
    size_t n_keys, at;
    bool is_right;
} counts_check;
bool counts_check_begin(counts_check *c, lite *db, const position_run *run);
bool counts_check_group(counts_check *c, const position_entry *e, size_t n);
bool counts_check_finish(counts_check *c);
void counts_check_end(counts_check *c);

#endif
