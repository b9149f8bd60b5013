/*
 * convert_write.c - writes positions, lines and games in the output notation.
 *
 * A line is moves and nothing else, except that `san` has move numbers and the result, like move text. What a notation
 * cannot hold (comments, NAGs, variations, another start, null moves, some promotions) makes the unit fail, or is
 * counted as lost. Tags, and except in `san` the result, are not part of a line, as moves are not part of a position.
 */
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool has_memory(converter *k, bool is_good)
{
    k->result->is_out_of_memory = k->result->is_out_of_memory || !is_good;
    return is_good;
}

tby_game *converter_tree(converter *k)
{
    if (!k->tree)
        k->tree = tby_game_new(NULL);
    if (has_memory(k, k->tree != NULL))
        tby_game_clear(k->tree);
    return k->tree;
}

/* ---- What is lost ----------------------------------------------------------------------------------------------- */

/* A detail such as "a clock over 63: it is 70" counts as the part before the colon. */
static bool is_same_loss(const char *a, const char *b)
{
    const size_t n = strcspn(a, ":");
    return n == strcspn(b, ":") && memcmp(a, b, n) == 0;
}

void losses_add(losses *l, const char *what, uint64_t n)
{
    size_t i = 0;
    while (i < l->n && !is_same_loss(l->list[i].what, what))
        i++;
    if (i == LOSSES_MAX || n == 0)
        return;
    if (i == l->n) {
        l->list[i].what = what;
        l->list[i].n = 0;
        l->n++;
    }
    l->list[i].n += n;
}

/* ---- Units ------------------------------------------------------------------------------------------------------ */

static bool is_picture(const conversion *c) { return c->to.kind == KIND_POSITION && !c->to.position->one_line; }

/* Diagrams are separated by empty lines; the one before the first is dropped when printing. */
void unit_begin(converter *k)
{
    k->begin = k->result->out.n;
    k->n_written = 0;
    if (is_picture(k->c))
        buffer_string(&k->result->out, "\n");
}

void unit_end(converter *k)
{
    buffer *out = &k->result->out;
    if (gives_lines(k->c) && (out->n == k->begin || out->s[out->n - 1] != '\n'))
        buffer_string(out, "\n");
    if (out->n + k->result->notes.text.n > k->c->result_size)
        k->text->hand_over(k->text->context);
}

void unit_fail(converter *k)
{
    k->result->out.n = k->begin;
    k->result->n_failed++;
    if (gives_lines(k->c))
        buffer_string(&k->result->out, "\n");
    unit_end(k);
}

/* ---- Faults ----------------------------------------------------------------------------------------------------- */

void fault_begin(converter *k, uint64_t column)
{
    report *notes = &k->result->notes;
    if (k->event) {
        const tby_pgn_place place = tby_pgn_event_place(k->pgn, k->event);
        note_place(notes, k->c->name, place.line, place.column);
    } else if (k->line) {
        note_place(notes, k->c->name, k->line, column);
    } else if (*k->c->name) {
        buffer_printf(&notes->text, "%s: ", k->c->name);
    }
}

void fault_end(converter *k)
{
    report *notes = &k->result->notes;
    if (k->game) {
        buffer_string(&notes->text, " (game ");
        report_mark(notes, MARK_GAME, k->game);
        buffer_string(&notes->text, ")");
    }
    buffer_string(&notes->text, "\n");
}

bool unit_fault(converter *k, uint64_t column, const char *format, ...)
{
    va_list list;
    fault_begin(k, column);
    va_start(list, format);
    buffer_list(&k->result->notes.text, format, list);
    va_end(list);
    fault_end(k);
    return false;
}

bool unit_loses(converter *k, const char *what, uint64_t n)
{
    if (n && k->c->is_lossy) {
        losses_add(&k->result->lost, what, n);
    } else if (n) {
        unit_fault(k, 0, "%s cannot hold %s", k->c->to.name, what);
    }
    return n == 0 || k->c->is_lossy;
}

