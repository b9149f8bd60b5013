/*
 * tree_forms.h - export formats of a tree besides text and PGN.
 */
#ifndef TABIYA_CLI_TREE_FORMS_H
#define TABIYA_CLI_TREE_FORMS_H

#include "tree.h"

/* A graph for Graphviz: one node per position, one edge per move. */
void tree_write_dot(const tby_tree *tree);
/* An array of nodes, a line for each. */
void tree_write_json(const tby_tree *tree);
/* A Polyglot opening book: docs/tree.md says what the weights are. */
void tree_write_polyglot(const tby_tree *tree);
/* The positions that several nodes lead to, with a line of moves through each. */
void tree_write_transpositions(const tby_tree *tree);

/* The number of games that reached the node; 0 if it is not a tree of games. */
static inline uint64_t tree_n_games(const tby_tree_node *node)
{
    return node->has_games ? node->results[0] + node->results[1] + node->results[2] + node->results[3] : 0;
}

#endif
