/*
 * convert_line.c - converts text line by line: positions and lines of moves.
 *
 * Reads    a position on each line, or a diagram up to each empty line; moves from the start position or --start, with
 *          or without move numbers and a result; `san` with anything of PGN's move text: comments, NAGs, variations.
 * Keeps    an empty line stays an empty line, except among lines of moves, where it is the game without moves.
 */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(const char *s, size_t n)
{
    while (n && memchr(" \t\r\n\x1a", s[n - 1], 5))
        n--;
    return n == 0;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

static bool position_fault(converter *k, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    if (k->c->from.position->write_error) {
        k->c->from.position->write_error(text, sizeof text, err);
        return unit_fault(k, 0, "%s", text);
    }
    tby_error_write(text, sizeof text, err);
    return unit_fault(k, 0, "%s: column %zu: %s", k->c->from.name, err->offset + 1, text);
}

/* A repaired FEN does not mean what it says. */
static void position_warnings(converter *k, unsigned warnings)
{
    for (unsigned bit = 1; tby_fen_warning_text(bit); bit <<= 1)
        if (warnings & TBY_FEN_WARN_MEANING & bit)
            unit_fault(k, 0, "warning: %s", tby_fen_warning_text(bit));
}

/* A position as a game without moves. */
static bool write_setup_as_game(converter *k, const tby_setup *setup)
{
    tby_position pos;
    tby_error err = {.status = TBY_OK};
    if (tby_position_init(&pos, setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        return position_fault(k, &err);
    k->n_moves = 0;
    return write_moves(k, &pos, TBY_RESULT_NONE);
}

/* From EPD to EPD, the operations after the position are kept. */
static bool write_operations(converter *k, const char *s, size_t n)
{
    buffer *out = &k->result->out;
    if (strcmp(k->c->from.name, "epd") != 0 || strcmp(k->c->to.name, "epd") != 0)
        return true;
    const size_t length = tby_epd_operations(NULL, 0, s, n);
    if (length == 0)
        return true;
    buffer_string(out, " ");
    char *at = buffer_room(out, length + 1);
    if (at)
        out->n += tby_epd_operations(at, length + 1, s, n);
    return at != NULL;
}

static bool convert_position(converter *k, const char *s, size_t n)
{
    tby_setup setup;
    unsigned warnings;
    tby_error err = {.status = TBY_OK};
    if (k->c->from.position->read(&setup, s, n, k->c->flags, &warnings, &err) != TBY_OK)
        return position_fault(k, &err);
    position_warnings(k, warnings);
    if (k->c->to.kind != KIND_POSITION)
        return write_setup_as_game(k, &setup);
    return write_setup(k, &setup) && write_operations(k, s, n);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static void warn_of_null_move(converter *k, const char *s, size_t start, size_t n)
{
    report *notes = &k->result->notes;
    fault_begin(k, start + 1);
    buffer_printf(&notes->text, "warning: %s: ", tby_pgn_warning_text(TBY_PGN_WARN_NULL_MOVE));
    note_quoted(notes, s + start, n);
    fault_end(k);
}

static bool push_move(converter *k, tby_move m)
{
    if (!has_memory(k, array_reserve(&k->moves, &k->cap_moves, k->n_moves + 1, sizeof *k->moves, NULL)))
        return false;
    k->moves[k->n_moves++] = m;
    return true;
}

/* The result is the last word, if it comes after the last move. */
static tby_result trailing_result(const char *s, size_t n, size_t behind)
{
    tby_result result;
    while (n > behind && strchr(" \t\r", s[n - 1]))
        n--;
    size_t start = n;
    while (start > behind && !strchr(" \t", s[start - 1]))
        start--;
    return tby_result_read(&result, s + start, n - start, NULL) == TBY_OK ? result : TBY_RESULT_NONE;
}

static bool convert_moves(converter *k, const char *s, size_t n)
{
    const tby_move_notation *from = k->c->from.moves;
    tby_position pos = k->c->start;
    tby_error err = {.status = TBY_OK};
    tby_move m;
    size_t at = 0, start, length, behind = 0;
    k->n_moves = 0;
    while ((length = tby_line_next(from, s, n, &at, &start)) > 0) {
        if (tby_line_read_move(&m, &pos, from, s + start, length, k->c->flags, &err) != TBY_OK) {
            fault_begin(k, start + 1);
            note_move_fault(&k->result->notes, &pos, s + start, length, &err);
            fault_end(k);
            return false;
        }
        if (m == TBY_MOVE_NULL)
            warn_of_null_move(k, s, start, length);
        if (!push_move(k, m))
            return false;
        tby_line_play(&pos, m);
        behind = start + length;
    }
    return write_moves(k, &k->c->start, trailing_result(s, n, behind));
}

/* ---- Move text with more than moves ----------------------------------------------------------------------------- */

static bool is_rich(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("{}();$!?<[", s[i]))
            return true;
    return false;
}

/* The reader's line number includes the tag that we put before the text. */
static void rich_fault(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    tby_game_fault fault;
    if (event->type != TBY_PGN_ERROR && event->type != TBY_PGN_WARNING)
        return;
    tby_pgn_event_fault(&fault, pgn, event);
    unit_fault(context, fault.column, *fault.where ? "%s (%s)" : "%s", fault.text, fault.where);
}

/* One game and nothing after it. */
static bool read_rich(converter *k, tby_game *game, const buffer *text)
{
    const tby_pgn_options options = {.flags = conversion_pgn_flags(k->c)};
    tby_pgn *pgn = tby_pgn_new_memory(text->s, text->n, &options, NULL);
    tby_pgn_event event;
    if (!has_memory(k, pgn != NULL))
        return false;
    memset(&event, 0, sizeof event);
    const tby_game_read read = tby_game_read_pgn(game, pgn, rich_fault, k);
    bool is_good = has_memory(k, read != TBY_GAME_NO_MEMORY) && read == TBY_GAME_GOOD;
    while (is_good && tby_pgn_next(pgn, &event) == TBY_PGN_WARNING)
        rich_fault(k, pgn, &event);
    if (is_good && event.type != TBY_PGN_END)
        is_good = unit_fault(k, tby_pgn_event_place(pgn, &event).column, "a second game begins");
    tby_pgn_free(pgn);
    return is_good;
}

/* Reads the text as a PGN game; a FEN tag before it sets the start position. */
static bool convert_rich(converter *k, const char *s, size_t n)
{
    buffer text = {0};
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, &k->c->start, 0);
    buffer_printf(&text, "[FEN \"%s\"]\n\n", fen);
    buffer_add(&text, s, n);
    tby_game *game = converter_tree(k);
    const bool is_good = game && has_memory(k, !text.has_failed) && read_rich(k, game, &text);
    buffer_free(&text);
    if (!is_good)
        return false;
    tby_game_remove_tag(game, "FEN");
    return add_roster(k, game, tby_game_result(game)) && write_game(k, game);
}

/* ---- A part ----------------------------------------------------------------------------------------------------- */

static bool convert_text(converter *k, const char *s, size_t n)
{
    const notation *from = &k->c->from;
    if (from->kind == KIND_LINE)
        return from->moves->is_move_text && is_rich(s, n) ? convert_rich(k, s, n) : convert_moves(k, s, n);
    return is_blank(s, n) || convert_position(k, s, n);
}

static void convert_unit(converter *k, const char *s, size_t n)
{
    unit_begin(k);
    if (convert_text(k, s, n))
        unit_end(k);
    else
        unit_fail(k);
}

/* Diagrams: the lines up to an empty one. */
static void convert_paragraphs(converter *k)
{
    buffer text = {0};
    const char *s;
    size_t n;
    while (k->text->line(k->text->context, &s, &n)) {
        k->text->n_lines++;
        if (is_blank(s, n) && text.n) {
            convert_unit(k, text.s, text.n);
            text.n = 0;
        } else if (!is_blank(s, n)) {
            k->line = text.n ? k->line : k->text->n_lines;
            buffer_add(&text, s, n);
            buffer_string(&text, "\n");
        }
    }
    if (has_memory(k, !text.has_failed) && text.n)
        convert_unit(k, text.s, text.n);
    buffer_free(&text);
}

void convert_lines(converter *k)
{
    const char *s;
    size_t n;
    if (k->c->from.kind == KIND_POSITION && !k->c->from.position->one_line) {
        convert_paragraphs(k);
        return;
    }
    while (!k->result->is_out_of_memory && k->text->line(k->text->context, &s, &n)) {
        k->line = ++k->text->n_lines;
        convert_unit(k, s, n);
    }
}
