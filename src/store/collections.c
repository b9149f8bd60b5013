/*
 * collections.c - named sets of games: lists them in order, and looks up those in a query. A collection exists as long
 * as it has a game.
 */
#include "query/members.h"
#include "query/run.h"
#include "store/access.h"
#include "support/array.h"

#include <stdlib.h>

/* ---- The list ------------------------------------------------------------------------------------------- */

typedef struct listed {
    size_t at, n; /* of the name, in the texts */
    int64_t games;
    const buffer *texts;
} listed;

typedef struct list {
    buffer texts;
    listed *items;
    size_t n, cap;
    bool has_failed;
} list;

static tby_text name_of(const listed *c) { return (tby_text){c->texts->s + c->at, c->n}; }

static void list_take(void *context, tby_text name, int64_t games)
{
    list *l = context;
    if (!array_reserve(&l->items, &l->cap, l->n + 1, sizeof *l->items, NULL)) {
        l->has_failed = true;
        return;
    }
    l->items[l->n++] = (listed){l->texts.n, name.n, games, &l->texts};
    buffer_add(&l->texts, name.s, name.n);
}

static int compare_names(const void *a, const void *b)
{
    const tby_text x = name_of(a), y = name_of(b);
    const int order = memcmp(x.s, y.s, x.n < y.n ? x.n : y.n);
    return order ? order : (x.n > y.n) - (x.n < y.n);
}

/* Merges the parts of a collection. */
static bool list_make(list *l, tby_db *db, tby_game_id game)
{
    size_t n = 0;
    *l = (list){.n = 0};
    buffer_string(&l->texts, "");
    if (!db->kind->collections(db, game, list_take, l))
        return false;
    if (l->has_failed || l->texts.has_failed)
        return db_fail_memory(db);
    if (l->n)
        qsort(l->items, l->n, sizeof *l->items, compare_names);
    for (size_t i = 0; i < l->n; i++)
        if (n && compare_names(&l->items[n - 1], &l->items[i]) == 0)
            l->items[n - 1].games += l->items[i].games;
        else
            l->items[n++] = l->items[i];
    l->n = n;
    return true;
}

static void list_free(list *l)
{
    buffer_free(&l->texts);
    free(l->items);
}

bool db_list_collections(tby_db *db, tby_game_id game, collection_take take, void *context)
{
    list l;
    const bool is_good = list_make(&l, db, game);
    for (size_t i = 0; is_good && i < l.n; i++)
        take(context, name_of(&l.items[i]), l.items[i].games);
    list_free(&l);
    return is_good;
}

/* ---- Collections in a query ----------------------------------------------------------------------------- */

/* The games of one fact, while they are looked up. */
typedef struct looking {
    const tby_query *query;
    collection_games *games;
    bool has_failed;
} looking;

static void take_member(void *context, tby_game_id id)
{
    looking *l = context;
    l->has_failed = l->has_failed || !members_add(l->query, l->games, id);
}

static bool find_members(tby_db *db, const tby_query *query, const query_node *node, const list *all)
{
    looking l = {.query = query, .games = members_of(query, node)};
    bool is_good = true;
    l.games->n = 0;
    for (size_t i = 0; is_good && i < all->n; i++) {
        const tby_text name = name_of(&all->items[i]);
        if (node_is_uncollected(node) || run_text_fits(query, node, name.s, name.n))
            is_good = db->kind->members(db, name, take_member, &l);
    }
    members_sort(l.games);
    return is_good && (!l.has_failed || db_fail_memory(db));
}

bool db_find_members(tby_db *db, const tby_query *query)
{
    list all;
    if (!query || !query->members)
        return true;
    bool is_good = list_make(&all, db, 0);
    for (uint32_t id = 0; is_good && id <= query->program.root; id++) {
        const query_node *node = tree_node(&query->program, id);
        if (node_is_collection(node))
            is_good = find_members(db, query, node, &all);
    }
    list_free(&all);
    return is_good;
}
