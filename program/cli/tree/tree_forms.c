/*
 * tree_forms.c - export formats of a tree besides text and PGN.
 */
#include "polyglot.h"
#include "support/buffer.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>

static void out_and_clear(buffer *text)
{
    out_bytes(text->s, text->n);
    text->n = 0;
}

/* ---- DOT -------------------------------------------------------------------------------------------------------- */

void tree_write_dot(const tby_tree *tree)
{
    buffer text = {0};
    char san[TBY_SAN_SIZE];
    buffer_string(&text, "digraph tree {\nrankdir=LR;\nnode [shape=box];\n");
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        tby_tree_node_at(&node, tree, id);
        if (node.has_games)
            buffer_printf(&text, "n%u [label=\"#%u\\n%" PRIu64 " %s\"];\n", id, id, tree_n_games(&node),
                          plural(tree_n_games(&node), "game", "games"));
        else
            buffer_printf(&text, "n%u [label=\"#%u\"];\n", id, id);
        for (size_t i = 0; i < node.n_moves; i++) {
            tby_san_write(san, sizeof san, &node.pos, node.moves[i].move);
            buffer_printf(&text, "n%u -> n%u [label=\"%s\"];\n", id, node.moves[i].node, san);
        }
        out_and_clear(&text);
    }
    out_string("}\n");
    buffer_free(&text);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_json_node(buffer *out, const tby_tree_node *node)
{
    char fen[TBY_FEN_SIZE], san[TBY_SAN_SIZE];
    tby_fen_write_position(fen, sizeof fen, &node->pos, TBY_FEN_EPD);
    buffer_printf(out, "{\"id\":%u,\"epd\":\"%s\",\"games\":", node->id, fen);
    if (node->has_games)
        buffer_printf(out, "%" PRIu64 ",\"white\":%" PRIu64 ",\"draws\":%" PRIu64 ",\"black\":%" PRIu64,
                      tree_n_games(node), node->results[TBY_WHITE_WINS], node->results[TBY_DRAW],
                      node->results[TBY_BLACK_WINS]);
    else
        buffer_string(out, "null");
    buffer_string(out, ",\"from\":[");
    for (size_t i = 0; i < node->n_from; i++)
        buffer_printf(out, "%s%u", i ? "," : "", node->from[i]);
    buffer_string(out, "],\"moves\":[");
    for (size_t i = 0; i < node->n_moves; i++) {
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        buffer_printf(out, "%s{\"san\":\"%s\",\"node\":%u}", i ? "," : "", san, node->moves[i].node);
    }
    buffer_string(out, "]}");
}

void tree_write_json(const tby_tree *tree)
{
    buffer text = {0};
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        tby_tree_node_at(&node, tree, id);
        buffer_string(&text, id ? ",\n" : "[");
        write_json_node(&text, &node);
        out_and_clear(&text);
    }
    out_string("]\n");
    buffer_free(&text);
}

/* ---- Polyglot --------------------------------------------------------------------------------------------------- */

/* As in Polyglot's own book maker: each time the move was played, two for a win by the side that moves, one for a draw.
   In a tree without games, all weights are equal. */
static uint64_t points_of(const tby_tree *tree, const tby_tree_node *node, size_t i)
{
    const bool is_white = tby_position_side(&node->pos) == TBY_WHITE;
    uint64_t results[4];
    if (!node->has_games)
        return 1;
    if (!tby_tree_move_results(results, tree, node->id, i))
        error_exit("tree export: a DIR counts games per position, and a Polyglot book needs them per move; export the "
                   "games themselves: tabiya tree export FILE|DB --to polyglot");
    return 2 * results[is_white ? TBY_WHITE_WINS : TBY_BLACK_WINS] + results[TBY_DRAW];
}

void tree_write_polyglot(const tby_tree *tree)
{
    polyglot_maker *maker = polyglot_maker_new();
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        uint64_t keys[TBY_TREE_POLYGLOT_KEYS_MAX];
        const size_t n_keys = tby_tree_polyglot_keys(keys, tree, id);
        tby_tree_node_at(&node, tree, id);
        for (size_t i = 0; i < node.n_moves; i++)
            for (size_t k = 0; k < n_keys; k++)
                polyglot_maker_add(maker, keys[k], node.moves[i].move, points_of(tree, &node, i));
    }
    polyglot_maker_write(maker);
}

/* ---- Transpositions --------------------------------------------------------------------------------------------- */

static tby_move move_between(const tby_tree *tree, tby_tree_id from, tby_tree_id to)
{
    tby_tree_node node;
    tby_tree_node_at(&node, tree, from);
    for (size_t i = 0; i < node.n_moves; i++)
        if (node.moves[i].node == to)
            return node.moves[i].move;
    return TBY_MOVE_NONE;
}

/* "1. e4 e6 2. d4": the shortest line to `from`, and the move from there to `to`. */
static void write_way(buffer *out, const tby_tree *tree, tby_tree_id from, tby_tree_id to)
{
    const unsigned n = tby_tree_depth(tree, from);
    tby_move *moves = memory_new(n + 1, sizeof *moves);
    tby_tree_node root;
    moves[n] = move_between(tree, from, to);
    for (unsigned i = n; i > 0; i--) {
        const tby_tree_id parent = tby_tree_parent(tree, from);
        moves[i - 1] = move_between(tree, parent, from);
        from = parent;
    }
    tby_tree_node_at(&root, tree, 0);
    tby_position pos = root.pos;
    for (unsigned i = 0; i <= n; i++) {
        char san[TBY_SAN_SIZE];
        const bool is_white = tby_position_side(&pos) == TBY_WHITE;
        buffer_string(out, i ? " " : "");
        if (is_white || i == 0)
            buffer_printf(out, "%u%s ", (unsigned)tby_position_fullmove(&pos), is_white ? "." : "...");
        tby_san_write(san, sizeof san, &pos, moves[i]);
        buffer_string(out, san);
        tby_line_play(&pos, moves[i]);
    }
    buffer_string(out, "\n");
    free(moves);
}

void tree_write_transpositions(const tby_tree *tree)
{
    buffer text = {0};
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        char fen[TBY_FEN_SIZE];
        tby_tree_node_at(&node, tree, id);
        if (node.n_from < 2)
            continue;
        tby_fen_write_position(fen, sizeof fen, &node.pos, TBY_FEN_EPD);
        buffer_printf(&text, "#%u  %s", id, fen);
        if (node.has_games)
            buffer_printf(&text, "  %" PRIu64 " %s", tree_n_games(&node), plural(tree_n_games(&node), "game", "games"));
        buffer_string(&text, "\n");
        for (size_t i = 0; i < node.n_from; i++) {
            buffer_string(&text, "  ");
            write_way(&text, tree, node.from[i], id);
        }
        out_and_clear(&text);
    }
    buffer_free(&text);
}
