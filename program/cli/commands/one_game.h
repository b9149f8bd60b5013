/*
 * one_game.h - one game of a file or a database.
 */
#ifndef TABIYA_CLI_ONE_GAME_H
#define TABIYA_CLI_ONE_GAME_H

#include "console.h"

/* The game with that number, from 1: the id in a database, the position in a file. If it does not exist or has a fault,
   the program ends with a message that begins with the name of the command. The caller frees it. */
tby_game *one_game_read(const char *who, const char *path, unsigned long number);

#endif
