/*
 * pgn_event.h - what the parts of the PGN reader share: events, and their places in the text.
 */
#ifndef TBY_PGN_PGN_EVENT_H
#define TBY_PGN_PGN_EVENT_H

#include "base/bitboard.h"
#include "pgn/pgn_reader.h"

#include <string.h>

TBY_INLINE tby_pgn_type pgn_give(tby_pgn *pgn, tby_pgn_event *event, tby_pgn_type type, const char *s, size_t n)
{
    event->type = type;
    event->text = s;
    event->n_text = n;
    event->error.offset = (size_t)pgn->token;
    return type;
}

tby_pgn_event pgn_blank_event(tby_pgn *pgn, tby_pgn_type type);
/* Queues an event after the current one; and takes the next queued one. */
void pgn_queue(tby_pgn *pgn, const tby_pgn_event *event);
tby_pgn_type pgn_unqueue(tby_pgn *pgn, tby_pgn_event *event);
/* Queued only if warnings are wanted. */
void pgn_warn(tby_pgn *pgn, tby_pgn_warning warning, const char *s, size_t n);
/* A fault: the line of play is broken from here on. */
tby_pgn_type pgn_report(tby_pgn *pgn, tby_pgn_event *event, tby_status status, const char *detail, const char *s,
                        size_t n);
/* The same, after the current event. */
void pgn_queue_fault(tby_pgn *pgn, tby_status status, const char *detail, const char *s, size_t n);
/* The input failed inside the game. */
void pgn_queue_cut(tby_pgn *pgn);
/* Returns the bytes as UTF-8; Windows-1252 is converted. */
const char *pgn_as_utf8(tby_pgn *pgn, const char *s, size_t *n);
/* Skips to the end of the line. False if the game exceeds its limit: then the rest must still be skipped. */
bool pgn_skip_line(tby_pgn *pgn);

/* Like tby_pgn_moves. If a plain comment follows the last of these moves, also reads it into `comment`, unless that is
   NULL or comments are skipped. */
size_t pgn_moves_and_comment(tby_pgn *pgn, tby_move *out, size_t cap, tby_pgn_event *comment);

/* At a { or a ; and in the middle of a long comment. */
tby_pgn_type pgn_read_comment(tby_pgn *pgn, tby_pgn_event *event);
tby_pgn_type pgn_read_comment_chunk(tby_pgn *pgn, tby_pgn_event *event);
/* [Name "value"]: the window is at the bracket. TBY_PGN_END, and nothing read: [pgn] or [/pgn] ends
   the tags. */
tby_pgn_type pgn_read_tag(tby_pgn *pgn, tby_pgn_event *event);
/* The end of a tag's name at s, or s itself if there is none; and the end of blanks inside a tag. */
const char *pgn_skip_tag_name(const char *s, const char *limit);
const char *pgn_skip_tag_blanks(const char *s, const char *limit);

static inline bool pgn_begins_line(const char *s) { return s[-1] == '\n' || s[-1] == '\r'; }

static inline bool pgn_begins_event_tag(const char *s, const char *end)
{
    static const char tag[] = "[Event \"";
    return end - s >= 8 && (s[-1] == '\n' || s[-1] == '\r') && memcmp(s, tag, 8) == 0;
}

/* The end of the line within s..limit, or NULL. */
static inline const char *pgn_find_line_end(const char *s, const char *limit)
{
    while (s < limit && *s != '\n' && *s != '\r')
        s++;
    return s < limit ? s : NULL;
}

/* ---- What is read where the usual reading fails, always with a warning (pgn_mend.c) ------------------------------ */

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
