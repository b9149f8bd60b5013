/*
 * open_input.h - opens the inputs of a command.
 */
#ifndef TABIYA_CLI_OPEN_INPUT_H
#define TABIYA_CLI_OPEN_INPUT_H

#include "io/input.h"

/* "-" is standard input; a database, in a file or on a server, is read as PGN. Returns NULL if it cannot be opened,
   which is reported. */
input *input_open(const char *path);
/* The same, but games in any notation are read as PGN. */
input *input_open_pgn(const char *path);
/* Was it read to its end? If not, the reason is reported. */
bool input_is_whole(const input *in);

/* The game with that number, from 1: the id in a database, the position in a file. If it does not exist or has a fault,
   the program ends with a message that begins with the name of the command. The caller frees it. */
tby_game *one_game_read(const char *who, const char *path, unsigned long number);

#endif
