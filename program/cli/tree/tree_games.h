/*
 * tree_games.h - the tree of the games of a file or a database.
 */
#ifndef TABIYA_CLI_TREE_GAMES_H
#define TABIYA_CLI_TREE_GAMES_H

#include "tree.h"

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
