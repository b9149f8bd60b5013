/*
 * node_write.c - writes a node as the text of its info.txt.
 *
 *     #21
 *     r1bqkbnr/pppppppp/n7/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1      FEN without the move number, en passant if legal
 *
 *     from #1                                                       in order
 *     5) #421                                                       short moves, in the order of the tree
 *     checkmate!                                                    marks, in the order of their bits
 *     comment games 95: 1-0 37, 1/2-1/2 6, 0-1 52, * 0              in a tree of games
 *     comment TEXT
 */
#include "base/text.h"
#include "notation/short_move.h"
#include "tree/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t node_fen_write(char out[TBY_FEN_SIZE], const tby_position *pos)
{
    size_t n = tby_fen_write_position(out, TBY_FEN_SIZE, pos, TBY_FEN_EP_LEGAL);
    while (n > 0 && out[n] != ' ')
        n--;
    out[n] = '\0';
    return n;
}

size_t tree_games_write(char out[TREE_GAMES_SIZE], const uint64_t results[4])
{
    const uint64_t white = results[TBY_WHITE_WINS], black = results[TBY_BLACK_WINS], drawn = results[TBY_DRAW],
                   none = results[TBY_RESULT_NONE];
    return (size_t)snprintf(out, TREE_GAMES_SIZE,
                            "games %" PRIu64 ": 1-0 %" PRIu64 ", 1/2-1/2 %" PRIu64 ", 0-1 %" PRIu64 ", * %" PRIu64,
                            white + black + drawn + none, white, drawn, black, none);
}

/* "TEXT #21\n" */
static bool write_link(const char *text, tby_tree_id id, tby_sink sink, void *context)
{
    char line[64];
    text_writer out = text_begin(line, sizeof line);
    text_string(&out, text);
    text_char(&out, '#');
    text_number(&out, id);
    text_char(&out, '\n');
    return sink(context, line, text_end(&out));
}

static bool write_line(const char *begin, const char *text, tby_sink sink, void *context)
{
    return sink(context, begin, strlen(begin)) && sink(context, text, strlen(text)) && sink(context, "\n", 1);
}

/* The short text of a move depends on all legal moves, even if the node has only some of them. */
static bool write_moves(const tby_tree_node *node, tby_sink sink, void *context)
{
    tby_move legal[TBY_MOVES_MAX];
    char texts[TBY_MOVES_MAX][TBY_SHORT_MOVE_SIZE], text[TBY_SHORT_MOVE_SIZE + 2];
    const size_t n_legal = tree_moves_of(legal, &node->pos);
    short_moves_write_all(texts, &node->pos, legal, n_legal);
    size_t at = 0;
    for (size_t i = 0; i < node->n_moves; i++) {
        while (at < n_legal && legal[at] != node->moves[i].move)
            at++;
        if (at == n_legal)
            return false;
        snprintf(text, sizeof text, "%s) ", texts[at]);
        if (!write_link(text, node->moves[i].node, sink, context))
            return false;
    }
    return true;
}

static bool write_end(const tby_tree_node *node, tby_sink sink, void *context)
{
    char games[TREE_GAMES_SIZE];
    for (unsigned mark = 1; tby_tree_mark_text(mark); mark <<= 1)
        if ((node->marks & mark) && !write_line("", tby_tree_mark_text(mark), sink, context))
            return false;
    if (node->has_games) {
        tree_games_write(games, node->results);
        if (!write_line("comment ", games, sink, context))
            return false;
    }
    for (size_t at = 0; at < node->n_comments;) {
        const char *line = node->comments + at, *end = memchr(line, '\n', node->n_comments - at);
        const size_t n = (size_t)(end + 1 - line);
        if (!sink(context, "comment ", 8) || !sink(context, line, n))
            return false;
        at += n;
    }
    return true;
}

bool tby_tree_node_write(const tby_tree_node *node, tby_sink sink, void *context)
{
    char fen[TBY_FEN_SIZE];
    node_fen_write(fen, &node->pos);
    if (!write_link("", node->id, sink, context) || !write_line(fen, "\n", sink, context))
        return false;
    for (size_t i = 0; i < node->n_from; i++)
        if (!write_link("from ", node->from[i], sink, context))
            return false;
    return (node->n_moves == 0 || write_moves(node, sink, context)) && write_end(node, sink, context);
}
