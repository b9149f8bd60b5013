/*
 * members.c - the games of the collections that a query names.
 */
#include "query/members.h"
#include "query/facts.h"
#include "support/array.h"

#include <stdlib.h>

/* One for each fact, found by the way and text of its name: equal facts have the same games. */
typedef struct member_entry {
    const tby_query *query; /* whose bytes the text is in */
    query_span text;
    uint8_t way;
    collection_games games;
} member_entry;

struct query_members {
    size_t n;
    member_entry list[];
};

bool node_is_collection(const query_node *node) { return fact_of_node(node)->needs & TBY_QUERY_NEEDS_COLLECTIONS; }

bool members_init(tby_query *q)
{
    size_t n = 0;
    for (uint32_t id = 0; id <= q->program.root; id++)
        n += node_is_collection(tree_node(&q->program, id));
    if (n == 0)
        return true;
    struct query_members *m = alloc_new(q->allocator, sizeof *m + n * sizeof *m->list);
    if (!m)
        return false;
    for (uint32_t id = 0; id <= q->program.root; id++) {
        const query_node *node = tree_node(&q->program, id);
        if (node_is_collection(node))
            m->list[m->n++] = (member_entry){.query = q, .text = node->u.t.text, .way = node->way};
    }
    q->members = m;
    return true;
}

void members_free(tby_query *q)
{
    struct query_members *m = q->members;
    if (!m || m->list[0].query != q)
        return;
    for (size_t i = 0; i < m->n; i++)
        alloc_free(q->allocator, m->list[i].games.ids, m->list[i].games.cap * sizeof(tby_game_id));
    alloc_free(q->allocator, m, sizeof *m + m->n * sizeof *m->list);
    q->members = NULL;
}

void members_share(tby_query *part, const tby_query *whole)
{
    if (!part || !part->members)
        return;
    members_free(part);
    part->members = whole->members;
}

collection_games *members_of(const tby_query *query, const query_node *node)
{
    const tby_text text = {query_bytes(query, node->u.t.text), node->u.t.text.n};
    struct query_members *m = query->members;
    size_t i = 0;
    for (; i < m->n - 1; i++)
        if (m->list[i].way == node->way && m->list[i].text.n == text.n &&
            memcmp(query_bytes(m->list[i].query, m->list[i].text), text.s, text.n) == 0)
            break;
    return &m->list[i].games; /* the last one if no other matches */
}

bool members_add(const tby_query *query, collection_games *to, tby_game_id id)
{
    return array_add(&to->ids, &to->n, &to->cap, &id, sizeof id, &query->allocator);
}

static int compare_ids(const void *a, const void *b)
{
    const tby_game_id x = *(const tby_game_id *)a, y = *(const tby_game_id *)b;
    return (x > y) - (x < y);
}

void members_sort(collection_games *games)
{
    size_t n = 0;
    if (games->n)
        qsort(games->ids, games->n, sizeof *games->ids, compare_ids);
    for (size_t i = 0; i < games->n; i++)
        if (n == 0 || games->ids[n - 1] != games->ids[i])
            games->ids[n++] = games->ids[i];
    games->n = n;
}

bool members_have(const collection_games *games, tby_game_id id)
{
    return games->n && bsearch(&id, games->ids, games->n, sizeof id, compare_ids);
}
