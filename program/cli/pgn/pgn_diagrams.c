/*
 * pgn_diagrams.c - a page of diagrams: for each game the position where the query first holds, else the last one, with
 * the players, the event, and the move that led there. It prints well.
 */
#include "pgn_form.h"

#include <string.h>

void diagrams_begin(buffer *out)
{
    buffer_string(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'\">\n<title>Diagrams</title>\n<style>\n"
                       "body{font:14px/1.4 sans-serif;margin:1rem;color:#231f1c}\n"
                       "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.5rem}\n"
                       "figure{margin:0;break-inside:avoid}figure svg{width:100%;height:auto}\n"
                       "</style>\n</head>\n<body>\n<main>\n");
}

static void add_text(buffer *out, const char *before, const char *s)
{
    if (*s == '?')
        return;
    buffer_string(out, before);
    html_text(out, s, strlen(s));
}

/* "after 12. Nf3; Black to move" */
static void write_move(buffer *out, const tby_game *game, tby_node node, const tby_position *pos)
{
    tby_position before;
    if (node != TBY_ROOT && tby_game_move(game, node) != TBY_MOVE_NULL) {
        tby_game_position(game, tby_game_parent(game, node), &before);
        buffer_string(out, "after ");
        write_numbered_move(out, &before, tby_game_move(game, node));
        buffer_string(out, "; ");
    }
    buffer_string(out, tby_position_side(pos) == TBY_WHITE ? "White to move" : "Black to move");
}

void diagrams_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name)
{
    const tby_node node = form_node_at(game, ply);
    tby_position pos;
    (void)flags, (void)name;
    tby_game_position(game, node, &pos);
    buffer_string(out, "<figure>\n");
    html_diagram(out, game, node, &pos);
    buffer_string(out, "<figcaption><b>");
    const char *white = form_tag(game, "White"), *black = form_tag(game, "Black");
    html_text(out, white, strlen(white));
    buffer_string(out, " &ndash; ");
    html_text(out, black, strlen(black));
    buffer_string(out, "</b>");
    add_text(out, ", ", form_tag(game, "Event"));
    add_text(out, " ", form_tag(game, "Date"));
    buffer_string(out, "<br>");
    write_move(out, game, node, &pos);
    buffer_printf(out, " (%s)</figcaption>\n</figure>\n", tby_result_text(tby_game_result(game)));
}

void diagrams_end(buffer *out) { buffer_string(out, "</main>\n</body>\n</html>\n"); }
