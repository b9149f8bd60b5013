/*
 * last_ply.c - how far into a game a query looks, so that games need not be decoded any further.
 *
 * Only bounds that are joined to other facts by AND count: `Pd4 ply ..20`, `initial`, `moveno ..8`, and facts that
 * follow them at a known distance.
 *
 * Keeps    later plies never change the result at any ply.
 */
#include "base/contract.h"
#include "query/facts.h"

/* Nodes are shared, so a walk may be much longer than the program. */
enum { VISITS_MAX = 1 << 10 };
#define FAR QUERY_NO_LAST_PLY

typedef struct looker {
    const query_tree *program;
    unsigned n_visits;
} looker;

static int64_t sum(int64_t a, int64_t b) { return a >= FAR || b >= FAR || a + b >= FAR ? FAR : a + b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The last ply at which a fact can hold. */
static int64_t bound_of(const query_node *node)
{
    const unsigned unit = fact_of_node(node)->ply_unit;
    const int64_t high = node->u.range.high;
    return unit == 0 || high >= FAR ? FAR : sum(high, unit == 2 ? high : 0);
}

/* How many plies after its own a fact looks. Mate is recognized by the fact that no move follows. */
static int64_t reach_of(const query_node *node)
{
    const query_fact *fact = fact_of_node(node);
    return fact->looks_to_end || fact->scope == SCOPE_NOTE ? FAR : fact->scope == SCOPE_MOVE ? 2 : 0;
}

/* The last ply that is looked at if the node is checked up to the ply `asked`. */
static int64_t look(looker *l, uint32_t id, int64_t asked)
{
    const query_node *node = tree_node(l->program, id);
    int64_t last = 0;
    if (++l->n_visits > VISITS_MAX)
        return FAR;
    if (node->n_kids == 0 || node->type == Q_COUNT)
        return sum(smaller(asked, bound_of(node)), reach_of(node));
    for (uint32_t i = 0; node->type == Q_AND && i < node->n_kids; i++)
        asked = smaller(asked, bound_of(tree_node(l->program, tree_kid(l->program, node, i))));
    switch (node->type) {
    case Q_FOR: asked = sum(asked, node->number); break;
    case Q_SOON: asked = sum(asked, node->u.range.high); break;
    case Q_EVER: asked = FAR; break;
    case Q_ALWAYS: return FAR;
    default: break;
    }
    for (uint32_t i = 0; i < node->n_kids && last < FAR; i++) {
        const int64_t one = look(l, tree_kid(l->program, node, i), asked);
        last = one > last ? one : last;
    }
    return last;
}

uint32_t query_last_ply(const query_tree *program, uint32_t asked)
{
    TBY_CONTRACT(program->root < program->nodes.n);
    looker l = {program, 0};
    const int64_t last = look(&l, program->root, asked);
    return l.n_visits > VISITS_MAX || last < 0 ? FAR : (uint32_t)last;
}
