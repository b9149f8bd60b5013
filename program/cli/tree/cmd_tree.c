/*
 * cmd_tree.c - tabiya tree: the tree of chess. Chooses among grow, read, show and export.
 */
#include "actions.h"
#include "commands.h"
#include "database.h"
#include "parallel.h"
#include "patterns.h"
#include "progress.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    [TREE_CHESS960] = OPTION_CHESS960,
    [TREE_COUNT] = {"count", 0, NULL, NULL, "grow: only count, and write nothing"},
    [TREE_DEPTH] = {"depth", 0, "N", NULL, "grow: all positions that at most N half-moves lead to"},
    [TREE_EXPLAIN] = OPTION_EXPLAIN,
    [TREE_FROM] = {"from", 0, "FEN", NULL, "grow: the root is this position, not the start position"},
    [TREE_GAMES] = {"games", 0, "FILE|DB", NULL, "grow: from the games of a file or a database, not from the rules"},
    [TREE_MEMORY] = {"memory", 0, "SIZE", NULL,
                     "grow --count: use at most this much memory, 500M or 4G (half of the machine's unless given), and "
                     "the disk for the rest"},
    [TREE_MIN_GAMES] = {"min-games", 0, "N", NULL, "with --games: only positions that at least N games reach"},
    [TREE_OUTPUT] = {"output", 'o', "FILE", NULL, "grow: the folder to write; export: the file"},
    [TREE_PATTERNS] = OPTION_PATTERNS,
    [TREE_PLIES] = {"plies", 0, "N", NULL, "with --games: the first N half-moves of each game (30 unless given)"},
    [TREE_QUERY] = {"query", 0, "QUERY", NULL, "with --games: only games that QUERY holds for"},
    [TREE_RESUME] = {"resume", 0, NULL, NULL, "grow: complete a folder whose writing was interrupted"},
    [TREE_TEMP] = {"temp", 0, "FILE", NULL,
                   "grow --count: the folder for temporary files ($TMPDIR or /tmp unless given)"},
    [TREE_THREADS] = OPTION_THREADS,
    [TREE_TO] =
        {"to", 0, "FORM", "dot|json|pgn|polyglot|text|transpositions",
         "export: as a picture for Graphviz, as JSON, as one game with variations, as a Polyglot opening book, as "
         "one text of all files (unless given), or the positions that several nodes lead to"},
    {0},
};

static const example examples[] = {
    {"tabiya tree grow --depth 3 -o tree", "Writes 5783 folders: every position within three half-moves."},
    {"tabiya tree grow --count --depth 6", "Counts the positions: 9417681 of exactly six half-moves."},
    {"tabiya tree grow --games games.db --min-games 5 -o book", "What was played, and with what success."},
    {"tabiya tree grow --games games.db -o book 'player carlsen elo 2600..'", "The book of one player."},
    {"tabiya tree read tree", "Checks every file, number, link and move."},
    {"tabiya tree show tree 1. e4 e5", "The node after some moves."},
    {"tabiya tree export tree --to pgn -o tree.pgn", "One game, all else variations."},
    {"tabiya tree export games.db --min-games 3 --to polyglot -o mine.bin 'player carlsen'",
     "A player's opening book."},
    {"tabiya tree show mine.bin 1. e4", "What the book plays."},
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

static bool report_progress(void *context, double fraction)
{
    (void)context;
    progress_update(fraction, 0, 0);
    return !interrupts_came();
}

tby_tree_work tree_work(const args *a, const char *name)
{
    const tby_tree_work work = {.n_threads = threads_read("tree", args_value(a, TREE_THREADS)),
                                .progress = report_progress};
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
    char error[TBY_TREE_ERROR_SIZE];
    tby_tree *tree;
    const tby_tree_work work = tree_work(a, path);
    const tby_status status = tby_tree_read(&tree, path, n_faults, tell_fault, NULL, &work, error);
    progress_hide();
    if (status != TBY_OK && status != TBY_INVALID_TREE)
        tree_failed(error);
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
static int run(const args *a) { return action_of(a, actions, sizeof actions / sizeof *actions)->run(a); }

const command cmd_tree = {
    .name = "tree",
    .words = "grow|read|show|export [DIR|DB|BOOK] [MOVES|QUERY]",
    .summary = "grow, check, show and export the tree of chess",
    .description =
        "The tree of chess has a node for every position, and only one, whatever moves lead there. Nodes are numbered "
        "in the order in which they are reached, breadth first. In a folder, each node is a folder inside that of "
        "the node from which it was first reached, with a text info.txt: the position, the nodes that lead there, the "
        "legal moves in "
        "their shortest form with the nodes they lead to, and how a game ends there.\n\n"
        "grow --depth N -o DIR grows it from the rules, grow --count --depth N only counts the positions of each "
        "half-move, grow --games FILE|DB -o DIR grows the tree of what was played, with the number of games and their "
        "results in comments; only main lines count, and `tabiya pgn --unfold` makes games of variations. A QUERY "
        "picks the games; `tabiya help query` explains it.\n\n"
        "read DIR checks a folder, every number, link, move, position and mark, and prints each fault with its "
        "place.\n\n"
        "show DIR|DB [MOVES] prints the node after some moves, SAN or coordinates: the board, what leads there, the "
        "moves and their nodes.\n\n"
        "export DIR|DB|FILE [QUERY] writes one text, one game of PGN with variations, DOT, JSON, a Polyglot opening "
        "book, "
        "or a list of transpositions; the tree of a database or a file of games is grown for it, as by grow --games. A "
        "Polyglot book, BOOK.bin, is shown and exported too.\n\n"
        "A folder whose writing was interrupted has a file called unfinished; the same command with --resume "
        "completes it.",
    .exits = "0  done; the tree is good\n1  the folder or a game has faults; show: the tree does not have these moves\n"
             "2  something could not be read or written, or the work was interrupted",
    .options = options,
    .examples = examples,
    .run = run,
};
