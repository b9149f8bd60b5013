/*
 * tree.h - what the files of tabiya tree share.
 */
#ifndef TABIYA_CLI_TREE_TREE_H
#define TABIYA_CLI_TREE_TREE_H

#include "console.h"
#include "tabiya_tree.h"

enum {
    TREE_CHESS960,
    TREE_COUNT,
    TREE_DEPTH,
    TREE_EXPLAIN,
    TREE_FROM,
    TREE_GAMES,
    TREE_MEMORY,
    TREE_MIN_GAMES,
    TREE_OUTPUT,
    TREE_PATTERNS,
    TREE_PLIES,
    TREE_QUERY,
    TREE_RESUME,
    TREE_TEMP,
    TREE_THREADS,
    TREE_TO,
    N_TREE_OPTIONS
};

/* Actions of the command; their arguments start at `a->words + 1`. */
int tree_read(const args *a);
int tree_show(const args *a);
int tree_export(const args *a);

bool tree_is_folder(const char *path);
/* The position of --from, or the start position; failure ends the program. */
tby_position tree_root(const args *a);
/* Threads, and a progress bar called `name`; Ctrl-C ends the work. */
tby_tree_work tree_work(const args *a, const char *name);
/* Ends the program with the library's reason. */
_Noreturn void tree_failed(const char *error);
/* Reads the tree in a folder and prints every fault; NULL if there are any. */
tby_tree *tree_of_folder(const args *a, const char *path, uint64_t *n_faults);

/* ---- The tree of the games of a file or a database: tree_games.c ------------------------------------------------- */

typedef struct tree_games_counts {
    uint64_t n_games, n_rejected; /* read, and of these bad */
    uint64_t n_elsewhere;         /* games that never reach the root */
    uint64_t n_variation_plies;   /* left out, because a tree counts main lines */
    bool is_picked;               /* there is a query: all these numbers are those of the games that match it */
} tree_games_counts;

/* By the query and the options --from, --plies and --min-games. Bad games are reported, and make the exit code EXIT_NO;
   failure ends the program. */
tby_tree *tree_of_games(const args *a, const char *path, tree_games_counts *counts);
/* Prints how the games would be found. */
void tree_games_explain(const args *a, const char *path);

#endif
