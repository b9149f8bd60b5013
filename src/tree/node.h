/*
 * node.h - what the writer and the reader of node texts share.
 */
#ifndef TBY_TREE_NODE_H
#define TBY_TREE_NODE_H

#include "support/failure.h"
#include "tabiya_tree.h"

/* The second line: five fields of FEN. */
size_t node_fen_write(char out[TBY_FEN_SIZE], const tby_position *pos);

/* The line of a node's text, from 1, where these begin. */
enum { NODE_FEN_LINE = 2, NODE_FROM_LINE = 4 };

/* Like tby_tree_text_read; NULL on failure. */
const tby_tree_node *node_text_read(tby_tree_text *text, const char *s, size_t n, size_t *line, tby_failure *f);

#endif
