/*
 * cmd_tree.c - tabiya tree: the tree of chess. Chooses among grow, read, show and export.
 *
 * grow is here: it grows the tree from the rules or from games, into a folder, or only counts it.
 */
#include "commands.h"
#include "database.h"
#include "job.h"
#include "progress.h"
#include "query_options.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>

static const option options[] = {
    [TREE_CHESS960] = {OPTION_CHESS960},
    [TREE_COUNT] = {"count", 0, NULL, NULL, "grow: only count positions, and write nothing"},
    [TREE_DEPTH] = {"depth", 0, "N", NULL, "grow: include all positions within N half-moves"},
    [TREE_EXPLAIN] = {OPTION_EXPLAIN},
    [TREE_FROM] = {"from", 0, "FEN", NULL, "grow: start from this position (default: the start position)"},
    [TREE_GAMES] = {"games", 0, "FILE|DB", NULL, "grow: use the games of a file or database instead of the rules"},
    [TREE_MEMORY] = {"memory", 0, "SIZE", NULL,
                     "grow --count: memory limit, such as 500M or 4G (default: half of the machine's memory); the rest "
                     "goes to disk"},
    [TREE_MIN_GAMES] = {"min-games", 0, "N", NULL, "with --games: include only positions reached by at least N games"},
    [TREE_OUTPUT] = {"output", 'o', "FILE", NULL, "grow: folder to write; export: file to write"},
    [TREE_PATTERNS] = {OPTION_PATTERNS},
    [TREE_PLIES] = {"plies", 0, "N", NULL, "with --games: use the first N half-moves of each game (default: 30)"},
    [TREE_QUERY] = {"query", 0, "QUERY", NULL, "with --games: use only games that match QUERY"},
    [TREE_RESUME] = {"resume", 0, NULL, NULL, "grow: complete a folder after an interruption"},
    [TREE_TEMP] = {"temp", 0, "FILE", NULL, "grow --count: folder for temporary files (default: $TMPDIR or /tmp)"},
    [TREE_THREADS] = {OPTION_THREADS},
    [TREE_TO] =
        {"to", 0, "FORM", "dot|json|pgn|polyglot|text|transpositions",
         "export: dot (a graph for Graphviz), json, pgn (one game with variations), polyglot (an opening book), text "
         "(all files as one, the default), or transpositions (positions reached from several nodes)"},
    {0},
};

static const example examples[] = {
    {"tabiya tree grow --depth 3 -o tree", "Writes 5783 folders: every position within three half-moves."},
    {"tabiya tree grow --count --depth 6", "Counts the positions: 9417681 of exactly six half-moves."},
    {"tabiya tree grow --games games.db --min-games 5 -o book", "Grows a tree of what was played, with results."},
    {"tabiya tree grow --games games.db -o book 'player carlsen elo 2600..'", "Grows the tree of one player's games."},
    {"tabiya tree read tree", "Checks every file, number, link and move."},
    {"tabiya tree show tree 1. e4 e5", "Shows the node after some moves."},
    {"tabiya tree export tree --to pgn -o tree.pgn", "Writes the tree as one game with variations."},
    {"tabiya tree export games.db --to polyglot -o mine.bin 'player carlsen'", "Writes a player's opening book."},
    {"tabiya tree show mine.bin 1. e4", "Shows what the book plays."},
    {0},
};

/* ---- Shared ----------------------------------------------------------------------------------------------------- */

tby_position tree_root(const args *a)
{
    tby_position pos;
    const char *fen = args_value(a, TREE_FROM);
    const fen_input text = fen_text(fen ? fen : "startpos");
    if (!position_read(&pos, &text, args_has(a, TREE_CHESS960) ? TBY_FEN_CHESS960 : 0, 0))
        exit(EXIT_FAILED);
    return pos;
}

tby_tree_work tree_work(const args *a, const char *name)
{
    const tby_tree_work work = {.n_threads = threads_read(a, TREE_THREADS), .progress = database_report};
    interrupts_catch();
    progress_begin(name);
    return work;
}

_Noreturn void tree_failed(const char *error)
{
    progress_hide();
    error_exit("tree: %s", error);
}

