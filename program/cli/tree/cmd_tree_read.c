/*
 * cmd_tree_read.c - tabiya tree read: checks a folder. tabiya tree export: writes it, or the tree of
 * games, in other forms.
 */
#include "polyglot.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The words are "read DIR". */
static const char *folder_of(const args *a)
{
    if (a->n_words != 2)
        error_exit("tree %s: one DIR expected; try --help", a->words[0]);
    return a->words[1];
}

static void print_faults(uint64_t n_faults)
{
    error_print("tree: %" PRIu64 " %s", n_faults, plural(n_faults, "fault", "faults"));
}

int tree_read(const args *a)
{
    uint64_t n_faults;
    tby_tree *tree = tree_of_folder(a, folder_of(a), &n_faults);
    if (!tree) {
        print_faults(n_faults);
        return EXIT_NO;
    }
    const tby_tree_id n = tby_tree_n_nodes(tree);
    out_printf("%u %s, depth %u: good\n", n, plural(n, "node", "nodes"), tby_tree_depth(tree, n - 1));
    tby_tree_free(tree);
    return EXIT_YES;
}

/* ---- Export formats --------------------------------------------------------------------------------------------- */

/* The number of games that reached the node; 0 if it is not a tree of games. */
static uint64_t tree_n_games(const tby_tree_node *node)
{
    return node->has_games ? node->results[0] + node->results[1] + node->results[2] + node->results[3] : 0;
}

/* ---- DOT -------------------------------------------------------------------------------------------------------- */

static void write_dot_node(buffer *out, const tby_tree *tree, const tby_tree_node *node)
{
    char san[TBY_SAN_SIZE];
    (void)tree;
    if (node->has_games)
        buffer_printf(out, "n%u [label=\"#%u\\n%" PRIu64 " %s\"];\n", node->id, node->id, tree_n_games(node),
                      plural(tree_n_games(node), "game", "games"));
    else
        buffer_printf(out, "n%u [label=\"#%u\"];\n", node->id, node->id);
    for (size_t i = 0; i < node->n_moves; i++) {
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        buffer_printf(out, "n%u -> n%u [label=\"%s\"];\n", node->id, node->moves[i].node, san);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_json_node(buffer *out, const tby_tree *tree, const tby_tree_node *node)
{
    char fen[TBY_FEN_SIZE], san[TBY_SAN_SIZE];
    (void)tree;
    tby_fen_write_position(fen, sizeof fen, &node->pos, TBY_FEN_EPD);
    json_add(out, node->has_games ? "{'id':%u,'epd':%s" : "{'id':%u,'epd':%s,'games':null", node->id, fen);
    if (node->has_games)
        json_add(out, "'games':%llu,'white':%llu,'draws':%llu,'black':%llu", (unsigned long long)tree_n_games(node),
                 (unsigned long long)node->results[TBY_WHITE_WINS], (unsigned long long)node->results[TBY_DRAW],
                 (unsigned long long)node->results[TBY_BLACK_WINS]);
    json_add(out, "'from':[");
    for (size_t i = 0; i < node->n_from; i++)
        json_add(out, "%u", node->from[i]);
    json_add(out, "],'moves':[");
    for (size_t i = 0; i < node->n_moves; i++) {
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        json_add(out, "{'san':%s,'node':%u}", san, node->moves[i].node);
    }
    json_add(out, "]}");
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

static void export_polyglot(const tby_tree *tree)
{
    polyglot_maker maker = {0};
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        uint64_t keys[TBY_TREE_POLYGLOT_KEYS_MAX];
        const size_t n_keys = tby_tree_polyglot_keys(keys, tree, id);
        tby_tree_node_at(&node, tree, id);
        for (size_t i = 0; i < node.n_moves; i++)
            for (size_t k = 0; k < n_keys; k++)
                polyglot_maker_add(&maker, keys[k], node.moves[i].move, points_of(tree, &node, i));
    }
    polyglot_maker_write(&maker);
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
        buffer_string(out, i ? " " : "");
        tby_san_write(san, sizeof san, &pos, moves[i]);
        if (tby_position_side(&pos) == TBY_WHITE || i == 0)
            write_numbered_move(out, &pos, moves[i]);
        else
            buffer_string(out, san);
        tby_line_play(&pos, moves[i]);
    }
    buffer_string(out, "\n");
    free(moves);
}

static void write_transpositions(buffer *out, const tby_tree *tree, const tby_tree_node *node)
{
    char fen[TBY_FEN_SIZE];
    if (node->n_from < 2)
        return;
    tby_fen_write_position(fen, sizeof fen, &node->pos, TBY_FEN_EPD);
    buffer_printf(out, "#%u  %s", node->id, fen);
    if (node->has_games)
        buffer_printf(out, "  %" PRIu64 " %s", tree_n_games(node), plural(tree_n_games(node), "game", "games"));
    buffer_string(out, "\n");
    for (size_t i = 0; i < node->n_from; i++) {
        buffer_string(out, "  ");
        write_way(out, tree, node->from[i], node->id);
    }
}

/* ---- Export ----------------------------------------------------------------------------------------------------- */

static void export_pgn(const tby_tree *tree)
{
    tby_failure failure;
    tby_game *game;
    if (tby_tree_game(&game, tree, &failure) != TBY_OK)
        tree_failed(failure.text);
    tby_pgn_write(game, 0, out_sink, NULL);
    tby_game_free(game);
}

static void export_text(const tby_tree *tree)
{
    tby_failure failure;
    if (tby_tree_write_text(tree, out_sink, NULL, &failure) != TBY_OK)
        tree_failed(failure.text);
}

/* The whole tree, or text around and between its nodes. */
typedef struct tree_form {
    const char *name;
    void (*write)(const tby_tree *tree);
    void (*write_node)(buffer *out, const tby_tree *tree, const tby_tree_node *node);
    const char *begin, *between, *end;
} tree_form;

static void write_nodes(const tree_form *form, const tby_tree *tree)
{
    buffer text = {0};
    out_string(form->begin);
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        tby_tree_node_at(&node, tree, id);
        text.n = 0;
        buffer_string(&text, id ? form->between : "");
        form->write_node(&text, tree, &node);
        out_bytes(text.s, text.n);
    }
    out_string(form->end);
    buffer_free(&text);
}

