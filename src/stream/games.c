/*
 * games.c - streams of games, whatever their notation.
 */
#include "stream/games.h"

tby_games *tby_games_alloc(size_t size, const games_reader *reader, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_games *games = memory.resize(memory.context, NULL, 0, size);
    if (!games)
        return NULL;
    memset(games, 0, size);
    games->reader = reader;
    games->allocator = memory;
    games->size = size;
    return games;
}

void tby_games_free(tby_games *games)
{
    if (!games)
        return;
    const tby_allocator memory = games->allocator;
    games->reader->close(games);
    memory.resize(memory.context, games, games->size, 0);
}

tby_game_fault tby_games_fault(const tby_error *err)
{
    tby_game_fault fault = {.error = *err};
    tby_error_write(fault.text, sizeof fault.text, err);
    return fault;
}

tby_game_read tby_games_next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context)
{
    return games->reader->next(games, game, on_fault, context);
}

bool tby_games_skip(tby_games *games) { return games->reader->skip(games); }

tby_games_place tby_games_where(const tby_games *games) { return games->place; }
