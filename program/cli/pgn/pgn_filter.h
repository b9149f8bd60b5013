/*
 * pgn_filter.h - which games of a file are picked: those for which a query holds.
 *
 * Options of tabiya pgn are short forms of the query language and may stand beside a query.
 */
#ifndef TABIYA_CLI_PGN_FILTER_H
#define TABIYA_CLI_PGN_FILTER_H

#include "common.h"
#include "query_fault.h"
#include "support/buffer.h"

typedef struct filter filter;

/* `name` stands before what is said of faults: "pgn". The patterns, which may be NULL, must stay. */
filter *filter_new(const char *name, const patterns *own);
void filter_free(filter *f);
/* Adds a condition by the option that has the name of a word of the language, or `tag` with NAME=VALUE. A value that
   makes no sense ends the program, naming the option. */
void filter_add(filter *f, const char *name, const char *value);
/* Is it a query? A fault ends the program. */
void filter_check(const filter *f, const char *query);
/* Adds a query that must hold somewhere in the game, whatever else holds where. A fault ends the program. */
void filter_add_match(filter *f, const char *query);
/* Reads the query (NULL: there is none). A fault ends the program, with a caret under its place. */
void filter_end(filter *f, const char *query);
/* The word that is a query and no file: the last of several or else the first, if no file has its name. NULL: none. */
const char *filter_query_word(const args *a);
/* NULL: all games. */
const tby_query *filter_query(const filter *f);
/* For games of files, which have no numbers: a query that asks for them ends the program. */
void filter_refuse_ids(const filter *f);
/* Prints how the games of files would be found. */
void filter_explain(const filter *f);

/* What one thread needs for asking. */
typedef struct filter_worker filter_worker;
filter_worker *filter_worker_new(const filter *f);
void filter_worker_free(filter_worker *w);
typedef enum filter_answer { FILTER_NO, FILTER_YES, FILTER_TOO_LONG } filter_answer;
/* FILTER_TOO_LONG: a main line of more than TBY_PLIES_MAX half-moves, which no query can be asked of. `*ply` (may be
   NULL) is the first at which the query holds, 0 without a query. */
filter_answer filter_first(filter_worker *w, const tby_game *game, int *ply);
static inline filter_answer filter_ask(filter_worker *w, const tby_game *game) { return filter_first(w, game, NULL); }

#endif
