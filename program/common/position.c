/*
 * position.c - reads positions and lines of moves for the commands and the server: a FEN, or moves instead of it.
 */
#include "position.h"
#include "notes.h"

#include <stdio.h>
#include <string.h>

bool span_line(span *rest, span *line)
{
    const char *end = rest->n ? memchr(rest->s, '\n', rest->n) : NULL;
    *line = (span){rest->s, end ? (size_t)(end - rest->s) : rest->n};
    const size_t taken = line->n + (end != NULL);
    *rest = (span){taken ? rest->s + taken : rest->s, rest->n - taken};
    return taken > 0;
}

static const char start_fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

span fen_named(const char *s, size_t n)
{
    const bool is_start = n == strlen("startpos") && memcmp(s, "startpos", n) == 0;
    return is_start ? (span){start_fen, strlen(start_fen)} : (span){s, n};
}

/* ---- Lines of moves --------------------------------------------------------------------------------------------- */

/* find: --opening: column 7: illegal move: "Nf6": no knight can go there (2.Nf6, FEN ...) */
static bool refuse(problem *p, const char *what, const tby_position *pos, const char *line, span word,
                   const tby_error *err)
{
    report r = {0};
    note_move_fault(&r, pos, word.s, word.n, err);
    if (r.text.has_failed)
        problem_no_memory(p);
    else
        problem_set(p, PROBLEM_ASKED, "%s: column %zu: %s", what, (size_t)(word.s - line) + 1, r.text.s);
    report_free(&r);
    return false;
}

/* The next move of a line, after *at, in SAN or UCI; `word` is empty at its end. */
static bool next_move(tby_move *out, span *word, span line, size_t *at, const tby_position *pos, tby_error *err)
{
    size_t start;
    word->n = tby_line_next(tby_move_notation_find("san", strlen("san")), line.s, line.n, at, &start);
    word->s = line.s + start;
    return word->n && (tby_san_read(out, pos, word->s, word->n, 0, NULL, err) == TBY_OK ||
                       tby_uci_read(out, pos, word->s, word->n, NULL) == TBY_OK);
}

static bool read_moves(tby_position *pos, buffer *moves, const char *what, span line, problem *p)
{
    size_t at = 0;
    span word;
    tby_move m;
    tby_error err;
    while (next_move(&m, &word, line, &at, pos, &err)) {
        if (moves)
            buffer_add(moves, &m, sizeof m);
        tby_position_play(pos, m, NULL);
    }
    if (word.n)
        return refuse(p, what, pos, line.s, word, &err);
    return !moves || !moves->has_failed || problem_no_memory(p);
}

bool line_read(tby_position *pos, buffer *moves, const char *what, const char *s, problem *p)
{
    return read_moves(pos, moves, what, (span){s, strlen(s)}, p);
}

void write_move_number(buffer *out, const tby_position *pos)
{
    buffer_number(out, tby_position_fullmove(pos));
    buffer_string(out, tby_position_side(pos) == TBY_BLACK ? "..." : ".");
}

void write_numbered_move(buffer *out, const tby_position *pos, tby_move m)
{
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, pos, m);
    write_move_number(out, pos);
    buffer_printf(out, " %s", san);
}

void json_opening(buffer *out, const char *name, const tby_opening *opening)
{
    json_add(out, "%s:", name);
    if (opening->eco)
        json_add(out, "{'eco':%s,'name':%s}", opening->eco, opening->name);
    else
        buffer_string(out, "null");
}

/* ---- Moves in place of a FEN ------------------------------------------------------------------------------------ */

size_t move_number_length(span text)
{
    size_t i = 0;
    while (i < text.n && text.s[i] >= '0' && text.s[i] <= '9')
        i++;
    return i > 0 && i < text.n && text.s[i] == '.' ? i + 1 : 0;
}

/* A move number with its dot, or a move that can be played first. */
bool fen_is_moves(span fen)
{
    tby_position pos;
    tby_move m;
    span word;
    size_t at = 0;
    while (fen.n && *fen.s == ' ') {
        fen.s++;
        fen.n--;
    }
    if (move_number_length(fen))
        return true;
    for (size_t n = 0; n < fen.n && fen.s[n] != ' '; n++)
        if (fen.s[n] == '/') /* every placement has one, and no first move */
            return false;
    tby_position_start(&pos);
    return next_move(&m, &word, fen, &at, &pos, NULL);
}

static bool setup_of_moves(tby_setup *out, span moves, problem *p)
{
    tby_position pos;
    tby_position_start(&pos);
    if (!read_moves(&pos, NULL, "moves", moves, p))
        return false;
    tby_position_setup(out, &pos);
    return true;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

bool fen_setup(tby_setup *out, span fen, unsigned flags, unsigned *warnings, problem *p)
{
    tby_error err;
    char text[TBY_ERROR_SIZE];
    if (fen_is_moves(fen))
        return setup_of_moves(out, fen, p);
    if (tby_fen_read(out, fen.s, fen.n, flags, warnings, &err) == TBY_OK)
        return true;
    tby_fen_error_write(text, sizeof text, &err);
    return problem_set(p, PROBLEM_ASKED, "%s", text);
}

bool fen_faults(tby_faults faults, problem *p)
{
    problem_set(p, PROBLEM_ASKED, "not a legal position:");
    size_t n = strlen(p->text);
    for (unsigned bit = 0; bit < 32 && n < sizeof p->text; bit++)
        if (faults >> bit & 1)
            n += (size_t)snprintf(p->text + n, sizeof p->text - n, "\n  %s", tby_fault_text((tby_faults)1 << bit));
    return false;
}

bool fen_position(tby_position *out, span fen, unsigned flags, tby_faults allowed, problem *p)
{
    tby_setup setup;
    if (!fen_setup(&setup, fen, flags, NULL, p))
        return false;
    const tby_faults faults = tby_setup_faults(&setup) & ~allowed;
    return (!faults && tby_position_init(out, &setup, allowed, NULL) == TBY_OK) || fen_faults(faults, p);
}
