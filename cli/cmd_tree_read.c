/*
 * cmd_tree_read.c - tabiya tree read: checks a folder. tabiya tree export: writes it as one text or as a game.
 */
#include "progress.h"
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
    char error[TBY_TREE_ERROR_SIZE];
    tby_game *game;
    if (tby_tree_game(&game, tree, error) != TBY_OK)
        tree_failed(error);
    tby_pgn_write(game, 0, out_sink, NULL);
    tby_game_free(game);
}

static void export_text(const tby_tree *tree)
{
    char error[TBY_TREE_ERROR_SIZE];
    if (tby_tree_write_text(tree, out_sink, NULL, error) != TBY_OK)
        tree_failed(error);
}

int tree_export(const args *a)
{
    uint64_t n_faults;
    tby_tree *tree = tree_of_folder(a, folder_of(a), &n_faults);
    if (!tree) {
        print_faults(n_faults);
        return EXIT_NO;
    }
    const char *to = args_value(a, TREE_TO);
    out_open(args_value(a, TREE_OUTPUT));
    if (to && strcmp(to, "pgn") == 0)
        export_pgn(tree);
    else
        export_text(tree);
    tby_tree_free(tree);
    return EXIT_YES;
}
