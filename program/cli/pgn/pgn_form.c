/*
 * pgn_form.c - the output formats of tabiya pgn.
 *
 *     epd             every position of the main line: its four fields; sm, the move that was played; c0 players,
 *                     event, site and date; c1 the result
 *     fen             the position where the query first holds, else the last one
 *     san, uci, lan   the moves of the main line, one line per game
 */
#include "pgn_form.h"

#include <string.h>

/* ---- Walking ---------------------------------------------------------------------------------------------------- */

const char *form_tag(const tby_game *game, const char *name)
{
    const char *value = tby_game_tag(game, name);
    return value && *value ? value : "?";
}

tby_node form_node_at(const tby_game *game, int ply)
{
    tby_node node = TBY_ROOT, next;
    for (; ply != 0 && (next = tby_game_child(game, node)) != TBY_NO_NODE; ply--)
        node = next;
    return node;
}

void form_number(buffer *out, const tby_position *pos, bool needs_number)
{
    if (tby_position_side(pos) == TBY_WHITE || needs_number)
        write_move_number(out, pos);
}

/* The line that continues after `node`, whose position is `pos`. Variations are nested at most TBY_PGN_DEPTH_MAX
   deep. */
static void walk_line(form_walker *w, tby_node node, tby_position pos, bool needs_number)
{
    for (tby_node first; (first = tby_game_child(w->game, node)) != TBY_NO_NODE; node = first) {
        const tby_position before = pos;
        w->move(w, &before, first, needs_number);
        tby_line_play(&pos, tby_game_move(w->game, first));
        needs_number = false;
        tby_node other = w->flags & TBY_PGN_NO_VARIATIONS ? TBY_NO_NODE : tby_game_sibling(w->game, first);
        for (; other != TBY_NO_NODE; other = tby_game_sibling(w->game, other)) {
            tby_position after = before;
            w->depth++;
            w->open(w);
            w->move(w, &before, other, true);
            tby_line_play(&after, tby_game_move(w->game, other));
            walk_line(w, other, after, false);
            w->close(w);
            w->depth--;
            needs_number = true;
        }
    }
}

void form_walk(form_walker *w) { walk_line(w, TBY_ROOT, *tby_game_start(w->game), true); }

/* ---- EPD -------------------------------------------------------------------------------------------------------- */

/* EPD has no escape for a quote. */
static void add_quoted(buffer *out, const char *s)
{
    for (; *s; s++)
        buffer_add(out, *s == '"' ? "'" : (unsigned char)*s < ' ' ? " " : s, 1);
}

/* What follows the position and its move, the same in every line of a game. */
static void write_epd_tail(buffer *out, const tby_game *game)
{
    static const char *const names[] = {"Black", "Event", "Site", "Date"};
    buffer_string(out, " c0 \"");
    add_quoted(out, form_tag(game, "White"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        buffer_string(out, i ? ", " : " - ");
        add_quoted(out, form_tag(game, names[i]));
    }
    buffer_printf(out, "\"; c1 \"%s\";\n", tby_result_text(tby_game_result(game)));
}

/* `m` is TBY_MOVE_NULL where no move follows, or none that SAN can write. */
static void write_epd_line(buffer *out, const tby_position *pos, tby_move m, const buffer *tail)
{
    static const char sm[] = {' ', 's', 'm', ' '};
    const size_t room = TBY_FEN_SIZE + sizeof sm + TBY_SAN_SIZE + 1 + tail->n;
    char *to = out->has_failed ? NULL : buffer_room(out, room);
    if (!to)
        return;
    to += tby_fen_write_position(to, TBY_FEN_SIZE, pos, TBY_FEN_EPD);
    if (m != TBY_MOVE_NULL) {
        memcpy(to, sm, sizeof sm);
        to += sizeof sm;
        to += tby_san_write(to, TBY_SAN_SIZE, pos, m);
        *to++ = ';';
    }
    memcpy(to, tail->s, tail->n);
    out->n = (size_t)(to - out->s) + tail->n;
}

static void write_epd(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    tby_position pos = *tby_game_start(game);
    buffer tail = {0};
    (void)flags, (void)ply, (void)name;
    write_epd_tail(&tail, game);
    out->has_failed |= tail.has_failed;
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        write_epd_line(out, &pos, tby_game_move(game, node), &tail);
        tby_line_play(&pos, tby_game_move(game, node));
    }
    write_epd_line(out, &pos, TBY_MOVE_NULL, &tail);
    buffer_free(&tail);
}

/* ---- FEN -------------------------------------------------------------------------------------------------------- */

static void write_fen(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    char fen[TBY_FEN_SIZE];
    tby_position pos;
    (void)flags, (void)name;
    tby_game_position(game, form_node_at(game, ply), &pos);
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    buffer_printf(out, "%s\n", fen);
}

/* ---- Lines and JSON --------------------------------------------------------------------------------------------- */

static void write_line(buffer *out, const tby_game *game, unsigned pgn_flags, int ply, const char *name)
{
    (void)pgn_flags, (void)ply;
    const tby_move_notation *to = tby_move_notation_find(name, strlen(name));
    tby_position pos = *tby_game_start(game);
    char text[TBY_SAN_SIZE];
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        const tby_move m = tby_game_move(game, node);
        const unsigned flags = tby_game_is_chess960(game) ? TBY_NOTATION_CHESS960 : 0;
        tby_line_write_move(text, sizeof text, &pos, to, m, flags, NULL);
        buffer_printf(out, "%s%s", tby_game_parent(game, node) == TBY_ROOT ? "" : " ", text);
        tby_line_play(&pos, m);
    }
    buffer_string(out, "\n");
}

static void write_json(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    (void)flags, (void)ply, (void)name;
    tby_json_write(game, buffer_sink, out);
}

static void write_pgn(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    (void)ply, (void)name;
    tby_pgn_write(game, flags, buffer_sink, out);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static const form forms[] = {
    {"pgn", false, NULL, write_pgn, NULL},
    {"epd", false, NULL, write_epd, NULL},
    {"fen", false, NULL, write_fen, NULL},
    {"diagrams", true, diagrams_begin, diagrams_write, diagrams_end},
    {"html", true, html_begin, html_write, html_end},
    {"json", false, NULL, write_json, NULL},
    {"lan", false, NULL, write_line, NULL},
    {"latex", true, latex_begin, latex_write, latex_end},
    {"san", false, NULL, write_line, NULL},
    {"uci", false, NULL, write_line, NULL},
};

const form *form_find(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return &forms[0];
}

const form *form_of(const args *a, const char *name, int diagrams)
{
    const bool is_page = strcmp(name, "html") == 0;
    if (args_has(a, diagrams) && !is_page)
        error_exit("%s: --diagrams needs --to html", a->command->name);
    return form_find(args_has(a, diagrams) ? "diagrams" : name);
}
