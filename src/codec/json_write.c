/*
 * json_write.c - writes a game as one line of JSON.
 *
 *     {"tags":[["Event","?"],["White","Ada"]],"fen":"...","chess960":true,"result":"1-0",
 *      "nags":[...],"before":[...],"after":[...],
 *      "moves":[{"san":"e4","nags":[1],"before":["..."],"after":["..."],"variations":[[{"san":"d4"}]]},{"san":"e5"}]}
 *
 * Writes   always tags, result and moves; the others only if they are not empty: fen if the start is not the usual one,
 *          chess960 if it is true. The nags and comments outside of moves are those of the start. A variation is listed
 *          with the move that it replaces. Null moves are "--". No blanks; a line feed at the end. Text that is not
 *          UTF-8 is read as Windows-1252, as in PGN.
 * Refuses  (false) variations nested deeper than 64, which no reader accepts, and a start that FEN cannot express.
 */
#include "base/text.h"
#include "codec/stored.h"
#include "pgn/pgn_output.h"
#include "support/json_lex.h"

typedef struct writer {
    const tby_game *game;
    pgn_output out;
} writer;

TBY_INLINE void put(writer *w, const char *s, size_t n) { output_bytes(&w->out, s, n); }
TBY_INLINE void put_string(writer *w, const char *s) { put(w, s, strlen(s)); }

/* A tby_sink. */
static bool put_bytes(void *w, const char *s, size_t n)
{
    put(w, s, n);
    return true;
}

static void put_natural(writer *w, unsigned value)
{
    char digits[TEXT_NUMBER_SIZE];
    put(w, digits, (size_t)(text_put_number(digits, value) - digits));
}

static void put_text(writer *w, const char *s, size_t n) { tby_json_write_text(s, n, put_bytes, w); }

/* ---- Notes ----------------------------------------------------------------------------------------------- */

static void put_nags(writer *w, tby_node node)
{
    const size_t n = tby_game_n_nags(w->game, node);
    for (size_t i = 0; i < n; i++) {
        put_string(w, i == 0 ? ",\"nags\":[" : ",");
        put_natural(w, tby_game_nag(w->game, node, i));
    }
    if (n > 0)
        put(w, "]", 1);
}

static void put_comments(writer *w, tby_node node, tby_comment_place place)
{
    const size_t n = tby_game_n_comments(w->game, node, place);
    for (size_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *text = tby_game_comment(w->game, node, place, i, &length);
        put_string(w, i > 0 ? "," : place == TBY_COMMENT_BEFORE ? ",\"before\":[" : ",\"after\":[");
        put_text(w, text, length);
    }
    if (n > 0)
        put(w, "]", 1);
}

static void put_notes(writer *w, tby_node node)
{
    put_nags(w, node);
    put_comments(w, node, TBY_COMMENT_BEFORE);
    put_comments(w, node, TBY_COMMENT_AFTER);
}

/* ---- Moves ----------------------------------------------------------------------------------------------- */

static void put_line(writer *w, tby_node head, tby_position pos);

/* Recurses as deep as variations are nested; the caller has checked the depth. */
static void put_variations(writer *w, tby_node first, const tby_position *before)
{
    for (tby_node node = first; node != TBY_NO_NODE; node = tby_game_sibling(w->game, node)) {
        put_string(w, node == first ? ",\"variations\":[" : ",");
        put_line(w, node, *before);
    }
    if (first != TBY_NO_NODE)
        put(w, "]", 1);
}

static void put_move(writer *w, tby_node node, tby_position *pos)
{
    const tby_move m = tby_game_move(w->game, node);
    char san[TBY_SAN_SIZE] = "--";
    if (m != TBY_MOVE_NULL)
        tby_san_write(san, sizeof san, pos, m);
    put_string(w, "{\"san\":\"");
    put_string(w, san);
    put(w, "\"", 1);
    put_notes(w, node);
    if (game_is_first(w->game, node))
        put_variations(w, tby_game_sibling(w->game, node), pos);
    put(w, "}", 1);
    tby_line_play(pos, m);
}

static void put_line(writer *w, tby_node head, tby_position pos)
{
    put(w, "[", 1);
    for (tby_node node = head; node != TBY_NO_NODE && !w->out.has_failed; node = tby_game_child(w->game, node)) {
        if (node != head)
            put(w, ",", 1);
        put_move(w, node, &pos);
    }
    put(w, "]", 1);
}

/* ---- The game -------------------------------------------------------------------------------------------- */

/* As pairs, [["Event","?"],...], or as members, {"Event":"?",...}. */
static void put_tags(writer *w, bool as_members)
{
    const tby_game *game = w->game;
    put(w, as_members ? "{" : "[", 1);
    for (size_t i = 0; i < game->n_tags; i++) {
        const game_tag *tag = &game->tags[i];
        if (i > 0)
            put(w, ",", 1);
        put_string(w, as_members ? "" : "[");
        put_text(w, game_tag_text(game, tag->name), tag->n_name);
        put(w, as_members ? ":" : ",", 1);
        put_text(w, game_tag_text(game, tag->value), tag->n_value);
        put_string(w, as_members ? "" : "]");
    }
    put(w, as_members ? "}" : "]", 1);
}

static void put_game(writer *w, const char *fen)
{
    put_string(w, "{\"tags\":");
    put_tags(w, false);
    if (fen) {
        put_string(w, ",\"fen\":\"");
        put_string(w, fen);
        put(w, "\"", 1);
    }
    if (tby_game_is_chess960(w->game))
        put_string(w, ",\"chess960\":true");
    put_string(w, ",\"result\":\"");
    put_string(w, tby_result_text(tby_game_result(w->game)));
    put(w, "\"", 1);
    put_notes(w, TBY_ROOT);
    put_string(w, ",\"moves\":");
    put_line(w, tby_game_child(w->game, TBY_ROOT), *tby_game_start(w->game));
    put_string(w, "}\n");
}

static bool end(writer *w)
{
    pgn_output_flush(&w->out);
    return !w->out.has_failed;
}

bool tby_json_write(const tby_game *game, tby_sink sink, void *context)
{
    writer w;
    char fen[TBY_FEN_SIZE];
    const bool is_usual = game_is_usual_start(tby_game_start(game));
    if (!game_is_shallow(game, JSON_VARIATIONS_MAX) || (!is_usual && start_write(fen, tby_game_start(game)) == 0))
        return false;
    w.game = game;
    pgn_output_begin(&w.out, sink, context);
    put_game(&w, is_usual ? NULL : fen);
    return end(&w);
}

bool tby_json_write_tags(const tby_game *game, tby_sink sink, void *context)
{
    writer w;
    w.game = game;
    pgn_output_begin(&w.out, sink, context);
    put_tags(&w, true);
    return end(&w);
}
