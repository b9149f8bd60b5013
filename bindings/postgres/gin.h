/*
 * gin.h - the options of an index of placements, and the keys of a game in it.
 */
#ifndef TABIYA_POSTGRES_GIN_H
#define TABIYA_POSTGRES_GIN_H

#include "extension.h"

typedef struct gin_options {
    int32 size;
    int max_ply;
    int key_bits;
} gin_options;
extern const gin_options gin_defaults;

/* The keys of all placements up to max_ply, in game order; `out` has room for game_keys_max. Returns their number. */
static inline size_t game_keys_max(bytes_argument game) { return game.n + 1; } /* a half-move takes at least a byte */
size_t game_keys(Datum *out, bytes_argument game, const gin_options *options);
Datum tabiya_gin_extract_value(PG_FUNCTION_ARGS);

#endif
