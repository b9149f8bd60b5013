/*
 * compile.c - makes the program of a query.
 *
 *     A , B    A, and B right after it      AND(A, SOON(length of A, B))
 *     A ; B    A, and B later               AND(A, SOON(length of A and more, B))
 *     either   X, and X transformed         OR(X, X')
 *
 * Keeps    every node occurs once in the program, so that AND and OR recognize equal children.
 */
#include "base/contract.h"
#include "query/facts.h"
#include "query/fold.h"
#include "row/row.h"

enum { LAST_MAX = 1 << 13 };

typedef struct compiler {
    tby_query *query;
    tby_query_error *err;
    array_list waiting; /* uint32_t */
    size_t n_visits;
    size_t n_last;
    uint32_t last[LAST_MAX]; /* by hash: the last node with this hash, + 1; its `at` is the one before it */
} compiler;

static uint32_t compile(compiler *c, uint32_t id, query_transform t);

static uint32_t compile_fail(compiler *c, tby_status status, const char *text)
{
    if (c->err->status == TBY_OK) {
        *c->err = (tby_query_error){.status = status};
        memcpy(c->err->text, text, strlen(text) + 1);
    }
    return QUERY_NO_NODE;
}

static const query_node *node_at(const compiler *c, uint32_t id) { return tree_node(&c->query->program, id); }

/* ---- The cost of a node --------------------------------------------------------------------------------- */

/* Facts about every node of a program, stored in `reserved`: its cost, and whether it only looks at the game. */
enum { COST_MASK = 0xffff, OF_GAME = 0x10000 };

static uint32_t marks_of(const compiler *c, const query_node *node, const uint32_t *kids, size_t n_kids)
{
    const query_fact *fact = fact_of_node(node);
    unsigned most = n_kids ? 0 : fact->cost;
    bool is_of_game = fact->scope == SCOPE_GAME || fact->scope == SCOPE_NODES;
    for (size_t i = 0; i < n_kids; i++) {
        const query_node *kid = node_at(c, kids[i]);
        const unsigned one = node->type == Q_COUNT ? fact_of_node(kid)->cost : (kid->reserved & COST_MASK) + 1;
        most = one > most ? one : most;
        is_of_game = is_of_game && ((kid->reserved & OF_GAME) || fact->scope == SCOPE_GAME);
    }
    return (most < COST_MASK ? most : COST_MASK) | (is_of_game ? OF_GAME : 0);
}

static bool is_of_game(const compiler *c, uint32_t id) { return node_at(c, id)->reserved & OF_GAME; }
static unsigned cost(const compiler *c, uint32_t id) { return node_at(c, id)->reserved & COST_MASK; }

/* ---- Unique nodes --------------------------------------------------------------------------------------- */

static bool is_same(const compiler *c, uint32_t id, const query_node *node, const uint32_t *kids, size_t n_kids)
{
    const query_tree *p = &c->query->program;
    query_node other = *node_at(c, id);
    if (other.n_kids != n_kids)
        return false;
    for (uint32_t i = 0; i < n_kids; i++)
        if (tree_kid(p, &other, i) != kids[i])
            return false;
    other.n_kids = other.first_kid = other.at = 0;
    return memcmp(&other, node, sizeof other) == 0;
}

/* Returns the node equal to this one; adds it if there is none. */
static uint32_t put(compiler *c, query_node *node, const uint32_t *kids, size_t n_kids)
{
    node->at = node->length = node->n_kids = node->first_kid = 0;
    node->reserved = marks_of(c, node, kids, n_kids);
    const uint64_t h = bytes_hash(bytes_hash(1, node, sizeof *node), kids, n_kids * sizeof *kids);
    uint32_t *last = &c->last[h & (c->n_last - 1)];
    for (uint32_t other = *last; other; other = node_at(c, other - 1)->at)
        if (is_same(c, other - 1, node, kids, n_kids))
            return other - 1;
    node->at = *last;
    const uint32_t id = query_tree_add(&c->query->allocator, &c->query->program, node, kids, n_kids);
    if (id == QUERY_NO_NODE)
        return compile_fail(c, TBY_NO_MEMORY, "out of memory");
    *last = id + 1;
    return id;
}

static uint32_t put_constant(compiler *c, bool is_true)
{
    query_node node = node_of(is_true ? Q_TRUE : Q_FALSE);
    return put(c, &node, NULL, 0);
}

