/*
 * search.h - what the searches of tabiya_db.h share, for any kind of database.
 *
 * A function that returns false has called db_fail.
 */
#ifndef TBY_SEARCH_SEARCH_H
#define TBY_SEARCH_SEARCH_H

#include "store/access.h"

/* Can it be changed? (db.c) */
bool search_may_write(tby_db *db);
/* The games of `among` that reach a position; NULL: all games. */
bool search_reach(tby_db *db, const tby_position *pos, const tby_db_search *among, const reaching_visitor *visitor);
/* What they play in many positions; those of `many` remain to be looked at one by one unless it becomes done. */
bool search_reach_many(tby_db *db, const tby_db_search *among, reaching_many *many);
bool search_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
/* The same for those games that count, without how many reach other positions. */
typedef bool (*explore_filter)(void *context, const tby_db_reaching *game);
bool search_explore_some(tby_db *db, const tby_position *pos, const tby_db_search *among, explore_filter counts,
                         void *context, tby_db_moves *out);
/* Does one of the words, of two letters or more, begin a word of the name? A quick test that rules out most names; letters
   beyond ASCII are left to an exact one. (suggest.c) */
bool name_may_fit(tby_text name, const char *words, size_t n_words);

/* Names that were found, each once: the nearest first, then those with the most games. (suggest.c) */
enum { FOUND_NAMES_MAX = 64, FOUND_NAME_SIZE = 128 };
typedef struct found_name {
    char s[FOUND_NAME_SIZE];
    size_t n;
    unsigned distance; /* from the wanted name: lower is more similar */
    int64_t games;
} found_name;
typedef struct found_names {
    found_name list[FOUND_NAMES_MAX];
    size_t n, most; /* `most` is at most FOUND_NAMES_MAX */
} found_names;
/* The name must fit; it is left out if there are enough names before it. */
void found_names_add(found_names *to, tby_text name, unsigned distance, int64_t games);

#endif
