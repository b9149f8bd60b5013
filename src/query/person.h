/*
 * person.h - players' names as people write them: may two spellings be the same person?
 */
#ifndef TBY_QUERY_PERSON_H
#define TBY_QUERY_PERSON_H

#include "tabiya_query.h"

/* Does a name match the wanted one? Either it has all wanted words, or both may be the same person, also if a first
   name is cut to two letters: Polgar,Ju for Judit Polgar. */
bool person_is_asked(const char *asked, size_t n_asked, const char *name, size_t n);

#endif