/* ---- AND, OR, NOT --------------------------------------------------------------------------------------- */

static bool wait_for(compiler *c, uint32_t id)
{
    if (id == QUERY_NO_NODE || array_list_add_id(&c->query->allocator, &c->waiting, id))
        return id != QUERY_NO_NODE;
    compile_fail(c, TBY_NO_MEMORY, "out of memory");
    return false;
}

/* Sorts cheap nodes first, and equal ones side by side. */
static bool is_before(const compiler *c, uint32_t a, uint32_t b)
{
    const unsigned cost_a = cost(c, a), cost_b = cost(c, b);
    return cost_a != cost_b ? cost_a < cost_b : a < b;
}

static size_t sort_and_unite(const compiler *c, uint32_t *ids, size_t n)
{
    size_t n_kept = 0;
    for (size_t gap = n / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            const uint32_t id = ids[i];
            size_t j = i;
            for (; j >= gap && is_before(c, id, ids[j - gap]); j -= gap)
                ids[j] = ids[j - gap];
            ids[j] = id;
        }
    for (size_t i = 0; i < n; i++)
        if (n_kept == 0 || ids[n_kept - 1] != ids[i])
            ids[n_kept++] = ids[i];
    return n_kept;
}

/* AND or OR of the waiting nodes from `first` on. */
static uint32_t join(compiler *c, query_type type, size_t first)
{
    const unsigned neutral = type == Q_AND ? Q_TRUE : Q_FALSE, decides = type == Q_AND ? Q_FALSE : Q_TRUE;
    query_node node = node_of(type);
    uint32_t *ids = list_ids(&c->waiting, first);
    size_t n = 0;
    for (size_t i = 0; i < c->waiting.n - first; i++) {
        const unsigned kind = node_at(c, ids[i])->type;
        if (kind == decides) {
            c->waiting.n = first;
            return put_constant(c, type == Q_OR);
        }
        if (kind != neutral)
            ids[n++] = ids[i];
    }
    n = sort_and_unite(c, ids, n);
    c->waiting.n = first;
    return n == 0 ? put_constant(c, type == Q_AND) : n == 1 ? ids[0] : put(c, &node, ids, n);
}

/* The children of a child of the same type are joined directly. */
static bool wait_for_parts(compiler *c, query_type type, uint32_t id)
{
    if (id == QUERY_NO_NODE)
        return false;
    if (node_at(c, id)->type != type)
        return wait_for(c, id);
    for (uint32_t i = 0; i < node_at(c, id)->n_kids; i++)
        if (!wait_for(c, tree_kid(&c->query->program, node_at(c, id), i)))
            return false;
    return true;
}

static uint32_t put_parent(compiler *c, query_type type, int64_t number, uint32_t kid)
{
    query_node node = node_of(type);
    node.number = number;
    return kid == QUERY_NO_NODE ? kid : put(c, &node, &kid, 1);
}

static uint32_t put_not(compiler *c, uint32_t kid)
{
    if (kid == QUERY_NO_NODE)
        return kid;
    const query_node *node = node_at(c, kid);
    if (node->type == Q_TRUE || node->type == Q_FALSE)
        return put_constant(c, node->type == Q_FALSE);
    return node->type == Q_NOT ? tree_kid(&c->query->program, node, 0) : put_parent(c, Q_NOT, 0, kid);
}

/* EVER or ALWAYS of a fact about the game is the fact itself. */
static uint32_t put_over_game(compiler *c, query_type type, uint32_t kid)
{
    return kid == QUERY_NO_NODE || is_of_game(c, kid) ? kid : put_parent(c, type, 0, kid);
}

/* ---- Sequences ------------------------------------------------------------------------------------------ */

/* The length of this part of a sequence in plies. */
static int64_t length_of(const tby_query *q, uint32_t id)
{
    const query_node *node = tree_node(&q->tree, id);
    int64_t length = 0;
    if (node->type == Q_FOR)
        return node->number;
    if (node->type != Q_CHAIN)
        return 1;
    for (uint32_t i = 0; i < node->n_kids; i++)
        length += length_of(q, tree_kid(&q->tree, node, i));
    return length;
}

static uint32_t put_soon(compiler *c, int64_t low, int64_t high, uint32_t kid)
{
    query_node node = node_of(Q_SOON);
    node.u.range.low = low;
    node.u.range.high = high;
    if (kid == QUERY_NO_NODE || (low == 0 && high == 0) || node_at(c, kid)->type == Q_FALSE)
        return kid;
    return put(c, &node, &kid, 1);
}

