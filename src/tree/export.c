/*
 * export.c - a tree as one text, and as a game with variations.
 */
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>

bool tby_tree_write_text(const tby_tree *tree, tby_sink sink, void *context)
{
    char path[TREE_PATH_SIZE];
    for (size_t id = 0; id < tree->n_nodes; id++) {
        tby_tree_node node;
        const size_t n = tree_path(path, tree, id);
        tby_tree_node_at(&node, tree, (tby_tree_id)id);
        if (n == 0 || !sink(context, "== ", 3) || !sink(context, path, n) ||
            !sink(context, "/" TREE_INFO "\n", strlen(TREE_INFO) + 2) || !tby_tree_node_write(&node, sink, context))
            return false;
    }
    return true;
}

/* ---- Game ---------------------------------------------------------------------------------------------- */

static bool add_comment(tby_game *game, tby_node node, const char *s, size_t n)
{
    return tby_game_add_comment(game, node, TBY_COMMENT_AFTER, s, n);
}

/* What the text of the node tells beside its links. */
static bool add_notes(tby_game *game, tby_node at, const tby_tree_node *node)
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
        if (!add_comment(game, at, line, (size_t)(end - line)))
            return false;
        i = (size_t)(end + 1 - node->comments);
    }
    return true;
}

static bool add_move(tby_game *game, tby_node *places, const tby_tree *tree, tby_tree_id id, const tby_tree_move *m)
{
    char text[32];
    const tby_node at = tby_game_add(game, places[id], m->move);
    if (at == TBY_NO_NODE)
        return false;
    if (tree->nodes[m->node].parent == id) {
        places[m->node] = at;
        return true;
    }
    return add_comment(game, at, text, (size_t)snprintf(text, sizeof text, "= #%u", m->node));
}

/* Parents come before their children, so every node's place is known when its moves are added. */
static bool add_nodes(tby_game *game, tby_node *places, const tby_tree *tree)
{
    places[0] = TBY_ROOT;
    for (size_t id = 0; id < tree->n_nodes; id++) {
        tby_tree_node node;
        tby_tree_node_at(&node, tree, (tby_tree_id)id);
        if (!add_notes(game, places[id], &node))
            return false;
        for (size_t i = 0; i < node.n_moves; i++)
            if (!add_move(game, places, tree, (tby_tree_id)id, &node.moves[i]))
                return false;
    }
    return true;
}

tby_game *tby_tree_game(const tby_tree *tree)
{
    static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
    tby_game *game = tby_game_new(NULL);
    tby_node *places = calloc(tree->n_nodes, sizeof *places);
    bool is_good = game && places;
    for (size_t i = 0; is_good && i < sizeof roster / sizeof *roster; i++) {
        const char *value = i == 0 ? "The tree of chess" : i == 2 ? "????.??.??" : i == 6 ? "*" : "?";
        is_good = tby_game_set_tag(game, roster[i], strlen(roster[i]), value, strlen(value));
    }
    is_good = is_good && tby_game_set_start(game, &tree->nodes[0].pos, false) && add_nodes(game, places, tree);
    free(places);
    if (is_good)
        return game;
    tby_game_free(game);
    return NULL;
}
