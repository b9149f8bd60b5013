/*
 * game.h - what the files about games share: walking their trees.
 */
#ifndef TABIYA_WASM_GAME_H
#define TABIYA_WASM_GAME_H

#include "answer.h"

/* The nodes from the first move through `node` and on along first children. */
typedef struct line {
    tby_node *nodes;
    size_t n_nodes; /* all of it */
    size_t n_path;  /* up to `node` */
} line;
line line_through(const tby_game *game, tby_node node);
void line_free(line *l);

/* The next node in the order of PGN's tree, parents first; TBY_NO_NODE after the last. */
tby_node game_walk(const tby_game *game, tby_node node);
/* The node if it is one of the tree, else its root: numbers come from outside. */
tby_node game_node(const tby_game *game, tby_node node);

#endif
