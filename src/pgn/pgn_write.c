/*
 * pgn_write.c - writes a game as PGN in its export format: the move text.
 *
 *     [Event "..."] ...            see pgn_write_tags.c
 *
 *     {before} 1. e4 $1 {after} (1. d4 d5) 1... e5 2. Nf3 Nc6 1-0
 *
 * Writes   tokens separated by one blank, lines of at most 79 columns, `1...` before a black move that begins a line of
 *          play or follows a comment or a variation, NAGs as $n, variations after the move that they replace, the null
 *          move as --, the result last, then an empty line.
 * Keeps    a tree that was read from PGN is equal after writing and reading; any tree has the same moves with the same
 *          notes. For comments see pgn_write_comments.c. In a game without tags that begins with a comment, the first
 *          move number comes before the comment, so that it is not taken for a comment on the game before. No
 *          recursion: the way back from a variation is found in the tree; positions are stored for the first
 *          WRITE_DEPTH nested variations and recomputed for deeper ones.
 */
#include "pgn/pgn_write.h"

#include "base/text.h"
#include "notation/san.h"

/* ---- Tokens --------------------------------------------------------------------------------------------- */

static void write_number(pgn_writer *w)
{
    char *at = text_put_number(output_begin(&w->out), w->pos.ply / 2 + 1);
    *at++ = '.';
    if (w->pos.ply & 1) {
        *at++ = '.';
        *at++ = '.';
    }
    output_end(&w->out, at);
    w->needs_number = 0;
}

static void write_san(pgn_writer *w, tby_move m)
{
    char *at = output_begin(&w->out);
    if (__builtin_expect(m == TBY_MOVE_NULL, 0)) {
        *at++ = '-';
        *at++ = '-';
        output_end(&w->out, at);
        tby_position_play_null(&w->pos, NULL);
        return;
    }
    output_end(&w->out, san_put_and_play(at, &w->pos, m));
}

static void write_nags(pgn_writer *w, uint32_t list)
{
    const size_t n = w->flags & TBY_PGN_NO_NAGS ? 0 : game_list_length(w->game, list);
    for (size_t i = 0; i < n; i++) {
        char *at = output_begin(&w->out);
        *at++ = '$';
        output_end(&w->out, text_put_number(at, game_list_items(w->game, list)[i]));
    }
}

static void write_comments(pgn_writer *w, uint32_t list)
{
    const size_t n = w->flags & TBY_PGN_NO_COMMENTS ? 0 : game_list_length(w->game, list);
    for (size_t i = 0; i < n; i += 2) {
        const uint32_t *item = game_list_items(w->game, list) + i;
        if (pgn_write_comment(w, w->game->text + item[0], item[1]) && w->needs_number >= 0)
            w->needs_number = 1;
    }
}

/* ---- Lines of play -------------------------------------------------------------------------------------- */

static bool has_variations(const pgn_writer *w, tby_node node)
{
    return w->game->nodes[node].next != TBY_NO_NODE && game_is_first(w->game, node) &&
           !(w->flags & TBY_PGN_NO_VARIATIONS);
}

/* Writes a move with its notes; w->pos becomes the position after it. */
static void write_move(pgn_writer *w, tby_node node)
{
    const game_node *at = &w->game->nodes[node];
    if (__builtin_expect(at->comments[TBY_COMMENT_BEFORE] != 0, 0))
        write_comments(w, at->comments[TBY_COMMENT_BEFORE]);
    if ((int)(w->pos.ply & 1) <= w->needs_number)
        write_number(w);
    w->needs_number = 0;
    write_san(w, at->move);
    if (at->nags)
        write_nags(w, at->nags);
    if (at->comments[TBY_COMMENT_AFTER])
        write_comments(w, at->comments[TBY_COMMENT_AFTER]);
}

/* Opens a variation: `node` is its first move, and w->pos the position before it. */
static tby_node open_variation(pgn_writer *w, tby_node node)
{
    w->out.opens = true;
    w->needs_number = 1;
    w->depth++;
    return node;
}

