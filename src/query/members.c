/*
 * members.c - the games of the collections that a query names.
 */
#include "query/members.h"
#include "base/contract.h"
#include "query/facts.h"
#include "support/array.h"

#include <stdlib.h>

/* One for each fact, found by the way and text of its name: equal facts have the same games. */
typedef struct member_entry {
    query_span text; /* in the bytes of the query */
    uint8_t way;
    collection_games games;
} member_entry;

struct query_members {
    const tby_query *query;
    size_t n;
    member_entry list[];
};

bool node_is_collection(const query_node *node) { return fact_of_node(node)->needs & TBY_QUERY_NEEDS_COLLECTIONS; }

bool members_new(query_members **out, const tby_query *q)
{
    size_t n = 0;
    *out = NULL;
    for (uint32_t id = 0; q && id <= q->program.root; id++)
        n += node_is_collection(tree_node(&q->program, id));
    if (n == 0)
        return true;
    query_members *m = calloc(1, sizeof *m + n * sizeof *m->list);
    if (!m)
        return false;
    m->query = q;
    for (uint32_t id = 0; id <= q->program.root; id++) {
        const query_node *node = tree_node(&q->program, id);
        if (node_is_collection(node))
            m->list[m->n++] = (member_entry){.text = node->u.t.text, .way = node->way};
    }
    *out = m;
    return true;
}

void members_free(query_members *m)
{
    for (size_t i = 0; m && i < m->n; i++)
        free(m->list[i].games.ids);
    free(m);
}

/* NULL if nobody looked them up. */
static const collection_games *find(const query_members *m, const tby_query *query, const query_node *node)
{
    const tby_text text = {query_bytes(query, node->u.t.text), node->u.t.text.n};
    for (size_t i = 0; m && i < m->n; i++)
        if (m->list[i].way == node->way && m->list[i].text.n == text.n &&
            memcmp(query_bytes(m->query, m->list[i].text), text.s, text.n) == 0)
            return &m->list[i].games;
    return NULL;
}

collection_games *members_of(query_members *m, const tby_query *query, const query_node *node)
{
    TBY_CONTRACT(node_is_collection(node));
    return (collection_games *)find(m, query, node);
}

bool members_add(collection_games *to, tby_game_id id)
{
    return array_add(&to->ids, &to->n, &to->cap, &id, sizeof id, NULL);
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

bool members_any(const query_members *m, const tby_query *query, const query_node *node)
{
    TBY_CONTRACT(node_is_collection(node));
    const collection_games *games = find(m, query, node);
    return games && games->n;
}

bool members_have(const query_members *m, const tby_query *query, const query_node *node, tby_game_id id)
{
    TBY_CONTRACT(node_is_collection(node));
    const collection_games *games = find(m, query, node);
    return games && games->n && bsearch(&id, games->ids, games->n, sizeof id, compare_ids);
}
