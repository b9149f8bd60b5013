/*
 * pgn_lines.h - copies parts of a game into another one.
 */
#ifndef TABIYA_CLI_PGN_LINES_H
#define TABIYA_CLI_PGN_LINES_H

#include "tabiya.h"

/* Copies tags and result into an empty game. All return false if memory runs out. */
bool lines_copy_head(tby_game *to, const tby_game *from);
/* Copies the moves after `node`, with variations, comments and NAGs, to `at`. */
bool lines_copy_below(tby_game *to, tby_node at, const tby_game *from, tby_node node);
/* Calls `visit` with each line of play: the main line, and each variation after the moves that lead there, without a
   result. The lines are built in `room`, which must be another game. Returns false if `visit` did, or if memory runs
   out. */
bool lines_unfold(tby_game *room, const tby_game *game, bool (*visit)(void *context, const tby_game *line),
                  void *context);

#endif
