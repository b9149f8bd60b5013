/*
 * tree.c - the lists that make up queries.
 */
#include "query/ast.h"
#include "support/array.h"

void *query_room(const tby_allocator *allocator, query_list *list, size_t more, size_t size)
{
    if ((more > list->cap - list->n || !list->items) &&
        (more > UINT32_MAX / size - list->n ||
         !array_reserve(&list->items, &list->cap, list->n + (more ? more : 1), size, allocator)))
        return NULL;
    return (char *)list->items + list->n * size;
}

void query_list_free(const tby_allocator *allocator, query_list *list, size_t size)
{
    if (list->items)
        allocator->resize(allocator->context, list->items, list->cap * size, 0);
    *list = (query_list){NULL, 0, 0};
}

uint32_t query_tree_add(const tby_allocator *allocator, query_tree *tree, const query_node *node, const uint32_t *kids,
                        size_t n_kids)
{
    query_node *to = query_room(allocator, &tree->nodes, 1, sizeof *to);
    uint32_t *list = n_kids ? query_room(allocator, &tree->kids, n_kids, sizeof *list) : NULL;
    if (!to || (n_kids && !list))
        return QUERY_NO_NODE;
    *to = *node;
    to->first_kid = n_kids ? (uint32_t)tree->kids.n : 0;
    to->n_kids = (uint32_t)n_kids;
    if (n_kids)
        memcpy(list, kids, n_kids * sizeof *kids);
    tree->kids.n += n_kids;
    return (uint32_t)tree->nodes.n++;
}

void query_tree_free(const tby_allocator *allocator, query_tree *tree)
{
    query_list_free(allocator, &tree->nodes, sizeof(query_node));
    query_list_free(allocator, &tree->kids, sizeof(uint32_t));
}
