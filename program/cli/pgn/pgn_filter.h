/*
 * pgn_filter.h - selects the games of a file that match a query.
 */
#ifndef TABIYA_CLI_PGN_FILTER_H
#define TABIYA_CLI_PGN_FILTER_H

#include "console.h"
#include "query_fault.h"
#include "support/buffer.h"

typedef struct filter filter;

/* The filter owns the query; NULL selects all games. */
filter *filter_new(tby_query *query);
/* Of a query's text (NULL: all games). A fault ends the program, after the name of the command, with a caret under its
   place. The patterns may be NULL. */
filter *filter_of_text(const char *who, const char *query, const patterns *own);
void filter_free(filter *f);
/* NULL: all games. */
const tby_query *filter_query(const filter *f);
/* Ends the program if the query uses numbers of games, which games in files do not have. */
void filter_refuse_ids(const char *who, const filter *f);

/* What one thread needs to check games. */
typedef struct filter_worker filter_worker;
filter_worker *filter_worker_new(const filter *f);
void filter_worker_free(filter_worker *w);
typedef enum filter_answer { FILTER_NO, FILTER_YES, FILTER_TOO_LONG } filter_answer;
/* FILTER_TOO_LONG: a main line of more than TBY_PLIES_MAX half-moves, which is too long for queries. `*ply` (may be
   NULL) is the first at which the query holds, 0 without a query. */
filter_answer filter_first(filter_worker *w, const tby_game *game, int *ply);
static inline filter_answer filter_ask(filter_worker *w, const tby_game *game) { return filter_first(w, game, NULL); }

#endif
