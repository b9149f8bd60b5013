/*
 * pgn_hold.h - games that are held back until all are known: to be sorted, or to draw a sample.
 *
 * Memory is that of the games, of a sample that of as many games as it has.
 */
#ifndef TABIYA_CLI_PGN_HOLD_H
#define TABIYA_CLI_PGN_HOLD_H

#include "common.h"
#include "support/buffer.h"
#include "tabiya_query.h"

/* Reads a list of --sort; a fault in it ends the program. */
void hold_order_read(tby_order *out, const char *who, const char *list);
/* Adds the bytes by which memcmp sorts the game. */
void hold_key(buffer *out, const tby_order *order, const tby_row *row);

typedef struct hold hold;

/* With `sample`, a random sample of that many games, the same for the same seed; 0 for all. Games that are equal come
   in the order in which they were added, or with `is_reversed` the last first. */
hold *hold_new(uint64_t sample, uint64_t seed, bool is_reversed);
void hold_free(hold *h);
/* Before the first game: only that many are wanted, the first in order; 0 for all, as always with a sample. */
void hold_limit(hold *h, uint64_t most);
/* A game's text, its names (may be none) and its key (may be none). */
void hold_add(hold *h, const char *text, size_t n, const char *names, size_t n_names, const char *key, size_t n_key);
/* Calls `visit` for each that is held: by the key, else in the order in which they came. */
void hold_each(hold *h, void (*visit)(void *context, const char *text, size_t n, const char *names, size_t n_names),
               void *context);

#endif
