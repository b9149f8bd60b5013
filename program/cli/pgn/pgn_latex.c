/*
 * pgn_latex.c - games as a LaTeX document, for the package skak (in Debian: texlive-games and texlive-plain-generic).
 *
 *     \section*{White -- Black}         players, event, site, date, result
 *     \mainline{1.e4 e5 2.Nf3}          the moves, which skak plays on its board
 *     text                              comments
 *     (2.f4 exf4)                       variations
 *     \[\showboard\]                    the last position
 *
 * Leaves out   [%...] in comments, and NAGs that skak has no sign for.
 */
#include "pgn_form.h"

#include <string.h>

static void add_escaped(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char c = s[i];
        if (c == '\\')
            buffer_string(out, "\\textbackslash{}");
        else if (c == '~' || c == '^')
            buffer_printf(out, "\\%c{}", c);
        else if (c && strchr("#$%&_{}", c))
            buffer_printf(out, "\\%c", c);
        else
            buffer_add(out, (unsigned char)c < ' ' ? " " : &c, 1);
    }
}

static void add_string(buffer *out, const char *s) { add_escaped(out, s, strlen(s)); }

static const char *sign_of(uint16_t nag)
{
    static const char *const signs[] = {[1] = "!",
                                        [2] = "?",
                                        [3] = "!!",
                                        [4] = "??",
                                        [5] = "!?",
                                        [6] = "?!",
                                        [10] = "=",
                                        [13] = "\\unclear",
                                        [14] = "\\wbetter",
                                        [15] = "\\bbetter",
                                        [16] = "\\wupperhand",
                                        [17] = "\\bupperhand",
                                        [18] = "\\wdecisive",
                                        [19] = "\\bdecisive"};
    return nag < sizeof signs / sizeof *signs ? signs[nag] : NULL;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

typedef struct latex {
    form_walker walker; /* first, so that it is found again */
    bool is_open;       /* moves are being written ... */
    bool is_mainline;   /* ... inside \mainline{ */
    bool is_played;     /* skak plays the main line; it cannot where there are null moves or the rules of Chess960 */
    bool needs_number;
} latex;

/* Variations are text: skak would check whose turn it is by the main line. */
static void open_moves(latex *l)
{
    if (l->is_open) {
        buffer_string(l->walker.out, " ");
        return;
    }
    l->is_open = true;
    l->is_mainline = l->is_played && l->walker.depth == 0;
    buffer_string(l->walker.out, l->is_mainline ? "\\mainline{" : "");
}

static void close_moves(latex *l)
{
    if (l->is_open)
        buffer_string(l->walker.out, l->is_mainline ? "}\n" : "\n");
    l->is_open = false;
}

static void write_signs(latex *l, tby_node node)
{
    const form_walker *w = &l->walker;
    for (size_t i = 0; !(w->flags & TBY_PGN_NO_NAGS) && i < tby_game_n_nags(w->game, node); i++) {
        const uint16_t nag = tby_game_nag(w->game, node, i);
        const char *sign = sign_of(nag);
        if (!sign)
            continue;
        if (nag > 6) {
            close_moves(l);
            l->needs_number = true;
        }
        buffer_printf(w->out, nag > 6 ? "%s{}\n" : "%s", sign);
    }
}

static void write_comment(latex *l, tby_node node)
{
    buffer text = {0};
    if (l->walker.flags & TBY_PGN_NO_COMMENTS)
        return;
    tby_note_write_comment(l->walker.game, node, buffer_sink, &text);
    if (text.n) {
        close_moves(l);
        add_escaped(l->walker.out, text.s, text.n);
        buffer_string(l->walker.out, "\n");
        l->needs_number = true;
    }
    buffer_free(&text);
}

static void write_move(form_walker *w, const tby_position *pos, tby_node node, bool needs_number)
{
    latex *l = (latex *)w;
    char san[TBY_SAN_SIZE] = "--";
    const tby_move m = tby_game_move(w->game, node);
    open_moves(l);
    form_number(w->out, pos, needs_number || l->needs_number);
    l->needs_number = false;
    if (m != TBY_MOVE_NULL)
        tby_san_write(san, sizeof san, pos, m);
    add_string(w->out, san);
    write_signs(l, node);
    write_comment(l, node);
}

static void open_variation(form_walker *w)
{
    latex *l = (latex *)w;
    close_moves(l);
    buffer_string(w->out, "(");
}

static void close_variation(form_walker *w)
{
    latex *l = (latex *)w;
    close_moves(l);
    buffer_string(w->out, ")\n");
}

/* ---- The document ----------------------------------------------------------------------------------------------- */

void latex_begin(buffer *out)
{
    buffer_string(out, "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                       "\\usepackage{skak}\n\\begin{document}\n");
}

static void write_head(buffer *out, const tby_game *game)
{
    static const char *const names[] = {"Event", "Site", "Date"};
    buffer_string(out, "\n\\section*{");
    add_string(out, form_tag(game, "White"));
    buffer_string(out, " -- ");
    add_string(out, form_tag(game, "Black"));
    buffer_string(out, "}\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add_string(out, form_tag(game, names[i]));
        buffer_string(out, i < 2 ? ", " : "\n\n");
    }
}

static void write_start(buffer *out, const tby_game *game)
{
    tby_position usual;
    char fen[TBY_FEN_SIZE];
    tby_position_start(&usual);
    if (tby_position_key(&usual) == tby_position_key(tby_game_start(game))) {
        buffer_string(out, "\\newgame\n");
        return;
    }
    tby_fen_write_position(fen, sizeof fen, tby_game_start(game), 0);
    buffer_printf(out, "\\fenboard{%s}\n\\[\\showboard\\]\n", fen);
}

static void write_final(buffer *out, const tby_game *game)
{
    tby_position pos = *tby_game_start(game);
    char fen[TBY_FEN_SIZE];
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node))
        tby_line_play(&pos, tby_game_move(game, node));
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    buffer_printf(out, "\\fenboard{%.*s - - 0 1}\n", (int)strcspn(fen, " ") + 2, fen);
}

void latex_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    (void)ply, (void)name;
    latex l = {.is_played = !tby_game_is_chess960(game) && tby_game_null_ply(game) == 0,
               .walker = {.out = out,
                          .game = game,
                          .flags = flags,
                          .move = write_move,
                          .open = open_variation,
                          .close = close_variation}};
    if (!(flags & TBY_PGN_NO_TAGS))
        write_head(out, game);
    if (l.is_played)
        write_start(out, game);
    write_comment(&l, TBY_ROOT);
    form_walk(&l.walker);
    close_moves(&l);
    add_string(out, tby_result_text(tby_game_result(game)));
    buffer_string(out, "\n");
    if (!l.is_played)
        write_final(out, game);
    buffer_string(out, "\\[\\showboard\\]\n");
}

void latex_end(buffer *out) { buffer_string(out, "\\end{document}\n"); }