/* A writer refused, at `move` if it is not NULL. Returns true if it should be called again with TBY_LOSSY. */
static bool unit_refused(converter *k, const tby_error *err, const char *move)
{
    char text[TBY_ERROR_SIZE];
    const bool cannot = err->status == TBY_CANNOT_HOLD && err->detail;
    if (cannot && k->c->is_lossy)
        return unit_loses(k, err->detail, 1);
    tby_error_write(text, sizeof text, err);
    return unit_fault(k, 0, "%s%s%s%s%s", k->c->to.name, cannot ? " cannot hold " : ": ",
                      text + (cannot ? strlen(tby_status_text(err->status)) + strlen(": ") : 0), move ? ": " : "",
                      move ? move : "");
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

bool write_setup(converter *k, const tby_setup *setup)
{
    const tby_position_notation *to = k->c->to.position;
    buffer *out = &k->result->out;
    tby_error err = {.status = TBY_OK};
    const size_t size = to->size ? to->size : to->write(NULL, 0, setup, k->c->flags, &err) + 1;
    char *at = buffer_room(out, size);
    if (!at)
        return false;
    size_t n = to->write(at, size, setup, k->c->flags, &err);
    if (n == 0 && err.status != TBY_OK) {
        if (!unit_refused(k, &err, NULL))
            return false;
        n = to->write(at, size, setup, k->c->flags | TBY_LOSSY, &err);
    }
    out->n += n;
    return true;
}

bool write_position(converter *k, const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    return write_setup(k, &setup);
}

static void end_position(converter *k)
{
    buffer *out = &k->result->out;
    if (out->n && out->s[out->n - 1] != '\n')
        buffer_string(out, "\n");
    if (is_picture(k->c))
        buffer_string(out, "\n");
}

/* The last position of a line, or all of them, each as a unit; all but the last end like units. */
static bool write_positions(converter *k, const tby_position *start, const tby_move *moves, size_t n)
{
    tby_position pos = *start;
    for (size_t i = 0; i < n; i++) {
        if (k->c->takes_all_positions) {
            if (!write_position(k, &pos))
                return false;
            end_position(k);
        }
        tby_line_play(&pos, moves[i]);
    }
    return write_position(k, &pos);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static bool move_refused(converter *k, const tby_error *err, const tby_position *before, tby_move m)
{
    char san[TBY_SAN_SIZE], move[TBY_SAN_SIZE + 16];
    tby_san_write(san, sizeof san, before, m);
    snprintf(move, sizeof move, "%u%s%s", (unsigned)tby_position_fullmove(before),
             tby_position_side(before) == TBY_BLACK ? "..." : ".", san);
    return unit_refused(k, err, move);
}

unsigned conversion_pgn_flags(const conversion *c)
{
    return TBY_PGN_SERIOUS | (c->flags & TBY_NOTATION_CHESS960 ? TBY_PGN_CHESS960 : 0);
}

bool line_holds(const converter *k, tby_move m) { return m != TBY_MOVE_NULL || k->c->to.moves->null_move; }

bool line_add(converter *k, const tby_position *before, tby_move m)
{
    const tby_move_notation *to = k->c->to.moves;
    buffer *out = &k->result->out;
    tby_error err = {.status = TBY_OK};
    if (k->n_written && to->separator[0]) /* a blank, or none */
        buffer_add(out, to->separator, 1);
    if (to->is_move_text && (tby_position_side(before) == TBY_WHITE || k->n_written == 0)) {
        write_move_number(out, before);
        buffer_string(out, " ");
    }
    k->n_written++;
    char *at = buffer_room(out, to->size);
    if (!at)
        return false;
    size_t n = tby_line_write_move(at, to->size, before, to, m, k->c->flags, &err);
    if (n == 0 && err.status != TBY_OK) {
        if (!move_refused(k, &err, before, m))
            return false;
        n = tby_line_write_move(at, to->size, before, to, m, k->c->flags | TBY_LOSSY, &err);
    }
    out->n += n;
    return true;
}

void line_end(converter *k, tby_result result)
{
    if (!k->c->to.moves->is_move_text)
        return;
    if (k->n_written)
        buffer_string(&k->result->out, " ");
    buffer_string(&k->result->out, tby_result_text(result));
}

static bool write_line(converter *k, tby_position pos, const tby_move *moves, size_t n, tby_result result)
{
    if (!unit_loses(k, "the start position", memcmp(&pos, &k->c->start, sizeof pos) != 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!line_holds(k, moves[i])) {
            if (!unit_loses(k, "null moves", 1))
                return false;
            break;
        }
        if (!line_add(k, &pos, moves[i]))
            return false;
        tby_line_play(&pos, moves[i]);
    }
    line_end(k, result);
    return true;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static tby_node next_node(const tby_game *game, tby_node node)
{
    if (tby_game_child(game, node) != TBY_NO_NODE)
        return tby_game_child(game, node);
    while (node != TBY_ROOT && tby_game_sibling(game, node) == TBY_NO_NODE)
        node = tby_game_parent(game, node);
    return node == TBY_ROOT ? TBY_NO_NODE : tby_game_sibling(game, node);
}

/* Reports everything in the game besides its main line. */
static bool game_fits_line(converter *k, const tby_game *game)
{
    uint64_t comments = 0, nags = 0, variations = 0;
    for (tby_node node = TBY_ROOT; node != TBY_NO_NODE; node = next_node(game, node)) {
        comments += tby_game_n_comments(game, node, TBY_COMMENT_BEFORE);
        comments += tby_game_n_comments(game, node, TBY_COMMENT_AFTER);
        nags += tby_game_n_nags(game, node);
        variations += node != TBY_ROOT && tby_game_sibling(game, node) != TBY_NO_NODE;
    }
    return unit_loses(k, "comments", comments) && unit_loses(k, "NAGs", nags) &&
           unit_loses(k, "variations", variations);
}

static bool read_main_line(converter *k, const tby_game *game)
{
    const size_t n = tby_game_main_line(game, NULL, 0);
    if (!has_memory(k, array_reserve(&k->moves, &k->cap_moves, n, sizeof *k->moves, NULL)))
        return false;
    k->n_moves = tby_game_main_line(game, k->moves, k->cap_moves);
    return true;
}

static bool write_tree(converter *k, const tby_game *game)
{
    tby_error err = {.status = TBY_OK};
    if (k->c->to.game->write(game, buffer_sink, &k->result->out, &err) == TBY_OK)
        return true;
    if (!k->result->out.has_failed && has_memory(k, err.status != TBY_NO_MEMORY))
        unit_refused(k, &err, NULL);
    return false;
}

bool write_game(converter *k, const tby_game *game)
{
    if (k->c->to.kind == KIND_GAME)
        return write_tree(k, game);
    if (k->c->to.kind == KIND_POSITION)
        return read_main_line(k, game) && write_positions(k, tby_game_start(game), k->moves, k->n_moves);
    if (!game_fits_line(k, game) || !read_main_line(k, game))
        return false;
    return write_line(k, *tby_game_start(game), k->moves, k->n_moves, tby_game_result(game));
}

/* ---- Lines as games --------------------------------------------------------------------------------------------- */

static bool add_tag(converter *k, tby_game *game, const char *name, const char *value)
{
    return has_memory(k, tby_game_set_tag(game, name, strlen(name), value, strlen(value)));
}

bool add_roster(converter *k, tby_game *game, tby_result result)
{
    static const char *const names[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    bool is_good = true;
    if (k->c->to.kind != KIND_GAME || !k->c->to.game->has_roster)
        return true;
    for (size_t i = 0; is_good && i < sizeof names / sizeof *names; i++)
        is_good = add_tag(k, game, names[i], strcmp(names[i], "Date") == 0 ? "????.??.??" : "?");
    return is_good && add_tag(k, game, "Result", tby_result_text(result));
}

/* NULL without memory. */
static tby_game *build_game(converter *k, const tby_position *start, tby_result result)
{
    tby_game *game = converter_tree(k);
    tby_node node = TBY_ROOT;
    if (!game || !add_roster(k, game, result) ||
        !has_memory(k, tby_game_set_start(game, start, (k->c->flags & TBY_NOTATION_CHESS960) != 0)))
        return NULL;
    for (size_t i = 0; i < k->n_moves; i++) {
        node = tby_game_add(game, node, k->moves[i]);
        if (!has_memory(k, node != TBY_NO_NODE))
            return NULL;
    }
    tby_game_set_result(game, result);
    return game;
}

bool write_moves(converter *k, const tby_position *start, tby_result result)
{
    if (k->c->to.kind == KIND_LINE)
        return write_line(k, *start, k->moves, k->n_moves, result);
    if (k->c->to.kind != KIND_POSITION) {
        const tby_game *game = build_game(k, start, result);
        return game && write_game(k, game);
    }
    return write_positions(k, start, k->moves, k->n_moves);
}
