/*
 * line.h - a line of moves as an argument.
 */
#ifndef TABIYA_ANSWERS_LINE_H
#define TABIYA_ANSWERS_LINE_H

#include "buffer.h"

/* Plays the moves of `s`, SAN or UCI, with or without numbers, on `pos` and adds them to `moves` (of tby_move; may be
   NULL). False for a move that cannot be played, which is told: `what` and the column begin the message. */
bool line_read(tby_position *pos, buffer *moves, const char *what, const char *s);

#endif
