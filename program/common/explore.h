/*
 * explore.h - writes what tabiya explore shows.
 */
#ifndef TABIYA_ANSWERS_EXPLORE_H
#define TABIYA_ANSWERS_EXPLORE_H

#include "support/buffer.h"
#include "tabiya_db.h"

/* One object on one line, with the first n_shown moves. */
void explore_write_json(buffer *out, const tby_position *pos, const tby_db_moves *moves, size_t n_shown);

/* The same of a query: `match` is its text. */
void explore_write_match(buffer *out, const char *match, const tby_db_played *played, size_t n_shown);

#endif
