/*
 * person.h - names of players as people write them: whether two spellings may be the same person.
 */
#ifndef TBY_QUERY_PERSON_H
#define TBY_QUERY_PERSON_H

#include "tabiya_query.h"

/* Does a name fit the one asked for? Either all words asked for are in it, or both may be the same person, also where a
   first name is cut to two letters: Polgar,Ju for Judit Polgar. */
bool person_is_asked(const char *asked, size_t n_asked, const char *name, size_t n);

#endif
