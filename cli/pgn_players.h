/*
 * pgn_players.h - a file of games for each player.
 */
#ifndef TABIYA_CLI_PGN_PLAYERS_H
#define TABIYA_CLI_PGN_PLAYERS_H

#include "common.h"

typedef struct players players;

/* `pattern` holds %s, where the player's name goes. The words of `a` are the inputs: none of them will be a file. */
players *players_new(const char *pattern, const args *a);
/* Adds a game to a player's file. Failures end the program. */
void players_add(players *p, const char *name, const char *game, size_t n);
/* Writes what is left, and prints how many players there are and which files are not called by their player's name. */
void players_close(players *p, uint64_t n_games);

#endif
