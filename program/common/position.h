/*
 * position.h - reads positions and lines of moves for the commands and the server: a FEN, or moves instead of it.
 */
#ifndef TABIYA_COMMON_POSITION_H
#define TABIYA_COMMON_POSITION_H

#include "problem.h"

typedef text_part span;
/* The first line of `rest` without its line end, which is removed from `rest`; false if nothing is left. */
bool span_line(span *rest, span *line);

/* A text as a FEN; startpos is the start position. */
span fen_named(const char *s, size_t n);
/* Is it moves from the start position rather than a FEN: "1. e4 c5", "e2e4 c7c5"? They are accepted wherever a FEN
   is. */
bool fen_is_moves(span fen);

/* The length of a move number with its dot at the start of a text, "12."; 0 if there is none. */
size_t move_number_length(span text);

/* Any board. `warnings` may be NULL. */
bool fen_setup(tby_setup *out, span fen, unsigned flags, unsigned *warnings, problem *p);
/* Reads a playable position. `allowed` are the faults that it may have. */
bool fen_position(tby_position *out, span fen, unsigned flags, tby_faults allowed, problem *p);
/* Says why the position is not legal, one line per fault. Returns false. */
bool fen_faults(tby_faults faults, problem *p);

/* Plays the moves of `s`, SAN or UCI, with or without numbers, on `pos` and adds them to `moves` (of tby_move; may be
   NULL). A move that cannot be played is a problem, whose text begins with `what` and the column. */
bool line_read(tby_position *pos, buffer *moves, const char *what, const char *s, problem *p);

/* Adds the number of the next move, "12." or "12..."; and a move with its number, "12. Nf3". */
void write_move_number(buffer *out, const tby_position *pos);
void write_numbered_move(buffer *out, const tby_position *pos, tby_move m);
/* A member of a JSON object: {"eco":STRING,"name":STRING}, or null if there is none. */
void json_opening(buffer *out, const char *name, const tby_opening *opening);

#endif
