/*
 * explore.h - writes what tabiya explore shows.
 */
#ifndef TABIYA_ANSWERS_EXPLORE_H
#define TABIYA_ANSWERS_EXPLORE_H

#include "tabiya_db.h"
#include "tables.h"

/* The first n_shown moves as rows, to be freed: those of a position, and those of a query. */
table explore_table(const tby_position *pos, const tby_db_moves *moves, size_t n_shown);
table explore_match_table(const tby_db_played *played, size_t n_shown);

/* One object on one line, with the first n_shown moves. */
void explore_write_json(buffer *out, const tby_position *pos, const tby_db_moves *moves, size_t n_shown);

/* The same of a query: `match` is its text. */
void explore_write_match(buffer *out, const char *match, const tby_db_played *played, size_t n_shown);

/* Adds the moves played in another database; a move may occur in only one of the two. */
void explore_add(tby_db_moves *to, const tby_db_moves *from, const tby_position *pos);
/* The same of a query; false without memory. */
bool explore_add_match(tby_db_played *to, const tby_db_played *from);

#endif
