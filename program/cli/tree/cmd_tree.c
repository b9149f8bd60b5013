/*
 * cmd_tree.c - tabiya tree: the tree of chess. Chooses among grow, read, show and export.
 */
#include "commands.h"
#include "database.h"
#include "options.h"
#include "parallel.h"
#include "progress.h"
#include "query_options.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    [TREE_CHESS960] = OPTION_CHESS960,
    [TREE_COUNT] = {"count", 0, NULL, NULL, "grow: only count positions, and write nothing"},
    [TREE_DEPTH] = {"depth", 0, "N", NULL, "grow: include all positions within N half-moves"},
    [TREE_EXPLAIN] = OPTION_EXPLAIN,
    [TREE_FROM] = {"from", 0, "FEN", NULL, "grow: start from this position (default: the start position)"},
    [TREE_GAMES] = {"games", 0, "FILE|DB", NULL, "grow: use the games of a file or database instead of the rules"},
    [TREE_MEMORY] = {"memory", 0, "SIZE", NULL,
                     "grow --count: memory limit, such as 500M or 4G (default: half of the machine's memory); the rest "
                     "goes to disk"},
    [TREE_MIN_GAMES] = {"min-games", 0, "N", NULL, "with --games: include only positions reached by at least N games"},
    [TREE_OUTPUT] = {"output", 'o', "FILE", NULL, "grow: folder to write; export: file to write"},
    [TREE_PATTERNS] = OPTION_PATTERNS,
    [TREE_PLIES] = {"plies", 0, "N", NULL, "with --games: use the first N half-moves of each game (default: 30)"},
    [TREE_QUERY] = {"query", 0, "QUERY", NULL, "with --games: use only games that match QUERY"},
    [TREE_RESUME] = {"resume", 0, NULL, NULL, "grow: complete a folder after an interruption"},
    [TREE_TEMP] = {"temp", 0, "FILE", NULL, "grow --count: folder for temporary files (default: $TMPDIR or /tmp)"},
    [TREE_THREADS] = OPTION_THREADS,
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
    {"tabiya tree export games.db --min-games 3 --to polyglot -o mine.bin 'player carlsen'",
     "Writes a player's opening book."},
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

static void tell_fault(void *context, const tby_tree_fault *fault)
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
    const tby_status status = tby_tree_read(&tree, path, n_faults, tell_fault, NULL, &work, &failure);
    progress_hide();
    if (status != TBY_OK && status != TBY_INVALID_TREE)
        tree_failed(failure.text);
    return tree;
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
