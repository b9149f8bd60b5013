/*
 * pgn_hold.h - games that are held back until all are known: to be sorted, or to draw a sample.
 *
 * Memory is that of the games, of a sample that of as many games as it has.
 */
#ifndef TABIYA_CLI_PGN_HOLD_H
#define TABIYA_CLI_PGN_HOLD_H

#include "buffer.h"
#include "common.h"

/* By what games are sorted: names separated by commas, each perhaps after a minus for falling order. */
typedef struct sort_order sort_order;
sort_order *sort_order_read(const char *list);
void sort_order_free(sort_order *order);
/* Adds the bytes by which memcmp sorts the game. */
void sort_key(buffer *out, const sort_order *order, const tby_game *game);

/* Adds one value to such a key, in falling order if asked for; NULL is not known and comes last. */
void hold_key(buffer *out, const char *value, bool is_falling);

typedef struct hold hold;

/* A random sample of `sample` games, 0 for all; the same for the same seed. */
hold *hold_new(uint64_t sample, uint64_t seed);
void hold_free(hold *h);
/* A game's text, its names (may be none) and its key (may be none). */
void hold_add(hold *h, const char *text, size_t n, const char *names, size_t n_names, const char *key, size_t n_key);
/* Calls `visit` for each that is held: by the key, else in the order in which they came. */
void hold_each(hold *h, void (*visit)(void *context, const char *text, size_t n, const char *names, size_t n_names),
               void *context);

#endif
