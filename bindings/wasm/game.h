/*
 * game.h - walking the trees of games, shared by several files.
 */
#ifndef TABIYA_WASM_GAME_H
#define TABIYA_WASM_GAME_H

#include "answer.h"

/* The nodes from the first move to `node` and then along first children. */
typedef struct line {
    tby_node *nodes;
    size_t n_nodes; /* the whole line */
    size_t n_path;  /* up to `node` */
} line;
line line_through(const tby_game *game, tby_node node);
void line_free(line *l);

/* The next node in PGN order, parents first; TBY_NO_NODE after the last. */
tby_node game_walk(const tby_game *game, tby_node node);
/* The node if it exists, otherwise the root: numbers come from outside. */
tby_node game_node(const tby_game *game, tby_node node);

#endif
