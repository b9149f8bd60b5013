/*
 * cmd_tree_grow.c - tabiya tree grow: grows the tree from the rules or from games, into a folder, or only counts it.
 */
#include "database.h"
#include "progress.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>

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
    tby_failure failure;
    const char *folder = output_of(a);
    const tby_tree_work work = tree_work(a, folder);
    if (tby_tree_write(tree, folder, args_has(a, TREE_RESUME), &work, &failure) != TBY_OK)
        tree_failed(failure.text);
    progress_hide();
    const tby_tree_id n = tby_tree_n_nodes(tree);
    out_printf("%u %s, depth %u\n", n, plural(n, "node", "nodes"), tby_tree_depth(tree, n - 1));
}

static int grow_rules(const args *a)
{
    tby_failure failure;
    const tby_position root = tree_root(a);
    const unsigned depth = depth_of(a);
    output_of(a);
    const tby_tree_work work = tree_work(a, "growing");
    tby_tree *tree;
    if (tby_tree_grow(&tree, &root, depth, &work, &failure) != TBY_OK)
        tree_failed(failure.text);
    write_folder(a, tree);
    tby_tree_free(tree);
    return EXIT_YES;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static void print_counts(const tree_games_counts *n)
{
    out_printf("%" PRIu64 " %s %s: %" PRIu64 " counted, %" PRIu64 " not from this root, %" PRIu64 " rejected",
               n->n_games, plural(n->n_games, "game", "games"), n->is_picked ? "found" : "read",
               n->n_games - n->n_rejected - n->n_elsewhere, n->n_elsewhere, n->n_rejected);
    if (n->n_variation_plies)
        out_printf("; %" PRIu64 " %s of variations left out", n->n_variation_plies,
                   plural(n->n_variation_plies, "half-move", "half-moves"));
    out_string("\n");
}

static int grow_games(const args *a)
{
    tree_games_counts counts;
    if (args_has(a, TREE_EXPLAIN)) {
        tree_games_explain(a, args_value(a, TREE_GAMES));
        return EXIT_YES;
    }
    output_of(a);
    tby_tree *tree = tree_of_games(a, args_value(a, TREE_GAMES), &counts);
    write_folder(a, tree);
    print_counts(&counts);
    tby_tree_free(tree);
    return counts.n_rejected ? EXIT_NO : EXIT_YES;
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* A ply is counted, the next begins. */
static bool print_ply(void *context, const tby_tree_ply *ply)
{
    static char name[16];
    (void)context;
    progress_hide();
    out_printf("%3u  %12" PRIu64 "  %12" PRIu64 "\n", ply->ply, ply->n_positions, ply->n_new);
    out_flush();
    snprintf(name, sizeof name, "ply %u", ply->ply + 1);
    progress_begin(name);
    return !interrupts_came();
}

static int count_rules(const args *a)
{
    tby_failure failure;
    const tby_position root = tree_root(a);
    const char *memory = args_value(a, TREE_MEMORY);
    const tby_tree_count count = {.depth = depth_of(a),
                                  .memory = memory ? size_read("tree grow: --memory", memory) : 0,
                                  .folder = args_value(a, TREE_TEMP),
                                  .on_ply = print_ply};
    if (args_has(a, TREE_OUTPUT) || args_has(a, TREE_RESUME))
        error_exit("tree grow: --count writes nothing, so -o and --resume do not apply");
    const tby_tree_work work = tree_work(a, "ply 0");
    out_printf("ply     positions           new\n");
    if (tby_tree_count_positions(&root, &count, &work, &failure) != TBY_OK)
        tree_failed(failure.text);
    progress_hide();
    return EXIT_YES;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* No option is silently ignored. */
static void refuse_without(const args *a, int index, int other)
{
    if (args_has(a, index) && !args_has(a, other))
        error_exit("tree grow: --%s needs --%s", a->command->options[index].name, a->command->options[other].name);
}

int tree_grow(const args *a)
{
    const bool is_by_query = a->n_words > 1 || args_has(a, TREE_QUERY) || args_has(a, TREE_PATTERNS);
    if (is_by_query && !args_has(a, TREE_GAMES))
        error_exit("tree grow: %s%s%s selects games and needs --games; -o DIR names the folder",
                   a->n_words > 1 ? "\"" : "", a->n_words > 1 ? a->words[1] : "a query", a->n_words > 1 ? "\"" : "");
    refuse_without(a, TREE_EXPLAIN, TREE_GAMES);
    refuse_without(a, TREE_MIN_GAMES, TREE_GAMES);
    refuse_without(a, TREE_PLIES, TREE_GAMES);
    refuse_without(a, TREE_MEMORY, TREE_COUNT);
    refuse_without(a, TREE_TEMP, TREE_COUNT);
    if (args_has(a, TREE_GAMES) && (args_has(a, TREE_COUNT) || args_has(a, TREE_DEPTH)))
        error_exit("tree grow: --games cannot be used with --depth or --count; use --plies");
    if (args_has(a, TREE_GAMES))
        return grow_games(a);
    return args_has(a, TREE_COUNT) ? count_rules(a) : grow_rules(a);
}
