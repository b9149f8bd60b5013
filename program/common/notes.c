/*
 * notes.c - describes faults of games and PGN warnings as lines of a report.
 */
#include "notes.h"
#include "position.h"

#include <stdio.h>
#include <string.h>

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

enum { QUOTED_MAX = 60 };

void note_place(report *r, const char *name, uint64_t line, uint64_t column)
{
    if (!*name)
        return;
    buffer_string(&r->text, name);
    buffer_string(&r->text, ":");
    report_mark(r, MARK_LINE, line);
    if (column) {
        buffer_string(&r->text, ":");
        buffer_number(&r->text, column);
    }
    buffer_string(&r->text, ": ");
}

void note_quoted(report *r, const char *s, size_t n)
{
    const size_t shown = n < QUOTED_MAX ? n : QUOTED_MAX;
    buffer_string(&r->text, "\"");
    buffer_harmless(&r->text, s, shown, '?');
    buffer_string(&r->text, n > shown ? "...\"" : "\"");
}

void note_move_fault(report *r, const tby_position *pos, const char *s, size_t n, const tby_error *err)
{
    char text[TBY_ERROR_SIZE], fen[TBY_FEN_SIZE];
    const char *status = tby_status_text(err->status);
    tby_error_write(text, sizeof text, err);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_printf(&r->text, "%s: ", status);
    note_quoted(r, s, n);
    buffer_printf(&r->text, "%s (", text + strlen(status));
    write_move_number(&r->text, pos);
    buffer_add(&r->text, s, n < 20 ? n : 20);
    buffer_printf(&r->text, ", FEN %s)", fen);
}

static void note_game(report *r, uint64_t game)
{
    buffer_string(&r->text, " (game ");
    report_mark(r, MARK_GAME, game);
}

/* ---- Faults ----------------------------------------------------------------------------------------------------- */

void note_fault(report *r, const char *name, const tby_game_fault *fault, uint64_t game)
{
    if (fault->line)
        note_place(r, name, fault->line, fault->column);
    else
        buffer_printf(&r->text, "%s%sbyte %zu: ", name, *name ? ": " : "", (size_t)fault->error.offset);
    buffer_string(&r->text, fault->text);
    if (game) {
        note_game(r, game);
        buffer_printf(&r->text, "%s%s)", *fault->where ? ", " : "", fault->where);
    }
    buffer_string(&r->text, "\n");
}

void note_error(report *r, const char *name, tby_pgn *pgn, const tby_pgn_event *event, uint64_t game)
{
    tby_game_fault fault;
    tby_pgn_event_fault(&fault, pgn, event);
    note_fault(r, name, &fault, game);
}

/* ---- Warnings --------------------------------------------------------------------------------------------------- */

/* By the bits of TBY_SAN_WARN_... */
static const char *const san_words[] = {
    "check or mate mark wrong or missing",
    "annotation marks",
    "castling not written with capital O and -",
    "a figurine, or P for a pawn",
    "x missing, needless or another sign",
    "needless disambiguation",
    "promotion not written with =",
    "e.p. written",
    "coordinates",
};
enum { N_SAN_WORDS = sizeof san_words / sizeof *san_words };

static void note_san(report *r, unsigned bits)
{
    for (unsigned i = 0, n = 0; i < N_SAN_WORDS; i++)
        if (bits >> i & 1) {
            buffer_string(&r->text, n++ ? ", " : ": ");
            buffer_string(&r->text, san_words[i]);
        }
}

void note_warning(report *r, const char *name, tby_pgn *pgn, const tby_pgn_event *event, uint64_t game)
{
    const tby_pgn_place place = tby_pgn_event_place(pgn, event);
    note_place(r, name, place.line, place.column);
    buffer_string(&r->text, "warning: ");
    buffer_string(&r->text, tby_pgn_warning_text(event->warning));
    if (event->n_text) {
        buffer_string(&r->text, ": ");
        note_quoted(r, event->text, event->n_text);
    }
    note_san(r, event->warning == TBY_PGN_WARN_SAN ? event->san : 0);
    if (game == 0) { /* [pgn] before the first game */
        buffer_string(&r->text, "\n");
        return;
    }
    note_game(r, game);
    if (event->warning == TBY_PGN_WARN_SAN) { /* it follows its move */
        buffer_string(&r->text, ", ");
        write_move_number(&r->text, tby_pgn_position_before(pgn));
        buffer_add(&r->text, event->text, event->n_text);
    }
    buffer_string(&r->text, ")\n");
}
