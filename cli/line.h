/*
 * line.h - a line of moves as an argument.
 */
#ifndef TABIYA_CLI_LINE_H
#define TABIYA_CLI_LINE_H

#include "buffer.h"

/* Plays the moves of `s`, SAN or UCI, with or without numbers, on `pos` and adds them to `moves` (of tby_move; may be
   NULL). A move that cannot be played ends the program: `what` and the column begin the message. */
void line_read(tby_position *pos, buffer *moves, const char *what, const char *s);

#endif
