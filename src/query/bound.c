/*
 * bound.c - for which games a query may match, and for which it must.
 *
 *     AND    may: the games that all parts allow; an unknown part is left out
 *            must: the games that all parts have; unknown if one part is
 *     OR     the other way round
 *     NOT    the complement of the other side's games
 */
#include "query/bound.h"
#include "base/contract.h"
#include "query/facts.h"

/* Nodes are shared, so a walk may be much longer than the program. After this many visits, nodes count as unknown. */
enum { VISITS_MAX = 1 << 12 };

typedef struct bounder {
    const bound_domain *domain;
    void *context;
    const query_tree *program;
    bound_side side;
    unsigned n_visits;
} bounder;

static cover bound_node(bounder *b, uint32_t id, char *value);

static cover least_cover(cover a, cover b) { return a < b ? a : b; }

static void bound_drop(const bounder *b, const char *value)
{
    if (b->domain->drop)
        b->domain->drop(b->context, value);
}

/* Joins the value after this one to it. */
static cover bound_join(const bounder *b, char *value, bool is_or, cover known)
{
    char *other = value + b->domain->size;
    if (b->domain->join(b->context, value, other, is_or))
        return known;
    bound_drop(b, other);
    return COVER_NONE;
}

static cover bound_list(bounder *b, const query_node *node, char *value)
{
    const bool is_or = node->type == Q_OR, leaves_out = is_or == (b->side == BOUND_MUST);
    cover all = COVER_EXACT;
    char *to = value; /* after the first child, the place after `value` */
    for (uint32_t i = 0; i < node->n_kids; i++) {
        cover one = bound_node(b, tree_kid(b->program, node, i), to);
        if (one != COVER_NONE && to != value)
            one = bound_join(b, value, is_or, one);
        if (one == COVER_NONE) {
            all = COVER_MORE;
            if (leaves_out)
                continue;
            if (to != value)
                bound_drop(b, value);
            return COVER_NONE;
        }
        to = value + b->domain->size;
        all = least_cover(all, one);
        if (b->domain->is_settled && b->domain->is_settled(value, is_or))
            break;
    }
    return to == value ? COVER_NONE : all;
}

static bound_side other_side(bound_side side) { return side == BOUND_MAY ? BOUND_MUST : BOUND_MAY; }

static cover bound_not(bounder *b, uint32_t kid, char *value)
{
    b->side = other_side(b->side);
    const cover c = bound_node(b, kid, value);
    b->side = other_side(b->side);
    if (c != COVER_NONE)
        b->domain->negate(b->context, value);
    return c;
}

/* The child must hold at the same ply or at other plies; a value about one position does not cover those. */
static cover bound_plies(bounder *b, const query_node *node, char *value)
{
    const bool is_elsewhere = node->type == Q_SOON || node->type == Q_EVER;
    const bool may_be_too_late = node->type == Q_SOON || node->type == Q_FOR; /* after the end of the game */
    if ((is_elsewhere && b->domain->is_of_one_ply) || (may_be_too_late && b->side == BOUND_MUST))
        return COVER_NONE;
    return least_cover(bound_node(b, tree_kid(b->program, node, 0), value), COVER_MORE);
}

/* Computes what is known of a node. Its value, if any, goes to `value`; the room after it is for temporary values. */
static cover bound_node(bounder *b, uint32_t id, char *value)
{
    const query_node *node = tree_node(b->program, id);
    if (++b->n_visits > VISITS_MAX)
        return COVER_NONE;
    switch ((query_type)node->type) {
    case Q_TRUE:
    case Q_FALSE: b->domain->constant(b->context, value, node->type == Q_TRUE); return COVER_EXACT;
    case Q_AND:
    case Q_OR: return bound_list(b, node, value);
    case Q_NOT: return bound_not(b, tree_kid(b->program, node, 0), value);
    case Q_SHIFT: return bound_node(b, tree_kid(b->program, node, 0), value);
    case Q_SOON:
    case Q_EVER:
    case Q_FOR:
    case Q_ALWAYS: return bound_plies(b, node, value);
    default: return b->domain->leaf(b->context, value, node, id, b->side);
    }
}

cover bound_query(const bound_domain *domain, void *context, void *values, const tby_query *query, uint32_t id,
                  bound_side side)
{
    TBY_CONTRACT(id < query->program.nodes.n);
    bounder b = {domain, context, &query->program, side, 0};
    return bound_node(&b, id, values);
}

/* ---- Facts that must hold ------------------------------------------------------------------------------- */

tby_setup query_node_setup(const query_node *node)
{
    return (tby_setup){.board = node->u.board.board,
                       .castling = node->u.board.castling,
                       .fullmove = 1,
                       .side = node->u.board.side,
                       .en_passant = node->u.board.en_passant};
}

/* For these types, every child must hold at some ply if the node holds at any. */
static bool needs_kids(unsigned type)
{
    return type == Q_AND || type == Q_EVER || type == Q_ALWAYS || type == Q_SOON || type == Q_FOR;
}

/* Counts `*index` down and returns the node at which it reaches its end; NULL if there is none. */
static const query_node *find_needed(const tby_query *q, uint32_t id, bool (*is_wanted)(const query_node *),
                                     size_t *index)
{
    const query_node *node = tree_node(&q->program, id), *found = NULL;
    if (is_wanted(node))
        return (*index)-- == 0 ? node : NULL;
    for (uint32_t i = 0; needs_kids(node->type) && i < node->n_kids && !found; i++)
        found = find_needed(q, tree_kid(&q->program, node, i), is_wanted, index);
    return found;
}

const query_node *bound_needed(const tby_query *query, bool (*is_wanted)(const query_node *), size_t index)
{
    TBY_CONTRACT(is_wanted != NULL);
    return find_needed(query, query->program.root, is_wanted, &index);
}

/* Does the node hold only where a fact about the move holds? A sequence holds where its first step does. */
static bool needs_move(const query_tree *t, uint32_t id)
{
    const query_node *node = tree_node(t, id);
    const fact_scope scope = (fact_scope)fact_of_node(node)->scope;
    uint32_t n = 0;
    if (node->type != Q_AND && node->type != Q_OR)
        return scope == SCOPE_MOVE || (node->n_kids && node->type != Q_NOT && scope != SCOPE_GAME &&
                                       node->type != Q_COUNT && needs_move(t, tree_kid(t, node, 0)));
    for (uint32_t i = 0; i < node->n_kids; i++)
        n += needs_move(t, tree_kid(t, node, i));
    return node->type == Q_AND ? n > 0 : n > 0 && n == node->n_kids;
}

bool tby_query_is_of_game(const tby_query *query) { return query->is_of_game; }

bool tby_query_is_about_move(const tby_query *query) { return needs_move(&query->tree, query->tree.root); }

static bool is_in_index(const query_node *node)
{
    return node->type == Q_FEN || node->type == Q_BOARD || node->type == Q_OPENING;
}

bool tby_query_must_at(const tby_query *query, size_t index, tby_query_must *out)
{
    const query_node *node = bound_needed(query, is_in_index, index);
    if (!node)
        return false;
    *out = (tby_query_must){.type = node->type == Q_OPENING ? TBY_QUERY_MUST_OPEN
                                    : node->type == Q_BOARD ? TBY_QUERY_MUST_BOARD
                                                            : TBY_QUERY_MUST_POSITION};
    if (node->type == Q_OPENING) {
        out->opening = (const uint8_t *)query_bytes(query, node->u.t.text);
        out->n_opening = node->u.t.text.n;
    } else {
        out->setup = query_node_setup(node);
    }
    return true;
}
