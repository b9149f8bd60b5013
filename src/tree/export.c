/*
 * export.c - a tree as one text, and as a game with variations.
 */
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_node(const tby_tree *tree, size_t id, tby_sink sink, void *context, tby_failure *f)
{
    char path[TREE_PATH_SIZE];
    tby_tree_node node;
    const size_t n = tree_path(path, tree, id);
    if (n == 0)
        return failure_keep(f, TBY_TOO_DEEP, "node #%zu is too deep for a path", id);
    tby_tree_node_at(&node, tree, (tby_tree_id)id);
    return (sink(context, "== ", 3) && sink(context, path, n) &&
            sink(context, "/" TREE_INFO "\n", strlen(TREE_INFO) + 2) && tby_tree_node_write(&node, sink, context)) ||
           failure_keep(f, TBY_IO_ERROR, "the text of node #%zu could not be written", id);
}

tby_status tby_tree_write_text(const tby_tree *tree, tby_sink sink, void *context, tby_failure *failure)
{
    failure_clear(failure);
    bool is_good = true;
    for (size_t id = 0; is_good && id < tree->n_nodes; id++)
        is_good = write_node(tree, id, sink, context, failure);
    return failure_answer(failure, is_good);
}

/* ---- Game ---------------------------------------------------------------------------------------------- */

static bool add_comment(tby_game *game, tby_node node, const char *s, size_t n)
{
    return tby_game_add_comment(game, node, TBY_COMMENT_AFTER, s, n);
}

/* Adds the contents of a node besides its links. The root's comment with its move number is already in the FEN. */
static bool add_notes(tby_game *game, tby_node at, const tby_tree_node *node, uint32_t number)
{
    char text[TREE_GAMES_SIZE];
    if (node->n_from > (node->id == 0 ? 0 : 1) &&
        !add_comment(game, at, text, (size_t)snprintf(text, sizeof text, "#%u", node->id)))
        return false;
    for (unsigned mark = 1; tby_tree_mark_text(mark); mark <<= 1)
        if ((node->marks & mark) && mark != TBY_TREE_CHECKMATE &&
            !add_comment(game, at, tby_tree_mark_text(mark), strlen(tby_tree_mark_text(mark))))
            return false;
    if (node->has_games && !add_comment(game, at, text, tree_games_write(text, node->results)))
        return false;
    for (size_t i = 0; i < node->n_comments;) {
        const char *line = node->comments + i, *end = memchr(line, '\n', node->n_comments - i);
        const bool is_number = node->id == 0 && i == 0 && number > 1;
        if (!is_number && !add_comment(game, at, line, (size_t)(end - line)))
            return false;
        i = (size_t)(end + 1 - node->comments);
    }
    return true;
}

/* A move to be added to the game. */
typedef struct edge {
    tby_node parent; /* in the game */
    tby_tree_id from;
    tby_tree_move move;
} edge;

typedef struct exporting {
    const tby_tree *tree;
    tby_game *game;
    edge *edges; /* a stack; each move of the tree is pushed once */
    size_t n_edges;
    bool *is_met; /* in a tree of games: nodes already placed */
} exporting;

static uint64_t games_of(const tby_tree *tree, tby_tree_id id)
{
    const uint64_t *results = tree->results[id];
    return results[0] + results[1] + results[2] + results[3];
}

/* Pushes the moves of a node, the first on top: by frequency in a tree of games, otherwise in the order of the tree. */
static void push_moves(exporting *x, tby_node at, const tby_tree_node *node)
{
    edge *first = x->edges + x->n_edges;
    for (size_t i = 0; i < node->n_moves; i++) {
        const tby_tree_move move = node->moves[node->n_moves - 1 - i];
        size_t k = i;
        for (; x->tree->results && k > 0 && games_of(x->tree, first[k - 1].move.node) > games_of(x->tree, move.node);
             k--)
            first[k] = first[k - 1];
        first[k] = (edge){at, node->id, move};
    }
    x->n_edges += node->n_moves;
}

/* Does the line continue after this move, or is its node placed elsewhere? In a tree of games a node belongs to the
   most played line, otherwise to the shortest. */
static bool goes_on(exporting *x, const edge *e)
{
    if (!x->tree->results)
        return x->tree->nodes[e->move.node].parent == e->from;
    const bool is_met = x->is_met[e->move.node];
    x->is_met[e->move.node] = true;
    return !is_met;
}

static bool add_node(exporting *x, tby_node at, tby_tree_id id)
{
    tby_tree_node node;
    tby_tree_node_at(&node, x->tree, id);
    push_moves(x, at, &node);
    return add_notes(x->game, at, &node, tree_number(x->tree));
}

static bool add_nodes(exporting *x)
{
    char text[32];
    x->is_met[0] = true;
    if (!add_node(x, TBY_ROOT, 0))
        return false;
    while (x->n_edges > 0) {
        const edge e = x->edges[--x->n_edges];
        const tby_node at = tby_game_add(x->game, e.parent, e.move.move);
        if (at == TBY_NO_NODE)
            return false;
        const bool is_good =
            goes_on(x, &e) ? add_node(x, at, e.move.node)
                           : add_comment(x->game, at, text, (size_t)snprintf(text, sizeof text, "= #%u", e.move.node));
        if (!is_good)
            return false;
    }
    return true;
}

tby_status tby_tree_game(tby_game **out, const tby_tree *tree, tby_failure *failure)
{
    static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
    failure_clear(failure);
    tby_game *game = tby_game_new(NULL);
    tby_position start = tree->nodes[0].pos; /* nodes have no move number */
    start.ply += 2 * (tree_number(tree) - 1);
    exporting x = {.tree = tree, .game = game};
    x.edges = malloc((tree->n_moves + 1) * sizeof *x.edges);
    x.is_met = calloc(tree->n_nodes, sizeof *x.is_met);
    bool is_good = game && x.edges && x.is_met;
    for (size_t i = 0; is_good && i < sizeof roster / sizeof *roster; i++) {
        const char *value = i == 0 ? "The tree of chess" : i == 2 ? "????.??.??" : i == 6 ? "*" : "?";
        is_good = tby_game_set_tag(game, roster[i], strlen(roster[i]), value, strlen(value));
    }
    is_good = is_good && tby_game_set_start(game, &start, false) && add_nodes(&x);
    free(x.edges);
    free(x.is_met);
    if (!is_good) {
        failure_no_memory(failure);
        tby_game_free(game);
    }
    *out = is_good ? game : NULL;
    return failure_answer(failure, is_good);
}
