/*
 * names.h - players' names: how often each occurs, which may be the same player, and renaming.
 */
#ifndef TABIYA_CLI_NAMES_H
#define TABIYA_CLI_NAMES_H

#include "console.h"
#include "named.h"

/* Counts a name; empty ones and "?" are not counted. */
void names_add(named_list *all, const char *s, size_t n);

typedef void (*names_visit)(const char *name, const char *proposed, uint64_t games, uint64_t of_proposed);
/* Calls `visit` in the order of the names: with all of them, and `proposed` NULL, or with those that may be a variant of
   another one. Returns the number of calls. */
size_t names_each(named_list *all, bool takes_all, names_visit visit);

/* Adds the last name of a player as it is compared: lower case without accents. */
void names_add_last(buffer *out, const char *s);

/* New names for old ones, from a file with lines OLD <tab> NEW; anything after a second tab is ignored, and so are
   lines that begin with #. A file that cannot be read ends the program. */
typedef struct new_name {
    char *old;
    char new[];
} new_name;
named_list renaming_read(const char *path);

#endif
