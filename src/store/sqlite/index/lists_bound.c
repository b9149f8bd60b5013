/*
 * lists_bound.c - rules out games with lists: one material balance or pawn structure of the game must allow all
 * conditions on a position at the same time.
 */
#include "base/contract.h"
#include "store/sqlite/index/index.h"

#include <stdlib.h>

/* ---- Bounds --------------------------------------------------------------------------------------------- */

query_bounds open_bounds(void)
{
    query_bounds b = {.promotes = {true, true}};
    for (int side = 0; side < 2; side++) {
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
            b.high[side][kind] = BOUNDS_MOST;
        b.low[side][TBY_KING] = b.high[side][TBY_KING] = 1;
    }
    return b;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* A search in one of the lists. */
typedef struct list_search {
    lite *db;
    const tby_query *query;
    index_place index;
    int64_t covered;
    tby_game_id last_id;
    bool *values;    /* for run_allows */
    game_set *among; /* NULL: only find out whether the index helps */
    bool is_known;
} list_search;

static bool list_key_allows(const list_search *l, uint32_t id, uint32_t key)
{
    const query_bounds b = db_indexes[l->index]->bounds(key);
    return run_allows(&b, l->query, id, l->values);
}

/* The games that have had a key that allows the node, and those that are not in the index. */
static bool list_find_games(const list_search *l, uint32_t id, game_set *out)
{
    const lite_table table = index_table(l->index);
    lite_rows r = lists_rows(l->db, table);
    while (lite_next_up(&r))
        r.failed = list_key_allows(l, id, (uint32_t)r.number) && !lists_take(&r, table, out);
    return lite_end(&r) && bound_put_rest(l->db, out, l->covered + 1);
}

static bool list_keep_games(list_search *l, uint32_t id)
{
    game_set found = {0};
    l->is_known = true;
    if (!l->among)
        return true;
    const bool is_good = lite_set_begin(l->db, &found, l->last_id) && list_find_games(l, id, &found);
    return game_set_keep(l->among, &found, is_good);
}

/* Handles the conditions on one position, and those on later ones. */
static bool list_search_look(list_search *l, uint32_t id)
{
    const query_tree *program = &l->query->program;
    const query_node *node = tree_node(program, id);
    if (node->type == Q_SOON || node->type == Q_EVER)
        return list_search_look(l, tree_kid(program, node, 0));
    /* If the start allows it, all games do. */
    bool is_good = list_key_allows(l, id, db_indexes[l->index]->start) || list_keep_games(l, id);
    for (uint32_t i = 0; node->type == Q_AND && i < node->n_kids && is_good; i++) {
        const uint32_t kid = tree_kid(program, node, i);
        const unsigned type = tree_node(program, kid)->type;
        if (type == Q_SOON || type == Q_EVER)
            is_good = list_search_look(l, kid);
    }
    return is_good;
}

static bool list_search_run(list_search *l, bool *helps)
{
    if (!index_covered(l->db, l->index, &l->covered))
        return false;
    if (l->covered < 0)
        return true;
    if (!(l->values = calloc(bound_n_values(l->query), sizeof *l->values)))
        return lite_fail_memory(l->db);
    const bool is_good = list_search_look(l, l->query->program.root);
    *helps = l->is_known;
    free(l->values);
    return is_good;
}

bool lists_narrow(lite *db, index_place index, const tby_query *query, tby_game_id last_id, game_set *among,
                  bool *helps)
{
    TBY_CONTRACT(last_id >= 0);
    list_search l = {.db = db, .query = query, .index = index, .last_id = last_id, .among = among};
    return list_search_run(&l, helps);
}
