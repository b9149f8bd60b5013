/*
 * copy.c - copies of a query that differ from it in the numbers of games.
 */
#include "query/copy.h"
#include "query/facts.h"
#include "support/array.h"

/* `collection` needs the number too, but names none. */
static bool is_of_id(const query_node *node)
{
    const query_fact *f = fact_of_node(node);
    return f->value == VALUE_RANGE && (f->needs & TBY_QUERY_NEEDS_ID);
}

bool query_has_ids(const tby_query *query)
{
    for (uint32_t id = 0; id <= query->program.root; id++)
        if (is_of_id(tree_node(&query->program, id)))
            return true;
    return false;
}

static bool copy_list(const tby_allocator *a, array_list *to, const array_list *from, size_t size)
{
    *to = (array_list){NULL, 0, 0};
    if (from->n == 0)
        return true;
    to->items = a->resize(a->context, NULL, 0, from->n * size);
    if (!to->items)
        return false;
    memcpy(to->items, from->items, from->n * size);
    to->n = to->cap = from->n;
    return true;
}

static void shift_ids(query_tree *tree, int64_t less)
{
    query_node *nodes = tree->nodes.items;
    for (size_t i = 0; i < tree->nodes.n; i++)
        if (is_of_id(&nodes[i])) {
            nodes[i].u.range.low = nodes[i].u.range.low > less ? nodes[i].u.range.low - less : 0;
            nodes[i].u.range.high = nodes[i].u.range.high > less ? nodes[i].u.range.high - less : -1;
        }
}

static bool copy_tree(const tby_allocator *a, query_tree *to, const query_tree *from, int64_t less)
{
    to->root = from->root;
    if (!copy_list(a, &to->nodes, &from->nodes, sizeof(query_node)) ||
        !copy_list(a, &to->kids, &from->kids, sizeof(uint32_t)))
        return false;
    shift_ids(to, less);
    return true;
}

tby_query *query_copy_ids_less(const tby_query *query, int64_t less)
{
    const tby_allocator a = query->allocator;
    tby_query *q = alloc_new(a, sizeof *q);
    if (!q)
        return NULL;
    *q = *query;
    q->tree = q->program = (query_tree){.root = 0};
    q->bytes = (array_list){NULL, 0, 0};
    if (copy_tree(&a, &q->tree, &query->tree, less) && copy_tree(&a, &q->program, &query->program, less) &&
        copy_list(&a, &q->bytes, &query->bytes, 1))
        return q;
    tby_query_free(q);
    return NULL;
}
