/*
 * pgn_mend.h - what the PGN reader still reads where the usual reading fails, always with a warning.
 */
#ifndef TBY_PGN_PGN_MEND_H
#define TBY_PGN_PGN_MEND_H

#include "pgn/pgn_event.h"

/* Has the game any move, readable or not? */
static inline bool pgn_has_words(const tby_pgn *pgn)
{
    return pgn->line.has_moves || (pgn->line.is_broken && pgn->saw_word);
}

/* Does the number at s begin a game without tags? */
bool pgn_begins_bare_game(const tby_pgn *pgn, const char *s);

/* Is this a result by forfeit? And does the game end at s, so that a result may precede it? */
bool pgn_read_forfeit(tby_result *result, const char *s, size_t n, bool is_tag);
bool pgn_game_ends_at(const tby_pgn *pgn, const char *s);
/* The length of the result that a word ends with; 0 if there is none. */
size_t pgn_glued_result(const char *s, size_t n);

/* A check mark by itself. */
bool pgn_is_stray_mark(const tby_pgn *pgn, const char *s, size_t n);
/* The number of commas and closing braces at s. */
size_t pgn_stray_length(const char *s);
/* "e.p." after an en passant capture: a pawn is now on the square that the other one passed. */
bool pgn_is_passing_note(const pgn_line *line, const char *s, size_t n);
/* The length of the same in brackets, at an opening one; 0 if it is something else. */
size_t pgn_passing_brackets(const pgn_line *line, const char *s);
/* The length of [pgn] or [/pgn] at a bracket; 0 if it is something else. */
size_t pgn_wrapper_length(const char *s, const char *end);

#endif
