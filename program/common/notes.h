/*
 * notes.h - describes faults of games and PGN warnings as lines of a report.
 *
 *     games.pgn:12:7: illegal move: "Nf6": no knight can go there (game 3, 12...Nf6, FEN ...)
 *     games.cmbr: byte 812: invalid CMBR: ... (game 3, record at byte 800)
 *     games.pgn:12:7: warning: not the export form of the move: "Nbd7": needless disambiguation (game 3, 12...Nbd7)
 */
#ifndef TABIYA_COMMON_NOTES_H
#define TABIYA_COMMON_NOTES_H

#include "support/report.h"
#include "tabiya_value.h"

/* Each adds one line. `name` is the input's; `game` counts from 1 in the part that is being read, 0 = none. */
void note_fault(report *r, const char *name, const tby_game_fault *fault, uint64_t game);
/* For an error, or a short warning. */
void note_error(report *r, const char *name, tby_pgn *pgn, const tby_pgn_event *event, uint64_t game);
void note_warning(report *r, const char *name, tby_pgn *pgn, const tby_pgn_event *event, uint64_t game);

/* "games.pgn:12:", or nothing for the command line; `column` 0 is left out. The line counts from 1 in the part. */
void note_place(report *r, const char *name, uint64_t line, uint64_t column);
/* 'illegal move: "Nf6": no knight can go there (2.Nf6, FEN ...)', without a line end. */
void note_move_fault(report *r, const tby_position *pos, const char *s, size_t n, const tby_error *err);
/* ' "Nf6"', with control characters replaced and long texts shortened. */
void note_quoted(report *r, const char *s, size_t n);

#endif
