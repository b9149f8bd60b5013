/*
 * near.h - what to say when no game was found: which condition excludes them all, and which names are similar.
 */
#ifndef TABIYA_CLI_NEAR_H
#define TABIYA_CLI_NEAR_H

#include "sources.h"

/* Reports names of players in the databases that resemble a name, if there are any. */
void near_players(const sources *all, const char *name);
/* No game was found by the conditions and the query's text (NULL: none). Said on a terminal, and otherwise only of
   names, where a mistake is likely: what a program reads stays empty. */
void none_found(const sources *all, const char *text);

#endif
