/*
 * must.c - what must be there for a query to hold: in a game at all, for those who have an index of that; and at the
 * ply where it holds.
 */
#include "query/ast.h"

tby_setup tby_query_node_setup(const query_node *node)
{
    return (tby_setup){.board = node->u.board.board,
                       .castling = node->u.board.castling,
                       .fullmove = 1,
                       .side = node->u.board.side,
                       .en_passant = node->u.board.en_passant};
}

/* Of what holds at one ply, at some or at all, each part must hold at some. */
static bool needs_kids(query_type type)
{
    return type == Q_AND || type == Q_EVER || type == Q_ALWAYS || type == Q_SOON || type == Q_FOR;
}

/* Counts `*index` down; the node with which it comes to its end, NULL if there is none. */
static const query_node *find(const tby_query *q, uint32_t id, size_t *index)
{
    const query_node *node = tree_node(&q->program, id), *found = NULL;
    if (node->type == Q_FEN || node->type == Q_BOARD || node->type == Q_OPENING)
        return (*index)-- == 0 ? node : NULL;
    for (uint32_t i = 0; needs_kids(node->type) && i < node->n_kids && !found; i++)
        found = find(q, tree_kid(&q->program, node, i), index);
    return found;
}

bool tby_query_must_at(const tby_query *query, size_t index, tby_query_must *out)
{
    const query_node *node = find(query, query->program.root, &index);
    if (!node)
        return false;
    *out = (tby_query_must){.type = node->type == Q_OPENING ? TBY_QUERY_MUST_OPEN
                                    : node->type == Q_BOARD ? TBY_QUERY_MUST_BOARD
                                                            : TBY_QUERY_MUST_POSITION};
    if (node->type == Q_OPENING) {
        out->opening = (const uint8_t *)query_bytes(query, node->u.t.text);
        out->n_opening = node->u.t.text.n;
    } else {
        out->setup = tby_query_node_setup(node);
    }
    return true;
}

/* Does the node hold only where a fact about the move played does? A sequence holds where its first step does. */
static bool needs_move(const query_tree *t, uint32_t id)
{
    const query_node *node = tree_node(t, id);
    uint32_t n = 0;
    switch (node->type) {
    case Q_MOVE:
    case Q_CASTLES:
    case Q_EN_PASSANT:
    case Q_PATH: return true;
    case Q_SEQUENCE:
    case Q_CHAIN:
    case Q_FOR:
    case Q_GROUP:
    case Q_EITHER:
    case Q_MIRROR:
    case Q_SHIFT:
    case Q_PATTERN: return node->n_kids && needs_move(t, tree_kid(t, node, 0));
    case Q_AND:
    case Q_OR: break;
    default: return false;
    }
    for (uint32_t i = 0; i < node->n_kids; i++)
        n += needs_move(t, tree_kid(t, node, i));
    return node->type == Q_AND ? n > 0 : n > 0 && n == node->n_kids;
}

bool tby_query_is_about_move(const tby_query *query) { return needs_move(&query->tree, query->tree.root); }
