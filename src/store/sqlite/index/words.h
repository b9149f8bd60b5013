/*
 * words.h - the index of words: which names of players, events and sites have a word, as the query language compares
 * them.
 *
 * Words are folded, and a list is that of all words with the same 14 bits of their hash: so what it finds is compared
 * with the names themselves. The counters `player_words`, `event_words`, `site_words` are the last names in it; numbers
 * up to there are not given to other names, should these names be deleted.
 */
#ifndef TBY_STORE_WORDS_H
#define TBY_STORE_WORDS_H

#include "store/sqlite/db.h"

typedef enum word_table { WORDS_PLAYER, WORDS_EVENT, WORDS_SITE, N_WORD_TABLES } word_table;

/* The last name of the table that is in the index; -1 if there is no index. */
bool words_covered(lite *db, word_table table, int64_t *out);
/* Takes in the names that are not yet in it. */
bool words_build(lite *db);

/* What names must have. */
typedef struct word_search {
    word_table table;
    const char *words; /* all of these, as fold_words has them */
    size_t n_words;
    tby_text whole;   /* and be this text, if there is one */
    tby_text pattern; /* or fit this folded pattern, if there is one */
    tby_text person;  /* or may be this person's, if there is one */
} word_search;
/* Appends the numbers of the names, "3,17,20". A pattern without words is looked for among the names that may begin as
   it does. `*is_answered` is false if there is no index, nothing to look for, or if names are too many. */
bool words_find(lite *db, const word_search *search, buffer *out, bool *is_answered);

/* Players by the beginnings of their names, and their games. */
bool words_players(lite *db, const player_search *search);

/* Compares it with the names. */
bool words_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context);

#endif
