/*
 * pgn_comment.c - reads PGN comments: { to }, or ; to the end of the line; long ones in chunks.
 *
 * Refuses  a brace that is not closed before the next game, a line starting with [Event ", or the end of the input.
 */
#include "pgn/pgn_event.h"

#include "pgn/pgn_lex.h"
#include "pgn/pgn_scan.h"

/* The result of scanning a comment. */
typedef struct comment_end {
    const char *stop; /* the end of its text; NULL if it continues */
    bool is_closed;   /* by a brace */
    bool is_ascii;
} comment_end;

/* Where a brace comment stops within s..limit: at its closing brace or at a line that begins the next game. */
static comment_end find_comment_end(tby_pgn *pgn, const char *s, const char *limit)
{
    const bool nested = (pgn->options.flags & TBY_PGN_NESTED_COMMENTS) != 0;
    comment_end end = {NULL, false, true};
    for (; (s = pgn_find_brace(s, limit)) < limit; s++) {
        if (*s == '}') {
            if (!nested || --pgn->comment_depth == 0) {
                end.stop = s;
                end.is_closed = true;
                break;
            }
        } else if (*s == '{')
            pgn->comment_depth += nested;
        else if (*s != '[')
            end.is_ascii = false;
        else if (pgn_begins_event_tag(s, pgn->window.end)) {
            end.stop = s;
            break;
        }
    }
    return end;
}

static comment_end find_line_comment_end(const char *s, const char *limit)
{
    const comment_end end = {pgn_find_line_end(s, limit), false, false};
    return end;
}

/* The longest prefix of n bytes that splits no UTF-8 character. */
static size_t whole_characters(const char *s, size_t n)
{
    size_t cut = n;
    while (cut > 0 && cut + 4 > n && ((unsigned char)s[cut] & 0xc0) == 0x80)
        cut--;
    return cut ? cut : n;
}

/* Returns the next n bytes of the window as an event, and moves past them. */
static tby_pgn_type give_comment(tby_pgn *pgn, tby_pgn_event *event, size_t n, bool is_ascii, bool more)
{
    const char *s = pgn->window.at;
    pgn->window.at = s + n;
    event->more = pgn->in_comment = more;
    const char *text = is_ascii ? s : pgn_as_utf8(pgn, s, &n);
    return pgn_give(pgn, event, TBY_PGN_COMMENT, text, n);
}

/* Reports the fault at the beginning of the comment. `is_cut`: the input failed inside it. */
static void refuse_open_comment(tby_pgn *pgn, bool is_cut)
{
    const uint64_t token = pgn->token;
    if (pgn->in_comment)
        pgn->token = pgn->tag_place.offset;
    if (is_cut)
        pgn_queue_cut(pgn);
    else
        pgn_queue_fault(pgn, TBY_INVALID_PGN, "the comment is not closed", "{", 1);
    pgn->token = token;
}

/* The next chunk of a comment whose opening character has been read. A brace closes it, or the end of the line if it
   began with `;`. */
tby_pgn_type pgn_read_comment_chunk(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn_window *w = &pgn->window;
    pgn_window_need(w, PGN_COMMENT_CHUNK + 16);
    const char *s = w->at, *limit = w->end - s > PGN_COMMENT_CHUNK ? s + PGN_COMMENT_CHUNK : w->end;
    if (pgn->in_comment)
        pgn->token = pgn_window_offset(w, s); /* the beginning may have left the window */
    const comment_end end = pgn->is_line_comment ? find_line_comment_end(s, limit) : find_comment_end(pgn, s, limit);
    if (!end.stop && limit < w->end) {
        if (!pgn->in_comment)
            pgn_window_place(w, pgn->token, &pgn->tag_place);
        return give_comment(pgn, event, whole_characters(s, (size_t)(limit - s)), end.is_ascii, true);
    }
    if (!end.is_closed && !pgn->is_line_comment)
        refuse_open_comment(pgn, w->has_failed && !end.stop);
    give_comment(pgn, event, (size_t)((end.stop ? end.stop : limit) - s), end.is_ascii, false);
    w->at += end.is_closed;
    return TBY_PGN_COMMENT;
}

/* At a { or a ; */
tby_pgn_type pgn_read_comment(tby_pgn *pgn, tby_pgn_event *event)
{
    pgn->is_line_comment = *pgn->window.at++ == ';';
    pgn->comment_depth = 1;
    return pgn_read_comment_chunk(pgn, event);
}
