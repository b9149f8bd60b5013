/*
 * position.h - FEN as the commands and the server take it.
 */
#ifndef TABIYA_ANSWERS_POSITION_H
#define TABIYA_ANSWERS_POSITION_H

#include "problem.h"

/* Bytes that somebody else keeps. */
typedef struct span {
    const char *s;
    size_t n;
} span;

/* A text as a FEN; startpos has its meaning. */
span fen_named(const char *s, size_t n);

/* Any board. `warnings` may be NULL. */
bool fen_setup(tby_setup *out, span fen, unsigned flags, unsigned *warnings, problem *p);
/* A position to play on. `allowed` are the faults that it may have. */
bool fen_position(tby_position *out, span fen, unsigned flags, tby_faults allowed, problem *p);
/* Why it is not a legal position, a line for each fault. False. */
bool fen_faults(tby_faults faults, problem *p);

/* Those of TBY_FEN_WARN_... that changed the position; missing fields and blanks have one meaning. */
#define FEN_CHANGES (TBY_FEN_WARN_CASTLING | TBY_FEN_WARN_EN_PASSANT | TBY_FEN_WARN_FULLMOVE)
/* Their names and sentences; NULL when `bit` is past the last. */
const char *fen_warning_name(unsigned bit);
const char *fen_warning_text(unsigned bit);

#endif
