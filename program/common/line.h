/*
 * line.h - reads a line of moves given as an argument.
 */
#ifndef TABIYA_ANSWERS_LINE_H
#define TABIYA_ANSWERS_LINE_H

#include "problem.h"

/* Plays the moves of `s`, SAN or UCI, with or without numbers, on `pos` and adds them to `moves` (of tby_move; may be
   NULL). A move that cannot be played is a problem, whose text begins with `what` and the column. */
bool line_read(tby_position *pos, buffer *moves, const char *what, const char *s, problem *p);

#endif
