/*
 * open_input.h - opens the inputs of a command.
 */
#ifndef TABIYA_CLI_OPEN_INPUT_H
#define TABIYA_CLI_OPEN_INPUT_H

#include "input.h"

/* "-" is standard input; a database, in a file or on a server, is read as PGN. Returns NULL if it cannot be opened,
   which is reported. */
input *input_open(const char *path);
/* The same, but games in any notation are read as PGN. */
input *input_open_pgn(const char *path);
/* Was it read to its end? If not, the reason is reported. */
bool input_is_whole(const input *in);

#endif
