/*
 * game_registry.c - the notations of whole games by name.
 */
#include "game/game.h"

#include <string.h>

/* The first error of a game that is being read. */
static void keep_first_error(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    tby_error *first = context;
    (void)pgn;
    if (event->type == TBY_PGN_ERROR && first->status == TBY_OK)
        *first = event->error;
}

static tby_status read_pgn(tby_game *game, const char *s, size_t n, tby_error *err)
{
    tby_error first = {TBY_OK, {0, 0}, 0, NULL};
    tby_pgn *pgn = tby_pgn_new_memory(s, n, NULL, &game->allocator);
    const tby_game_read answer = pgn ? tby_game_read_pgn(game, pgn, keep_first_error, &first) : TBY_GAME_NO_MEMORY;
    tby_pgn_free(pgn);
    if (answer == TBY_GAME_NO_MEMORY)
        first.status = TBY_NO_MEMORY;
    if (answer == TBY_GAME_END) {
        first.status = TBY_INVALID_PGN;
        first.detail = "there is no game";
    }
    if (first.status != TBY_OK && err)
        *err = first;
    return first.status;
}

static bool write_pgn(const tby_game *game, tby_sink sink, void *context)
{
    return tby_pgn_write(game, 0, sink, context);
}

static tby_status read_cmbr(tby_game *game, const char *s, size_t n, tby_error *err)
{
    return tby_cmbr_decode(game, (const uint8_t *)s, n, err);
}

static bool write_cmbr(const tby_game *game, tby_sink sink, void *context)
{
    return tby_cmbr_encode(game, sink, context, &game->allocator, NULL) == TBY_OK;
}

static const tby_game_notation NOTATIONS[] = {
    {"pgn", "portable game notation", NULL, false, read_pgn, write_pgn},
    {"json", "one line of JSON a game", "variations nested more than 64 deep", false, tby_json_read, tby_json_write},
    {"cmbr", "records of 24-bit words", "more than 65535 variations in a game", true, read_cmbr, write_cmbr},
};

const tby_game_notation *tby_game_notation_at(size_t index)
{
    return index < sizeof NOTATIONS / sizeof *NOTATIONS ? &NOTATIONS[index] : NULL;
}

const tby_game_notation *tby_game_notation_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof NOTATIONS / sizeof *NOTATIONS; i++)
        if (strlen(NOTATIONS[i].name) == n && memcmp(NOTATIONS[i].name, name, n) == 0)
            return &NOTATIONS[i];
    return NULL;
}
