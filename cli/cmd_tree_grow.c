/*
 * cmd_tree_grow.c - tabiya tree grow: from the rules or from games, into a folder; or only counted.
 */
#include "progress.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 100 };

static const char *output_of(const args *a)
{
    const char *folder = args_value(a, TREE_OUTPUT);
    if (!folder)
        error_exit("tree grow: -o DIR, the folder to write, is missing; or --count; try --help");
    return folder;
}

static unsigned depth_of(const args *a)
{
    const char *depth = args_value(a, TREE_DEPTH);
    if (!depth)
        error_exit("tree grow: --depth N or --games FILE is missing; try --help");
    return (unsigned)number_read("tree grow: --depth", depth, 0, DEPTH_MAX);
}

static void write_folder(const args *a, tby_tree *tree)
{
    char error[TBY_TREE_ERROR_SIZE];
    const char *folder = output_of(a);
    const tby_tree_work work = tree_work(a, folder);
    if (!tby_tree_write(tree, folder, args_has(a, TREE_RESUME), &work, error))
        tree_failed(error);
    progress_hide();
    const tby_tree_id n = tby_tree_n_nodes(tree);
    out_printf("%u nodes, depth %u\n", n, tby_tree_depth(tree, n - 1));
}

static int grow_rules(const args *a)
{
    char error[TBY_TREE_ERROR_SIZE];
    const tby_position root = tree_root(a);
    const unsigned depth = depth_of(a);
    output_of(a);
    const tby_tree_work work = tree_work(a, "growing");
    tby_tree *tree = tby_tree_grow(&root, depth, &work, error);
    if (!tree)
        tree_failed(error);
    write_folder(a, tree);
    tby_tree_free(tree);
    return EXIT_YES;
}

int tree_grow(const args *a)
{
    if (a->n_words != 1)
        error_exit("tree grow: \"%s\": no argument expected; -o DIR names the folder; try --help", a->words[1]);
    return grow_rules(a);
}
