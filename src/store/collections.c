/*
 * collections.c - named sets of games: lists them in order, and looks up those in a query. A collection exists as long
 * as it has a game.
 */
#include "base/contract.h"
#include "query/members.h"
#include "query/run.h"
#include "store/access.h"
#include "store/name_list.h"

/* ---- The list ------------------------------------------------------------------------------------------- */

static void list_take(void *context, tby_text name, int64_t games) { name_list_add(context, name, games); }

static bool list_make(name_list *l, tby_db *db, tby_game_id game)
{
    *l = (name_list){.n = 0};
    return db->kind->collections(db, game, list_take, l) && (name_list_merge(l) || db_fail_memory(db));
}

bool db_list_collections(tby_db *db, tby_game_id game, collection_take take, void *context)
{
    TBY_CONTRACT(take && game >= 0);
    name_list l;
    const bool is_good = list_make(&l, db, game);
    for (size_t i = 0; is_good && i < l.n; i++)
        take(context, name_list_text(&l.items[i]), l.items[i].games);
    name_list_free(&l);
    return is_good;
}

/* ---- Collections in a query ----------------------------------------------------------------------------- */

/* The games of one fact, while they are looked up. */
typedef struct looking {
    collection_games *games;
    bool has_failed;
} looking;

static void take_member(void *context, tby_game_id id)
{
    looking *l = context;
    l->has_failed = l->has_failed || !members_add(l->games, id);
}

static bool find_members(tby_db *db, query_members *members, const tby_query *query, const query_node *node,
                         const name_list *all)
{
    looking l = {.games = members_of(members, query, node)};
    bool is_good = true;
    l.games->n = 0;
    for (size_t i = 0; is_good && i < all->n; i++) {
        const tby_text name = name_list_text(&all->items[i]);
        if (node_is_uncollected(node) || run_text_fits(query, node, name.s, name.n))
            is_good = db->kind->members(db, name, take_member, &l);
    }
    members_sort(l.games);
    return is_good && (!l.has_failed || db_fail_memory(db));
}

bool db_find_members(query_members **out, tby_db *db, const tby_query *query)
{
    name_list all;
    if (!members_new(out, query))
        return db_fail_memory(db);
    if (!*out)
        return true;
    bool is_good = list_make(&all, db, 0);
    for (uint32_t id = 0; is_good && id <= query->program.root; id++) {
        const query_node *node = tree_node(&query->program, id);
        if (node_is_collection(node))
            is_good = find_members(db, *out, query, node, &all);
    }
    name_list_free(&all);
    return is_good;
}