static uint32_t compile_chain(compiler *c, const query_node *node, query_transform t)
{
    const size_t first = c->waiting.n;
    int64_t offset = 0;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        const uint32_t step = tree_kid(&c->query->tree, node, i);
        if (!wait_for_parts(c, Q_AND, put_soon(c, offset, offset, compile(c, step, t))))
            return QUERY_NO_NODE;
        offset += length_of(c->query, step);
    }
    return join(c, Q_AND, first);
}

static uint32_t compile_sequence(compiler *c, const query_node *node, query_transform t)
{
    const size_t first = c->waiting.n;
    const uint32_t left = tree_kid(&c->query->tree, node, 0), right = tree_kid(&c->query->tree, node, 1);
    const int64_t length = length_of(c->query, left);
    if (!wait_for_parts(c, Q_AND, compile(c, left, t)))
        return QUERY_NO_NODE;
    const uint32_t later = compile(c, right, t);
    if (!wait_for(c, put_soon(c, length, node->number ? length - 1 + node->number : INT64_MAX, later)))
        return QUERY_NO_NODE;
    return join(c, Q_AND, first);
}

/* ---- The rest ------------------------------------------------------------------------------------------- */

/* The OR of the child under each of these transforms. */
static uint32_t compile_ways(compiler *c, const query_node *node, const query_transform *ways, size_t n)
{
    const size_t first = c->waiting.n;
    const uint32_t kid = tree_kid(&c->query->tree, node, 0);
    for (size_t i = 0; i < n; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i && is_new; j++)
            is_new = memcmp(&ways[i], &ways[j], sizeof *ways) != 0;
        if (is_new && !wait_for_parts(c, Q_OR, compile(c, kid, ways[i])))
            return QUERY_NO_NODE;
    }
    return join(c, Q_OR, first);
}

/* Expanded for the planners, together with the pattern itself if the evaluator can shift it. */
static uint32_t compile_shift(compiler *c, const query_node *node, query_transform t)
{
    query_transform ways[15];
    query_node shift = node_of(Q_SHIFT);
    for (int i = 0; i < 15; i++)
        ways[i] = transform_shift(t, i - 7);
    const uint32_t all = compile_ways(c, node, ways, 15);
    if (all == QUERY_NO_NODE || t.shifts || node_at(c, all)->type != Q_OR)
        return all;
    const uint32_t kids[2] = {all, compile(c, tree_kid(&c->query->tree, node, 0), t)};
    if (kids[1] == QUERY_NO_NODE || !run_can_shift(&c->query->program, kids[1]))
        return kids[1] == QUERY_NO_NODE ? kids[1] : all;
    return put(c, &shift, kids, 2);
}

static uint32_t compile_list(compiler *c, const query_node *node, query_transform t)
{
    const query_type type = (query_type)node->type;
    const size_t first = c->waiting.n;
    for (uint32_t i = 0; i < node->n_kids; i++)
        if (!wait_for_parts(c, type, compile(c, tree_kid(&c->query->tree, node, i), t)))
            return QUERY_NO_NODE;
    return join(c, type, first);
}

static uint32_t compile_count(compiler *c, const query_node *node, query_transform t)
{
    const size_t first = c->waiting.n;
    query_node copy = *node;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        query_node term = *tree_node(&c->query->tree, tree_kid(&c->query->tree, node, i));
        transform_apply(&t, &term);
        if (!wait_for(c, put(c, &term, NULL, 0)))
            return QUERY_NO_NODE;
    }
    c->waiting.n = first;
    return put(c, &copy, list_ids(&c->waiting, first), node->n_kids);
}

static uint32_t compile_fact(compiler *c, const query_node *node, query_transform t)
{
    query_node copy = *node;
    transform_apply(&t, &copy);
    return put(c, &copy, NULL, 0);
}

