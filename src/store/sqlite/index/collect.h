/*
 * collect.h - games played through, for their positions and for what they have had.
 *
 * Games are read one after the other and played through in several threads; what comes of it is handed on in the order
 * of the games.
 */
#ifndef TBY_STORE_SQLITE_INDEX_COLLECT_H
#define TBY_STORE_SQLITE_INDEX_COLLECT_H

#include "store/sqlite/index/positions.h"
#include "store/sqlite/index/traits.h"

typedef struct collected_game {
    tby_game_id id;
    /* False for bytes that are no game, and for a game that a damaged file gives although it is not in the range:
       neither has positions. */
    bool is_in_range, is_sound;
    const traits *traits; /* NULL if it was not wanted, or the game is not sound */
} collected_game;

typedef struct collection {
    lite *db;
    tby_game_id first, last;
    sorter *sorter;           /* gets the positions, their games counted from `first`; NULL if none are wanted */
    int depth;                /* the last ply whose position is added */
    uint64_t most_entries;    /* the game that brings the sorter to this number is the last */
    tby_game_id traits_after; /* what games after this one have had is wanted */
    /* Called for each game, in their order, before its positions are added. False stops the work: it has failed. */
    bool (*meet)(void *context, const collected_game *game);
    /* Called now and then by the caller's thread with the share that is done; false stops the work. */
    bool (*go_on)(void *context, double part);
    void *context;
} collection;

bool lite_collect(const collection *c);
/* False, having said so, for one that a sound database does not have. */
bool collected_is_good(lite *db, const collected_game *game);

#endif
