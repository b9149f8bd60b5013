/*
 * words.h - the index of words: the names of players, events and sites that contain a word, compared as in the query
 * language.
 *
 * Words are folded, and a list covers all words with the same 14 bits of their hash, so results are compared with the
 * names themselves. The counters `player_words`, `event_words`, `site_words` are the last names in it; numbers up to
 * there are not reused, even if their names are deleted.
 */
#ifndef TBY_STORE_SQLITE_INDEX_WORDS_H
#define TBY_STORE_SQLITE_INDEX_WORDS_H

#include "query/ast.h"
#include "row/columns.h"
#include "store/sqlite/db.h"

enum { WORD_TABLES = NAMES_SITE + 1 }; /* the first of the tables of names */
extern const char *const words_counters[WORD_TABLES];

/* The last name of the table in the index; -1 if there is no index. */
bool words_covered(lite *db, name_table table, int64_t *out);
/* Adds the missing names. */
bool words_build(lite *db);

/* Appends the numbers of the names that match a fact about text, "3,17,20". A pattern without words is searched among the
   names that may begin like it. `*is_answered` is false if there is no index, nothing to search for, or too many names.
   */
bool words_find(lite *db, name_table table, const tby_query *query, const query_node *node, buffer *out,
                bool *is_answered);

/* Names by their words or beginnings; players with the number of their games. */
bool words_names(lite *db, const name_search *search);

/* Compares the index with the names. */
bool words_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context);

#endif
