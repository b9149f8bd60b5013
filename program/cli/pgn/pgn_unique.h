/*
 * pgn_unique.h - sets of lines of play by their hash; each line may be marked.
 *
 * A line is its start position and its moves, as 128 bits. A set takes 17 bytes per slot and is at most 3/4 full: 24 to
 * 48 bytes per line.
 */
#ifndef TABIYA_CLI_PGN_UNIQUE_H
#define TABIYA_CLI_PGN_UNIQUE_H

#include "console.h"

typedef struct line_hash {
    uint64_t a, b; /* b is never 0 */
} line_hash;

line_hash line_begin(const tby_position *start);
line_hash line_play(line_hash hash, tby_move m);
/* The hash of a line and a text. */
line_hash line_mix(line_hash hash, const char *s, size_t n);

typedef struct line_set line_set;

enum { LINE_NEW, LINE_KNOWN };

line_set *line_set_new(void);
void line_set_free(line_set *set);
/* Adds the line; LINE_KNOWN if it was there. */
int line_set_add(line_set *set, line_hash hash);
/* Marks are one bit per line. Marking a line that is not in the set has no effect. Lines may be marked by several
   threads at once while none are added. */
void line_set_mark(line_set *set, line_hash hash);
bool line_set_is_marked(const line_set *set, line_hash hash);

#endif
