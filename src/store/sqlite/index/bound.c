/*
 * bound.c - evaluates queries to sets of games, one block at a time.
 */
#include "store/sqlite/index/bound.h"
#include "base/contract.h"

#include <string.h>

static void block_constant(void *context, void *value, bool is_true)
{
    (void)context;
    memset(value, is_true ? 0xff : 0, sizeof(block_games));
}

static bool block_join(void *context, void *value, const void *other, bool is_or)
{
    block_games *out = value;
    const block_games *one = other;
    (void)context;
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out->words[w] = is_or ? out->words[w] | one->words[w] : out->words[w] & one->words[w];
    return true;
}

static void block_negate(void *context, void *value)
{
    block_games *out = value;
    (void)context;
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out->words[w] = ~out->words[w];
}

cover block_bound(block_leaf *leaf, void *context, block_games *values, const tby_query *query, bound_side side)
{
    const bound_domain domain = {.leaf = leaf,
                                 .constant = block_constant,
                                 .join = block_join,
                                 .negate = block_negate,
                                 .size = sizeof(block_games)};
    return bound_query(&domain, context, values, query, query->program.root, side);
}

bool bound_put_rest(lite *db, game_set *set, tby_game_id first)
{
    TBY_CONTRACT(set->pages && first >= 0);
    for (tby_game_id id = first; next_stored_game(db, &id);) {
        if (id == 0 || id > set->last)
            return true;
        for (const tby_game_id end = block_end(id) < set->last ? block_end(id) : set->last; id <= end; id++)
            game_set_put(set, id);
    }
    return false;
}