static uint32_t compile(compiler *c, uint32_t id, query_transform t)
{
    const query_node *node = tree_node(&c->query->tree, id);
    const uint32_t kid = node->n_kids ? tree_kid(&c->query->tree, node, 0) : QUERY_NO_NODE;
    if (++c->n_visits > TBY_QUERY_COPIES_MAX)
        return compile_fail(c, TBY_TOO_LONG, "too many facts once names, either, mirror and shift are written out");
    switch ((query_type)node->type) {
    case Q_SEQUENCE: return compile_sequence(c, node, t);
    case Q_CHAIN: return compile_chain(c, node, t);
    case Q_FOR: {
        const uint32_t made = compile(c, kid, t);
        return node->number == 1 ? made : put_parent(c, Q_FOR, node->number, made);
    }
    case Q_GROUP:
    case Q_PATTERN: return compile(c, kid, t);
    case Q_OR:
    case Q_AND: return compile_list(c, node, t);
    case Q_NOT: return put_not(c, compile(c, kid, t));
    case Q_EVER: return put_over_game(c, Q_EVER, compile(c, kid, t));
    case Q_NEVER: return put_not(c, put_over_game(c, Q_EVER, compile(c, kid, t)));
    case Q_ALWAYS: return put_over_game(c, Q_ALWAYS, compile(c, kid, t));
    case Q_EITHER: return compile_ways(c, node, (const query_transform[2]){t, transform_flip(t)}, 2);
    case Q_MIRROR: return compile_ways(c, node, (const query_transform[2]){t, transform_mirror(t)}, 2);
    case Q_SHIFT: return compile_shift(c, node, t);
    case Q_COUNT: return compile_count(c, node, t);
    default: return compile_fact(c, node, t);
    }
}

/* ---- Needs ---------------------------------------------------------------------------------------------- */

/* Is it a person by several names? A single one is a family's. */
static bool is_person(const tby_query *q, const query_node *node)
{
    tby_person person;
    if (node->way != TEXT_PERSON)
        return false;
    tby_person_read(&person, query_bytes(q, node->u.t.text), node->u.t.text.n);
    return !person_is_single(&person);
}

/* Keeps only the nodes that the root needs, marked by a 1 in `at`; parts that turned out to be constant are dropped.
   Children come before their parents. */
static void add_needs(tby_query *q)
{
    query_node *nodes = q->program.nodes.items;
    for (size_t id = 0; id < q->program.nodes.n; id++)
        nodes[id].at = id == q->program.root;
    for (uint32_t id = q->program.root + 1; id-- > 0;) {
        if (!nodes[id].at)
            continue;
        q->needs |= fact_of_node(&nodes[id])->needs | (is_person(q, &nodes[id]) ? TBY_QUERY_NEEDS_PEOPLE : 0U);
        for (uint32_t i = 0; i < nodes[id].n_kids; i++)
            nodes[tree_kid(&q->program, &nodes[id], i)].at = 1;
    }
}

/* The longest path from the root to a fact; uses the `length` of each node, which must be 0. */
static unsigned depth_of(tby_query *q)
{
    query_node *nodes = q->program.nodes.items;
    for (uint32_t id = 0; id <= q->program.root; id++)
        for (uint32_t i = 0; i < nodes[id].n_kids; i++) {
            const query_node *kid = &nodes[tree_kid(&q->program, &nodes[id], i)];
            if (nodes[id].length <= kid->length)
                nodes[id].length = kid->length + 1;
        }
    return nodes[q->program.root].length;
}

/* Most queries are short, so only a part of the table, by the length of the query, is cleared and used. */
static void compiler_begin(compiler *c, tby_query *query, tby_query_error *err)
{
    c->query = query;
    c->err = err;
    c->waiting = (array_list){0};
    c->n_visits = 0;
    c->n_last = 1 << 6;
    while (c->n_last < LAST_MAX && c->n_last < 16 * query->tree.nodes.n)
        c->n_last *= 2;
    memset(c->last, 0, c->n_last * sizeof *c->last);
}

bool query_compile(tby_query *query, tby_query_error *err)
{
    TBY_CONTRACT(query->tree.root < query->tree.nodes.n);
    compiler c;
    compiler_begin(&c, query, err);
    query->program.root = compile(&c, query->tree.root, transform_none());
    array_list_free(&query->allocator, &c.waiting, sizeof(uint32_t));
    if (err->status != TBY_OK)
        return false;
    add_needs(query);
    query->depth = depth_of(query);
    query->is_of_game = is_of_game(&c, query->program.root);
    query->last_ply = query_last_ply(&query->program, QUERY_NO_LAST_PLY);
    for (int i = 0; i < QUERY_STAGES; i++)
        query->stage_reach[i] = query_last_ply(&query->program, query_stage_plies(i) - 1);
    return err->status == TBY_OK;
}
