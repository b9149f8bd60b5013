/*
 * cmbr_reader.h - a CMBR file as a stream of games, with the error of each bad game.
 */
#ifndef TEST_CMBR_READER_H
#define TEST_CMBR_READER_H

#include "tabiya_value.h"

static inline tby_games *cmbr_new(tby_source source, void *context, const tby_allocator *allocator)
{
    return tby_game_notation_find("cmbr", 4)->open(source, context, allocator);
}

static inline void cmbr_keep_error(void *context, const tby_game_fault *fault)
{
    if (context)
        *(tby_error *)context = fault->error;
}

static inline tby_game_read cmbr_next(tby_games *games, tby_game *game, tby_error *err)
{
    return tby_games_next(games, game, cmbr_keep_error, err);
}

static inline uint64_t cmbr_number(const tby_games *games) { return tby_games_where(games).n_games; }
static inline uint64_t cmbr_offset(const tby_games *games) { return tby_games_where(games).begin; }

#endif
