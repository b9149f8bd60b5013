/*
 * one_game.h - one game of a file or a database.
 */
#ifndef TABIYA_CLI_ONE_GAME_H
#define TABIYA_CLI_ONE_GAME_H

#include "common.h"

/* The game with that number, from 1: of a database by its id, of a file by its place. If it does not exist or has a
   fault, the program ends, saying so after the name of the command. To be freed. */
tby_game *one_game_read(const char *who, const char *path, unsigned long number);

#endif
