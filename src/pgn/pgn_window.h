/*
 * pgn_window.h - a sliding window over an input of any length.
 *
 *     buffer        at                               end
 *     |  kept bytes | what is still to be read ...    | NUL ...
 *
 * The last bytes before `at` stay readable, up to PGN_WINDOW_BEHIND, so that a token knows whether it begins a line and
 * whether the line before is empty; a NUL follows `end`, so that scans stop there. Lines are counted when a place is
 * asked for, or when bytes leave the window.
 */
#ifndef TBY_PGN_PGN_WINDOW_H
#define TBY_PGN_PGN_WINDOW_H

#include "tabiya.h"

/* Fuzz targets have a smaller window, whose end is reached sooner. */
#ifndef TBY_PGN_WINDOW_SIZE
#define TBY_PGN_WINDOW_SIZE (1 << 17)
#endif
enum { PGN_WINDOW_SIZE = TBY_PGN_WINDOW_SIZE, PGN_WINDOW_SLACK = 64, PGN_WINDOW_BEHIND = 64 };

typedef struct pgn_window {
    const char *at, *end;
    bool is_whole; /* the input ends at `end` */
    bool has_failed;
    tby_source source;
    void *context;
    uint64_t offset;     /* of buffer[0] in the input */
    uint64_t bias;       /* an address plus this is its offset in the input */
    uint64_t counted;    /* the offset up to which lines are counted */
    uint64_t line;       /* the number of the line there, from 0 */
    uint64_t line_start; /* the offset where that line begins */
    char buffer[PGN_WINDOW_SIZE + PGN_WINDOW_SLACK];
} pgn_window;

void pgn_window_init(pgn_window *w, tby_source source, void *context);
/* Makes room and reads until the window is full or the input has ended. */
void pgn_window_fill(pgn_window *w);
/* Line and column of an offset that is still in the window. */
void pgn_window_place(pgn_window *w, uint64_t offset, tby_pgn_place *place);

static inline uint64_t pgn_window_offset(const pgn_window *w, const char *at)
{
    return w->bias + (uint64_t)(uintptr_t)at;
}

/* Makes sure that at least `n` bytes are in the window, unless the input ends before. */
static inline void pgn_window_need(pgn_window *w, size_t n)
{
    if (__builtin_expect((size_t)(w->end - w->at) < n, 0) && !w->is_whole)
        pgn_window_fill(w);
}

#endif
