/*
 * chessgame.h - what the parts of the chessgame module share: how they report errors.
 */
#ifndef TBY_VALUE_CHESSGAME_H
#define TBY_VALUE_CHESSGAME_H

#include "tabiya_value.h"

/* `ply` is 0 for a fault that is not about a half-move. `err` may be NULL. Returns the status. */
tby_status chessgame_refuse(tby_chessgame_error *err, const tby_error *error, const tby_position *pos, unsigned ply,
                            const char *token, size_t n);

/* Like tby_chessgame_to_game, but always as standard chess. */
bool chessgame_to_game(tby_game *game, const uint8_t *bytes, size_t n);

static const tby_error CHESSGAME_TOO_LONG = {TBY_TOO_LONG, {TBY_PLIES_MAX, 0}, 0, "more than %d half-moves"};

#endif
