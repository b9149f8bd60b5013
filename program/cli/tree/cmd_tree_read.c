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

typedef struct tree_form {
    const char *name;
    void (*write)(const tby_tree *tree);
} tree_form;

static const tree_form *form_of(const args *a)
{
    static const tree_form forms[] = {
        {"text", export_text}, {"dot", tree_write_dot},           {"json", tree_write_json},
        {"pgn", export_pgn},   {"polyglot", tree_write_polyglot}, {"transpositions", tree_write_transpositions}};
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
    polyglot_book *book = polyglot_open(a->words[1]);
    tby_game *game = polyglot_game(book, &root);
    out_open(args_value(a, TREE_OUTPUT));
    tby_pgn_write(game, 0, out_sink, NULL);
    const bool is_empty = tby_game_n_nodes(game) == 1;
    tby_game_free(game);
    polyglot_close(book);
    return is_empty ? EXIT_NO : EXIT_YES;
}

static void refuse_options(const args *a)
{
    for (size_t i = 0; i < a->n_given; i++) {
        const int index = a->given[i].index;
        if (index != TREE_THREADS && index != TREE_OUTPUT && index != TREE_TO)
            error_exit("tree export: --%s does not apply to a DIR", a->command->options[index].name);
    }
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
        refuse_options(a);
        tree = tree_of_folder(a, folder_of(a), &n_faults);
    } else {
        tree = tree_of_games(a, a->words[1], &counts);
    }
    if (!tree) {
        print_faults(n_faults);
        return EXIT_NO;
    }
    out_open(args_value(a, TREE_OUTPUT));
    form_of(a)->write(tree);
    tby_tree_free(tree);
    return counts.n_rejected ? EXIT_NO : EXIT_YES;
}
