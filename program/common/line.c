/*
 * line.c - reads a line of moves given as an argument.
 */
#include "line.h"
#include "notes.h"
#include "position.h"

#include <stdio.h>
#include <string.h>

/* find: --opening: column 7: illegal move: "Nf6": no knight can go there (2.Nf6, FEN ...) */
static bool refuse(problem *p, const char *what, const tby_position *pos, const char *line, span word,
                   const tby_error *err)
{
    char text[TBY_ERROR_SIZE], fen[TBY_FEN_SIZE];
    const char *status = tby_status_text(err->status);
    report r = {0};
    tby_error_write(text, sizeof text, err);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    note_quoted(&r, word.s, word.n);
    buffer_string(&r.text, text + strlen(status));
    buffer_string(&r.text, " (");
    note_move_number(&r, pos);
    buffer_add(&r.text, word.s, word.n < 20 ? word.n : 20);
    if (r.text.has_failed)
        problem_no_memory(p);
    else
        problem_tell(p, PROBLEM_ASKED, "%s: column %zu: %s: %.*s, FEN %s)", what, (size_t)(word.s - line) + 1, status,
                     (int)r.text.n, r.text.s, fen);
    report_free(&r);
    return false;
}

bool line_read(tby_position *pos, buffer *moves, const char *what, const char *s, problem *p)
{
    const tby_move_notation *san = tby_move_notation_find("san", strlen("san"));
    const size_t n = strlen(s);
    size_t at = 0, start, length;
    while ((length = tby_line_next(san, s, n, &at, &start)) > 0) {
        tby_move m;
        tby_error err;
        if (tby_san_read(&m, pos, s + start, length, 0, NULL, &err) != TBY_OK &&
            tby_uci_read(&m, pos, s + start, length, NULL) != TBY_OK)
            return refuse(p, what, pos, s, (span){s + start, length}, &err);
        if (moves)
            buffer_add(moves, (const char *)&m, sizeof m);
        tby_position_play(pos, m, NULL);
    }
    return !moves || !moves->has_failed || problem_no_memory(p);
}
