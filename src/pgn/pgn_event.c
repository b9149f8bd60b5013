/*
 * pgn_event.c - the events of a PGN reader: returning, queueing and describing them.
 */
#include "pgn/pgn_event.h"
#include "base/utf8.h"

#include "pgn/pgn_lex.h"

#include <string.h>

tby_pgn_event pgn_blank_event(tby_pgn *pgn, tby_pgn_type type)
{
    tby_pgn_event event;
    memset(&event, 0, sizeof event);
    event.type = type;
    event.text = event.name = "";
    event.error.offset = (size_t)pgn->token;
    return event;
}

/* Queues an event that follows the current one. */
void pgn_queue(tby_pgn *pgn, const tby_pgn_event *event)
{
    if (pgn->n_pending < PGN_PENDING)
        pgn->pending[pgn->n_pending++] = *event;
}

void pgn_warn(tby_pgn *pgn, tby_pgn_warning warning, const char *s, size_t n)
{
    const bool is_serious = warning >= TBY_PGN_WARN_NULL_MOVE;
    if (!(pgn->options.flags & (is_serious ? TBY_PGN_WARNINGS | TBY_PGN_SERIOUS : TBY_PGN_WARNINGS)))
        return;
    tby_pgn_event event = pgn_blank_event(pgn, TBY_PGN_WARNING);
    event.warning = warning;
    event.text = s;
    event.n_text = n;
    pgn_queue(pgn, &event);
}

tby_pgn_type pgn_unqueue(tby_pgn *pgn, tby_pgn_event *event)
{
    *event = pgn->pending[0];
    memmove(pgn->pending, pgn->pending + 1, --pgn->n_pending * sizeof pgn->pending[0]);
    return event->type;
}

/* A fault: the line of play is broken from here on. */
tby_pgn_type pgn_report(tby_pgn *pgn, tby_pgn_event *event, tby_status status, const char *detail, const char *s,
                        size_t n)
{
    event->error.status = status;
    event->error.args[0] = event->error.args[1] = 0;
    event->error.detail = detail;
    pgn->line.is_broken = true;
    return pgn_give(pgn, event, TBY_PGN_ERROR, s, n);
}

void pgn_queue_fault(tby_pgn *pgn, tby_status status, const char *detail, const char *s, size_t n)
{
    tby_pgn_event error = pgn_blank_event(pgn, TBY_PGN_ERROR);
    pgn_report(pgn, &error, status, detail, s, n);
    pgn_queue(pgn, &error);
}

void pgn_queue_cut(tby_pgn *pgn)
{
    pgn->window.has_failed = false;
    pgn_queue_fault(pgn, TBY_IO_ERROR, "the input ends inside the game", "", 0);
}

/* Returns the bytes as UTF-8; Windows-1252 is converted. */
const char *pgn_as_utf8(tby_pgn *pgn, const char *s, size_t *n)
{
    if (utf8_is_valid(s, *n))
        return s;
    *n = utf8_from_windows_1252(pgn->scratch, s, *n);
    pgn_warn(pgn, TBY_PGN_WARN_ENCODING, "", 0);
    return pgn->scratch;
}

bool pgn_skip_line(tby_pgn *pgn)
{
    pgn_window *w = &pgn->window;
    for (;;) {
        while (w->at < w->end && *w->at != '\n' && *w->at != '\r')
            w->at++;
        pgn->in_line = w->at == w->end && !w->is_whole;
        if (!pgn->in_line)
            return true;
        if (pgn_passes_limit(pgn))
            return false;
        pgn_window_fill(w);
    }
}