static const tree_form *form_of(const args *a)
{
    static const tree_form forms[] = {
        {.name = "text", .write = export_text},
        {"dot", NULL, write_dot_node, "digraph tree {\nrankdir=LR;\nnode [shape=box];\n", "", "}\n"},
        {"json", NULL, write_json_node, "[", ",\n", "]\n"},
        {.name = "pgn", .write = export_pgn},
        {.name = "polyglot", .write = export_polyglot},
        {"transpositions", NULL, write_transpositions, "", "", ""},
    };
    const char *to = args_value(a, TREE_TO);
    for (size_t i = 0; to && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, to) == 0)
            return &forms[i];
    return &forms[0];
}

/* A Polyglot book can only be exported as a game; no other format has its weights. */
static int export_book(const args *a)
{
    const tby_position root = tree_root(a);
    if (strcmp(form_of(a)->name, "pgn") != 0)
        error_exit("tree export: a book can only be exported --to pgn");
    buffer book = polyglot_open(a->words[1]);
    tby_game *game = tby_book_game(book.data, book.n, &root);
    memory_need(game != NULL);
    out_open(args_value(a, TREE_OUTPUT));
    tby_pgn_write(game, 0, out_sink, NULL);
    const bool is_empty = tby_game_n_nodes(game) == 1;
    tby_game_free(game);
    buffer_free(&book);
    return is_empty ? EXIT_NO : EXIT_YES;
}

int tree_export(const args *a)
{
    uint64_t n_faults = 0;
    tree_games_counts counts = {0};
    tby_tree *tree;
    if (a->n_words < 2)
        error_exit("tree export: a DIR, a DB or a file is needed; try --help");
    if (polyglot_is_book(a->words[1]))
        return export_book(a);
    if (tree_is_folder(a->words[1])) {
        args_refuse(a, TAKES(TREE_THREADS) | TAKES(TREE_OUTPUT) | TAKES(TREE_TO), "export", " to a DIR");
        tree = tree_of_folder(a, folder_of(a), &n_faults);
    } else {
        tree = tree_of_games(a, a->words[1], &counts);
    }
    if (!tree) {
        print_faults(n_faults);
        return EXIT_NO;
    }
    out_open(args_value(a, TREE_OUTPUT));
    const tree_form *form = form_of(a);
    if (form->write)
        form->write(tree);
    else
        write_nodes(form, tree);
    tby_tree_free(tree);
    return counts.n_rejected ? EXIT_NO : EXIT_YES;
}
