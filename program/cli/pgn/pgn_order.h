/*
 * pgn_order.h - games that are held back until all are known: to be sorted, or to draw a sample.
 *
 * Memory is that of the games, of a sample that of as many games as it has.
 */
#ifndef TABIYA_CLI_PGN_ORDER_H
#define TABIYA_CLI_PGN_ORDER_H

#include "common.h"
#include "support/buffer.h"
#include "tabiya_query.h"

/* Reads a list of --sort; a fault in it ends the program. */
void held_order_read(tby_order *out, const char *who, const char *list);
/* Adds the bytes by which memcmp sorts the game. */
void held_key(buffer *out, const tby_order *order, const tby_row *row);

typedef struct held_games held_games;

/* With `sample`, a random sample of that many games, the same for the same seed; 0 for all. Games that are equal come
   in the order in which they were added, or with `is_reversed` the last first. */
held_games *held_new(uint64_t sample, uint64_t seed, bool is_reversed);
void held_free(held_games *h);
/* Before the first game: only that many are wanted, the first in order; 0 for all, as always with a sample. */
void held_limit(held_games *h, uint64_t most);
/* A game's text, its names (may be none) and its key (may be none). */
void held_add(held_games *h, const char *text, size_t n, const char *names, size_t n_names, const char *key,
              size_t n_key);
/* Calls `visit` for each that is held: by the key, else in the order in which they came. */
void held_each(held_games *h,
               void (*visit)(void *context, const char *text, size_t n, const char *names, size_t n_names),
               void *context);

#endif
