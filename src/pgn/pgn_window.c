/*
 * pgn_window.c - a sliding window over an input of any length.
 */
#include "pgn/pgn_reader.h"

#include "pgn/pgn_scan.h"

#include <string.h>

static void set_offset(pgn_window *w, uint64_t offset)
{
    w->offset = offset;
    w->bias = offset - (uint64_t)(uintptr_t)w->buffer;
}

void pgn_window_init(pgn_window *w, tby_source source, void *context)
{
    w->source = source;
    w->context = context;
    w->is_whole = w->has_failed = false;
    w->buffer[0] = '\n'; /* the first byte begins a line */
    w->at = w->end = w->buffer + 1;
    set_offset(w, (uint64_t)-1);
    w->counted = w->line = w->line_start = 0;
    memset(w->buffer + 1, 0, PGN_WINDOW_SLACK);
}

/* A line ends with \n, or with \r that no \n follows. */
static bool ends_line(const char *s) { return *s == '\n' || (*s == '\r' && s[1] != '\n'); }

static uint64_t lines_between(const char *from, const char *to)
{
    uint64_t lines = 0;
    if (memchr(from, '\r', (size_t)(to - from))) {
        for (; from < to; from++)
            lines += ends_line(from);
        return lines;
    }
    return pgn_count_bytes(from, (size_t)(to - from), '\n');
}

static void count_lines(pgn_window *w, uint64_t offset)
{
    const char *from = w->buffer + (w->counted - w->offset), *to = w->buffer + (offset - w->offset);
    const uint64_t lines = lines_between(from, to);
    if (lines) {
        const char *s = to;
        while (!ends_line(s - 1))
            s--;
        w->line_start = w->offset + (uint64_t)(s - w->buffer);
    }
    w->line += lines;
    w->counted = offset;
}

void pgn_window_fill(pgn_window *w)
{
    const uint64_t at_offset = pgn_window_offset(w, w->at);
    if (w->counted < at_offset)
        count_lines(w, at_offset);
    const size_t there = (size_t)(w->at - w->buffer), behind = there < PGN_WINDOW_BEHIND ? there : PGN_WINDOW_BEHIND;
    const size_t kept = (size_t)(w->end - w->at) + behind;
    memmove(w->buffer, w->at - behind, kept);
    set_offset(w, at_offset - behind);
    w->at = w->buffer + behind;
    size_t filled = kept;
    while (filled < PGN_WINDOW_SIZE && !w->is_whole) {
        const size_t n = w->source(w->context, w->buffer + filled, PGN_WINDOW_SIZE - filled);
        w->has_failed |= n == TBY_SOURCE_FAILED;
        w->is_whole = n == 0 || n == TBY_SOURCE_FAILED;
        filled += w->is_whole ? 0 : n;
    }
    w->end = w->buffer + filled;
    memset(w->buffer + filled, 0, PGN_WINDOW_SLACK);
}

void pgn_window_place(pgn_window *w, uint64_t offset, tby_pgn_place *place)
{
    if (w->counted < offset)
        count_lines(w, offset);
    const char *at = w->buffer + (offset - w->offset), *counted = w->buffer + (w->counted - w->offset);
    uint64_t line = w->line, line_start = w->line_start;
    if (offset < line_start) { /* before the last place asked for */
        line -= lines_between(at, counted);
        const char *s = at;
        while (s > w->buffer + 1 && !ends_line(s - 1))
            s--;
        line_start = w->offset + (uint64_t)(s - w->buffer);
    }
    place->line = line + 1;
    place->column = offset - line_start + 1;
    place->offset = offset;
}