static void report_fault(void *context, const tby_tree_fault *fault)
{
    (void)context;
    progress_hide();
    if (fault->line)
        error_print("%s:%zu: %s", fault->path, fault->line, fault->text);
    else
        error_print("%s: %s", fault->path, fault->text);
}

tby_tree *tree_of_folder(const args *a, const char *path, uint64_t *n_faults)
{
    tby_failure failure;
    tby_tree *tree;
    const tby_tree_work work = tree_work(a, path);
    const tby_status status = tby_tree_read(&tree, path, n_faults, report_fault, NULL, &work, &failure);
    progress_hide();
    if (status != TBY_OK && status != TBY_INVALID_TREE)
        tree_failed(failure.text);
    return tree;
}

/* ---- Growing ------------------------------------------------------------------------------------------------------ */

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

/* ---- Growing from games ------------------------------------------------------------------------------------------- */

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

/* No option is silently ignored. */
static void refuse_without(const args *a, int index, int other)
{
    if (args_has(a, index) && !args_has(a, other))
        error_exit("tree grow: --%s needs --%s", a->command->options[index].name, a->command->options[other].name);
}

static int tree_grow(const args *a)
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

/* ---- The command ------------------------------------------------------------------------------------------------ */

#define TAKES_GAMES                                                                                                    \
    (TAKES(TREE_THREADS) | TAKES(TREE_FROM) | TAKES(TREE_CHESS960) | TAKES(TREE_MIN_GAMES) | TAKES(TREE_PLIES) |       \
     TAKES(TREE_QUERY) | TAKES(TREE_PATTERNS))

static const action actions[] = {
    {"grow", tree_grow,
     TAKES_GAMES | TAKES(TREE_GAMES) | TAKES(TREE_EXPLAIN) | TAKES(TREE_COUNT) | TAKES(TREE_DEPTH) |
         TAKES(TREE_MEMORY) | TAKES(TREE_OUTPUT) | TAKES(TREE_RESUME) | TAKES(TREE_TEMP)},
    {"read", tree_read, TAKES(TREE_THREADS)},
    {"show", tree_show, TAKES_GAMES},
    {"export", tree_export, TAKES_GAMES | TAKES(TREE_OUTPUT) | TAKES(TREE_TO)},
};
static int tree_run(const args *a) { return action_of(a, actions, sizeof actions / sizeof *actions)->run(a); }

const command cmd_tree = {
    .name = "tree",
    .group = GROUP_POSITIONS,
    .words = "grow|read|show|export [DIR|DB|BOOK] [MOVES|QUERY]",
    .summary = "build, check and export trees of positions",
    .description =
        "The tree of chess has one node per position, whatever moves lead to it. Nodes are numbered in the order in "
        "which they are reached, breadth first. On disk, each node is a folder inside that of the node from which it "
        "was first reached. Its file info.txt has the position, the nodes that lead to it, the legal moves in their "
        "shortest form with the nodes they lead to, and how a game ends there.\n\ngrow --depth N -o DIR grows the tree "
        "from the rules; grow --count --depth N only counts the positions at each depth; grow --games FILE|DB -o DIR "
        "grows the tree of what was played, with the number of games and their results in comments. Only main lines "
        "count; `tabiya pgn --unfold` turns variations into games. A QUERY selects games; see `tabiya help "
        "query`.\n\nread DIR checks every number, link, move, position and mark in a folder, and prints each fault "
        "with its location.\n\nshow DIR|DB [MOVES] prints the node after some moves, in SAN or coordinates: the board, "
        "the nodes that lead there, the moves and their nodes.\n\nexport DIR|DB|FILE [QUERY] writes a single text, a "
        "PGN game with variations, DOT, JSON, a Polyglot opening book, or a list of transpositions. For a database or "
        "a file of games, it first grows the tree as grow --games does. show and export also read a Polyglot book, "
        "BOOK.bin.\n\nA folder whose writing was interrupted contains a file named unfinished; repeat the command with "
        "--resume to complete it.",
    .exits = "0  done; the tree is good\n1  the folder or a game has faults; show: the tree does not have these "
             "moves\n2  something could not be read or written, or the command was interrupted",
    .options = options,
    .examples = examples,
    .run = tree_run,
};
