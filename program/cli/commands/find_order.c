/*
 * find_order.c - the games that a search has found, in another order than that of their numbers, or a sample of them.
 */
#include "find_order.h"
#include "pgn_order.h"

#include <stdlib.h>
#include <string.h>

struct find_order {
    tby_order by;
    held_games *hold;
    uint64_t offset, limit, n_seen;
    buffer key;
    source_visit visit;
    void *context;
    bool is_over;
};

find_order *find_order_new(const char *who, const char *list, uint64_t sample, uint64_t seed)
{
    find_order *o = memory_new(1, sizeof *o);
    if (list)
        held_order_read(&o->by, who, list);
    o->hold = held_new(sample, seed, o->by.ids_fall);
    return o;
}

void find_order_free(find_order *o)
{
    if (!o)
        return;
    held_free(o->hold);
    buffer_free(&o->key);
    free(o);
}

void find_order_limit(find_order *o, uint64_t offset, uint64_t limit)
{
    o->offset = offset;
    o->limit = limit;
    held_limit(o->hold, limit && limit < UINT64_MAX - offset ? offset + limit : 0);
}

tby_db_wanted find_order_wanted(const find_order *o, tby_db_wanted wanted)
{
    const unsigned needs = tby_order_needs(&o->by);
    if (wanted == TBY_WANTED_GAMES || needs & TBY_ORDER_NEEDS_TAGS)
        return TBY_WANTED_GAMES;
    return wanted == TBY_WANTED_ROWS || needs ? TBY_WANTED_ROWS : TBY_WANTED_FACTS;
}

/* What is held of a game. */
typedef struct place {
    source *source;
    tby_db_hit hit;
} place;

/* What the order looks at; of a database, dates and ratings are at hand without the row. */
static bool read_row(const find_order *o, source *s, tby_game_id id, tby_row *out)
{
    tby_db_facts facts;
    if (tby_order_needs(&o->by) || !source_db(s))
        return source_row(s, id, out) == TBY_OK;
    if (tby_db_facts_of(&facts, source_db(s), id) != TBY_OK)
        return false;
    *out = (tby_row){.date = facts.date, .elo = {facts.elo[TBY_WHITE], facts.elo[TBY_BLACK]}};
    return true;
}

bool find_order_add(find_order *o, source *s, const tby_db_hit *hit)
{
    const place at = {s, *hit};
    tby_row row;
    if (o->by.n && !read_row(o, s, hit->id, &row))
        return false;
    o->key.n = 0;
    if (o->by.n)
        held_key(&o->key, &o->by, &row);
    held_add(o->hold, (const char *)&at, sizeof at, NULL, 0, o->key.s, o->key.n);
    return true;
}

static void visit_held(void *context, const char *text, size_t n, const char *names, size_t n_names)
{
    find_order *o = context;
    place at;
    (void)n, (void)names, (void)n_names;
    if (o->is_over || o->n_seen++ < o->offset)
        return;
    memcpy(&at, text, sizeof at);
    o->is_over = !o->visit(o->context, at.source, &at.hit) || (o->limit && o->n_seen - o->offset >= o->limit);
}

void find_order_each(find_order *o, source_visit visit, void *context)
{
    o->visit = visit;
    o->context = context;
    held_each(o->hold, visit_held, o);
}