static tby_node begin_variations(pgn_writer *w, tby_node node, const tby_position *before)
{
    if (w->depth < WRITE_DEPTH) {
        w->before[w->depth] = *before;
        w->after[w->depth] = w->pos;
    }
    w->pos = *before;
    return open_variation(w, w->game->nodes[node].next);
}

/* The first move of the variation that ends with `node`. */
static tby_node first_of_line(const tby_game *game, tby_node node)
{
    while (game_is_first(game, node))
        node = game->nodes[node].parent;
    return node;
}

/* After the last move of a line: the next variation, or the continuation of the line around it; TBY_NO_NODE at the end.
   */
static tby_node leave_line(pgn_writer *w, tby_node node)
{
    const game_node *nodes = w->game->nodes;
    while (nodes[node].child == TBY_NO_NODE) {
        if (w->depth == 0)
            return TBY_NO_NODE;
        const tby_node first = first_of_line(w->game, node), parent = nodes[first].parent, next = nodes[first].next;
        const bool is_remembered = --w->depth < WRITE_DEPTH;
        pgn_output_close_bracket(&w->out);
        node = next != TBY_NO_NODE ? parent : nodes[parent].child;
        if (!is_remembered)
            tby_game_position(w->game, node, &w->pos);
        else
            w->pos = next != TBY_NO_NODE ? w->before[w->depth] : w->after[w->depth];
        if (next != TBY_NO_NODE)
            return open_variation(w, next);
        w->needs_number = 1;
    }
    return nodes[node].child;
}

static void write_moves(pgn_writer *w)
{
    tby_node node = w->game->nodes[TBY_ROOT].child;
    while (node != TBY_NO_NODE && !w->out.has_failed) {
        if (__builtin_expect(has_variations(w, node), 0)) {
            const tby_position before = w->pos;
            write_move(w, node);
            node = begin_variations(w, node, &before);
        } else {
            write_move(w, node);
            node = leave_line(w, node);
        }
    }
}

/* ---- The game ------------------------------------------------------------------------------------------- */

/* Does the text begin with a comment? */
static bool begins_with_comment(const tby_game *game)
{
    const game_node *root = &game->nodes[TBY_ROOT];
    if (root->nags)
        return false;
    return root->comments[TBY_COMMENT_AFTER] || root->comments[TBY_COMMENT_BEFORE] ||
           (root->child != TBY_NO_NODE && game->nodes[root->child].comments[TBY_COMMENT_BEFORE]);
}

static void write_move_text(pgn_writer *w, bool has_tags)
{
    const game_node *root = &w->game->nodes[TBY_ROOT];
    const char *result = tby_result_text(w->game->result);
    w->needs_number = 1;
    write_nags(w, root->nags);
    if (!has_tags && !(w->flags & TBY_PGN_NO_COMMENTS) && begins_with_comment(w->game)) {
        write_number(w);
        w->needs_number = -1;
    }
    write_comments(w, root->comments[TBY_COMMENT_BEFORE]);
    write_comments(w, root->comments[TBY_COMMENT_AFTER]);
    write_moves(w);
    pgn_output_separate(&w->out, strlen(result));
    pgn_output_bytes(&w->out, result, strlen(result));
    pgn_output_bytes(&w->out, "\n\n", 2);
}

static size_t columns_of(unsigned flags)
{
    const unsigned width = flags / TBY_PGN_WIDTH(1);
    return flags & TBY_PGN_ONE_LINE ? SIZE_MAX : width ? width : PGN_OUTPUT_COLUMNS;
}

bool tby_pgn_write(const tby_game *game, unsigned flags, tby_sink sink, void *context)
{
    pgn_writer w;
    pgn_output_begin(&w.out, sink, context);
    w.out.is_one_line = (flags & TBY_PGN_ONE_LINE) != 0;
    w.out.columns = columns_of(flags);
    w.game = game;
    w.flags = flags;
    w.pos = game->start;
    w.depth = 0;
    const bool has_tags = !(flags & TBY_PGN_NO_TAGS) && pgn_write_tags(&w);
    write_move_text(&w, has_tags);
    pgn_output_flush(&w.out);
    return !w.out.has_failed;
}
