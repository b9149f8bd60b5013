/*
 * collect.h - the positions of the games of a run, added to a sorter.
 *
 * Games are read one after the other and played through in several threads; their positions are added in the order of
 * the games.
 */
#ifndef TBY_STORE_SQLITE_COLLECT_H
#define TBY_STORE_SQLITE_COLLECT_H

#include "store/sqlite/positions.h"

typedef struct collection {
    lite *db;
    sorter *sorter;
    const position_run *run; /* its games, and how deep they are looked at */
    uint64_t most_entries;   /* the game that reaches this number is the last */
    /* Called for each game, in their order, before its positions are added; `is_sound` is false for bytes that are no
       game, and for a game that a damaged file gives although it is not of the run: neither has positions. False stops
       the work: it has failed. */
    bool (*meet)(void *context, tby_game_id id, bool is_sound);
    /* Called now and then by the caller's thread with the share that is done; false stops the work. */
    bool (*go_on)(void *context, double part);
    void *context;
} collection;

/* `*last` is set to the game that was the last because of `most_entries`, else it stays. */
bool tby_collect(const collection *c, tby_game_id *last);

#endif
