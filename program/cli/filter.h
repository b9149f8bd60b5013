/*
 * filter.h - checks games against a query, one thread at a time.
 */
#ifndef TABIYA_CLI_FILTER_H
#define TABIYA_CLI_FILTER_H

#include "console.h"
#include "tabiya_db.h"

/* What one thread needs; a NULL query selects all games. */
typedef struct filter filter;
filter *filter_new(const tby_query *query);
void filter_free(filter *f);

typedef enum filter_answer { FILTER_NO, FILTER_YES, FILTER_TOO_LONG } filter_answer;
/* FILTER_TOO_LONG: a main line of more than TBY_PLIES_MAX half-moves, which is too long for queries. `*ply` is the first
   at which the query holds, 0 without a query. `id` is the number of the game, if the query uses it. */
filter_answer filter_first(filter *f, const tby_game *game, tby_game_id id, int *ply);

#endif
