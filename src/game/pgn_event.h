/*
 * pgn_event.h - what the parts of the PGN reader share: events, and where they are in the text.
 */
#ifndef TBY_GAME_PGN_EVENT_H
#define TBY_GAME_PGN_EVENT_H

#include "base/bitboard.h"
#include "game/pgn_reader.h"

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
/* An event that follows the one being given; and the next such. */
void pgn_queue(tby_pgn *pgn, const tby_pgn_event *event);
tby_pgn_type pgn_unqueue(tby_pgn *pgn, tby_pgn_event *event);
/* Queued only if warnings are wanted. */
void pgn_warn(tby_pgn *pgn, tby_pgn_warning warning, const char *s, size_t n);
/* A fault: the line of play is broken from here on. */
tby_pgn_type pgn_report(tby_pgn *pgn, tby_pgn_event *event, tby_status status, const char *detail, const char *s,
                        size_t n);
/* The same, after the event being given. */
void pgn_queue_fault(tby_pgn *pgn, tby_status status, const char *detail, const char *s, size_t n);
/* Bytes as UTF-8; text in another encoding is translated. */
const char *pgn_as_utf8(tby_pgn *pgn, const char *s, size_t *n);
/* To the end of the line. False where the game grows beyond its limit: then the rest is still to be passed over. */
bool pgn_skip_line(tby_pgn *pgn);

/* At a { or a ; and in the middle of a long comment. */
tby_pgn_type pgn_read_comment(tby_pgn *pgn, tby_pgn_event *event);
tby_pgn_type pgn_read_comment_chunk(tby_pgn *pgn, tby_pgn_event *event);
/* [Name "value"]: the window is at the bracket. */
tby_pgn_type pgn_read_tag(tby_pgn *pgn, tby_pgn_event *event);
/* The end of a tag's name at s, s itself if there is none; and of blanks inside a tag. */
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

#endif
