/*
 * open_input.h - opens the inputs of a command.
 */
#ifndef TABIYA_CLI_OPEN_INPUT_H
#define TABIYA_CLI_OPEN_INPUT_H

#include "input.h"

/* "-" is standard input; a database, or one on a server, is read as PGN. What cannot be opened is reported; the answer
   is NULL then. */
input *input_open(const char *path);
/* The same, and games of any notation are read as PGN. */
input *input_open_pgn(const char *path);
/* Was it read to its end? If not, the reason is reported. */
bool input_is_whole(const input *in);

#endif
