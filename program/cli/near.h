/*
 * near.h - what to say when no game was found: which condition excludes them all, and which names are similar.
 */
#ifndef TABIYA_CLI_NEAR_H
#define TABIYA_CLI_NEAR_H

#include "sources.h"

/* Does the player have any games in the databases, or may it, in files? */
bool may_know_player(const sources *all, const char *name);
/* Reports names of players in the databases that resemble a name, if there are any. */
void near_players(const sources *all, const char *name);
/* Reports why no game was found by the conditions and the query's text (NULL: none). On a terminal it says everything;
   elsewhere only similar names, where a mistake is likely, so that programs get no unexpected output. */
void none_found(const sources *all, const char *text);
/* Does a search find any game in the sources? */
bool finds_games(const sources *all, tby_db_search search);

#endif
