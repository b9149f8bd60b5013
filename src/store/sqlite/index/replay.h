/*
 * replay.h - replays games, for their positions and for the traits they have had.
 *
 * Games are read one after the other and replayed in several threads; the results are delivered in the order of the
 * games.
 */
#ifndef TBY_STORE_SQLITE_INDEX_REPLAY_H
#define TBY_STORE_SQLITE_INDEX_REPLAY_H

#include "store/sqlite/index/index.h"
#include "store/sqlite/index/positions.h"

typedef struct replayed_game {
    tby_game_id id;
    /* False for invalid bytes, and for a game outside the range, which a damaged file may return: neither has
       positions. */
    bool is_in_range, is_sound;
    const game_traits *traits; /* NULL if not wanted, or if the game is damaged */
} replayed_game;

typedef struct replay {
    lite *db;
    tby_game_id first, last;
    sorter *sorter;           /* receives the positions; games count from `first`; NULL: not wanted */
    int depth;                /* the last ply whose position is added */
    uint64_t most_entries;    /* stops after the game with which the sorter reaches this number */
    tby_game_id traits_after; /* traits of games after this one are wanted */
    /* Called for each game, in order, before its positions are added. Returning false means failure, and stops the
       work. */
    bool (*visit)(void *context, const replayed_game *game);
    /* Called occasionally by the caller's thread with the fraction done; returning false stops the work. NULL: never. */
    bool (*go_on)(void *context, double part);
    void *context;
} replay;

bool lite_replay(const replay *c);
/* False, with a failure set, for a game that a sound database cannot have. */
bool replayed_is_good(lite *db, const replayed_game *game);

#endif
