/*
 * stored.h - the start and the tags of a stored game, as CMBR and JSON have them.
 *
 * The start is any playable position, as FEN, whether or not a game leads to it. Clocks and move numbers have FEN's
 * limits.
 */
#ifndef TBY_CODEC_STORED_H
#define TBY_CODEC_STORED_H

#include "pgn/game.h"
#include "tabiya_value.h"

static inline tby_status start_read(tby_position *out, const char *s, size_t n, tby_error *err)
{
    tby_setup setup;
    const tby_status status = tby_fen_read(&setup, s, n, TBY_FEN_STRICT, NULL, err);
    return status == TBY_OK ? tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, err) : status;
}

/* The length of the FEN; 0 if no FEN leads back to this position. */
static inline size_t start_write(char fen[TBY_FEN_SIZE], const tby_position *start)
{
    tby_position back;
    const size_t n = tby_fen_write_position(fen, TBY_FEN_SIZE, start, 0);
    const bool is_good = n < TBY_FEN_SIZE && start_read(&back, fen, n, NULL) == TBY_OK &&
                         memcmp(start, &back, sizeof back) == 0;
    return is_good ? n : 0;
}

/* Adds a tag. Returns TBY_OK, TBY_NO_MEMORY, or `invalid` with the reason. */
static inline tby_status tags_add(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value,
                                  tby_status invalid, const char **detail)
{
    *detail = NULL;
    if (!game_is_tag_name(name, n_name))
        *detail = "letters and digits expected as the name of a tag";
    else if (game_find_tag(game, name, n_name) < game->n_tags)
        *detail = "a tag that occurs twice";
    else if (!tby_game_set_tag(game, name, n_name, value, n_value))
        return TBY_NO_MEMORY;
    return *detail ? invalid : TBY_OK;
}

#endif
