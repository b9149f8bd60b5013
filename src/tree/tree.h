/*
 * tree.h - a tree in memory, and what its parts share.
 *
 *     nodes, by number  [0][1][2] ... [n-1]      breadth first: depths never decrease, parents come before their
 *                       children
 *     moves             [ of 0 ][ of 1 ] ...     a node's begin at first_move and end where the next node's begin
 *     from              [ to 0 ][ to 1 ] ...     the reverse links, made when all moves are known
 */
#ifndef TBY_TREE_TREE_H
#define TBY_TREE_TREE_H

#include "support/failure.h"
#include "tabiya_tree.h"

#include <stdlib.h>

typedef struct tree_node {
    tby_position pos; /* as returned by tree_position */
    size_t first_move;
    tby_tree_id parent;
    uint32_t depth;
    uint32_t marks;
} tree_node;

struct tby_tree {
    tree_node *nodes;
    size_t n_nodes, nodes_cap;
    tby_tree_move *moves;
    size_t n_moves, moves_cap;
    size_t *first_from; /* n_nodes + 1 of them */
    tby_tree_id *from;
    tby_position root;           /* as given, even with an en passant square without a capture */
    uint64_t (*results)[4];      /* of each node; NULL if there are no games */
    uint32_t (*move_results)[4]; /* of each move; NULL if they are not known */
    size_t move_results_cap;
    char *comments;        /* of all nodes, one after the other */
    size_t *first_comment; /* n_nodes + 1 of them; NULL if there are none */
};

/* The identity of a node: an en passant square only if a capture is legal, and no move number. */
static inline tby_position tree_position(const tby_position *pos)
{
    tby_position out = *pos;
    out.ply &= 1;
    out.en_passant = tby_position_en_passant_legal(pos);
    return out;
}

static inline tby_position tree_position_after(const tby_position *pos, tby_move m)
{
    tby_position next = *pos;
    tby_position_play(&next, m, NULL);
    return tree_position(&next);
}

/* The legal moves in the order of the tree. */
static inline size_t tree_moves_of(tby_move out[TBY_MOVES_MAX], const tby_position *pos)
{
    const size_t n = tby_moves_list(out, pos);
    tby_moves_sort(out, n);
    return n;
}

static inline size_t tree_n_moves_of(const tby_tree *tree, size_t id)
{
    const size_t end = id + 1 < tree->n_nodes ? tree->nodes[id + 1].first_move : tree->n_moves;
    return end - tree->nodes[id].first_move;
}

tby_tree *tree_new(tby_failure *f);
/* Is there a number left for another node? */
bool tree_has_number(size_t n_nodes, tby_failure *f);
bool tree_add_node(tby_tree *tree, const tby_position *pos, tby_tree_id parent, unsigned marks, tby_failure *f);
bool tree_add_move(tby_tree *tree, tby_move m, tby_tree_id to, tby_failure *f);
/* Builds `from` when all moves are known. */
bool tree_close(tby_tree *tree, tby_failure *f);
/* Nodes have no move number. That of the root is stored as its comment, "move 12", unless it is 1. */
#define TREE_NUMBER_COMMENT "move "
bool tree_keep_number(tby_tree *tree, uint32_t fullmove, tby_failure *f);
uint32_t tree_number(const tby_tree *tree);

/* ---- The text of a node ---------------------------------------------------------------------------------- */

/* The second line: five fields of FEN. */
size_t node_fen_write(char out[TBY_FEN_SIZE], const tby_position *pos);
/* The line of a node's text, from 1, where these begin. */
enum { NODE_FEN_LINE = 2, NODE_FROM_LINE = 4 };
/* A number of a node: digits without leading zeros. */
bool node_number_read(tby_tree_id *out, const char *s, size_t n);
/* Like tby_tree_text_read; NULL on failure. */
const tby_tree_node *node_text_read(tby_tree_text *text, const char *s, size_t n, size_t *line, tby_failure *f);

/* "games 95: 1-0 37, 1/2-1/2 6, 0-1 52, * 0", for the comment. */
enum { TREE_GAMES_SIZE = 160 };
size_t tree_games_write(char out[TREE_GAMES_SIZE], const uint64_t results[4]);

/* ---- Folders --------------------------------------------------------------------------------------------- */

/* Writes the folders from the root to a node, "0/1/21"; 0 if they do not fit. */
enum { TREE_PATH_SIZE = 4096 };
size_t tree_path(char out[TREE_PATH_SIZE], const tby_tree *tree, size_t id);

#define TREE_INFO "info.txt"
#define TREE_UNFINISHED "unfinished"

#endif
