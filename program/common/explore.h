/*
 * explore.h - writes what tabiya explore shows.
 */
#ifndef TABIYA_COMMON_EXPLORE_H
#define TABIYA_COMMON_EXPLORE_H

#include "tabiya_db.h"
#include "tables.h"

/* The moves played in a position, or where a query first held: begins empty, except for `pos`. */
typedef struct explored {
    const tby_position *pos; /* NULL: where a query held */
    uint64_t games, ended, results[4];
    tby_db_move *moves; /* to be freed; the most played first */
    size_t n_moves, n_unplayed;
} explored;

/* Reads what was played in the games that a search finds. */
tby_status explored_read(explored *e, tby_db *db, const tby_db_search *search);
/* Makes sure that the first n moves have names. */
void explored_name(explored *e, size_t n);
/* The first n_shown moves as rows, to be freed. */
table explored_table(explored *e, size_t n_shown);
/* One object on one line, with the first n_shown moves; `match` is the text of the query. */
void explored_write_json(buffer *out, explored *e, const char *match, size_t n_shown);
/* Numbers of games by tby_result, as four members of a JSON object. */
void json_results(buffer *out, const uint64_t results[4]);

#endif
