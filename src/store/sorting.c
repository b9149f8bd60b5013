/*
 * sorting.c - games in an order other than by number, or a random sample of them.
 *
 * If a kind of database can sort by itself, it does (db_plan.is_sorted). Otherwise all games are found and held back,
 * sorted by the keys from tby_order_key.
 *
 * Samples  the n-th game replaces another with a probability of sample / n (Vitter's algorithm R).
 */
#include "base/contract.h"
#include "query/run.h"
#include "store/access.h"
#include "support/array.h"

#include <stdlib.h>

/* ---- Holding games back --------------------------------------------------------------------------------- */

typedef struct held {
    char *bytes; /* the key, then the caller's bytes */
    size_t n_key, n;
    uint64_t number;
} held;

struct tby_sorting {
    held *games;
    size_t n, cap;
    size_t most;  /* how many are wanted; 0 = all */
    bool is_full; /* `most` games are held: games after the last are not wanted */
    uint64_t sample, n_seen, random;
    bool ids_fall;
};

tby_sorting *tby_sorting_new(const tby_order *order, uint64_t most, uint64_t sample, uint64_t seed)
{
    tby_sorting *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->most = sample || most > SIZE_MAX / 2 ? 0 : (size_t)most;
    s->sample = sample;
    s->random = seed;
    s->ids_fall = order && order->ids_fall;
    return s;
}

void tby_sorting_free(tby_sorting *s)
{
    for (size_t i = 0; s && i < s->n; i++)
        free(s->games[i].bytes);
    free(s ? s->games : NULL);
    free(s);
}

/* SplitMix64. */
static uint64_t next_random(tby_sorting *s)
{
    uint64_t x = s->random += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

/* The place of the next game: s->n for a new one, SIZE_MAX for none. */
static size_t place_of_next(tby_sorting *s)
{
    const uint64_t seen = s->n_seen++;
    if (!s->sample || s->n < s->sample)
        return s->n;
    const uint64_t place = next_random(s) % (seen + 1);
    return place < s->sample ? (size_t)place : SIZE_MAX;
}

static int compare(const void *a, const void *b)
{
    const held *x = a, *y = b;
    const size_t n = x->n_key < y->n_key ? x->n_key : y->n_key;
    const int order = n ? memcmp(x->bytes, y->bytes, n) : 0;
    if (order)
        return order;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sort(tby_sorting *s)
{
    if (s->n)
        qsort(s->games, s->n, sizeof *s->games, compare);
}

/* Sorts occasionally, so that few games are held. */
static void drop_last(tby_sorting *s)
{
    enum { AT_LEAST = 1024 };
    if (!s->most || s->n < AT_LEAST || s->n / 2 < s->most)
        return;
    sort(s);
    while (s->n > s->most)
        free(s->games[--s->n].bytes);
    s->is_full = true;
}

tby_status tby_sorting_add(tby_sorting *s, tby_text key, uint64_t number, const void *bytes, size_t n)
{
    TBY_CONTRACT(bytes || n == 0);
    held one = {(char *)key.s, key.n, n, s->ids_fall ? ~number : number};
    if (s->is_full && compare(&one, &s->games[s->most - 1]) > 0)
        return TBY_OK;
    const size_t place = place_of_next(s);
    if (place == SIZE_MAX)
        return TBY_OK;
    one.bytes = malloc(key.n + n + 1);
    if (!one.bytes || !array_reserve(&s->games, &s->cap, place + 1, sizeof *s->games, NULL)) {
        free(one.bytes);
        return TBY_NO_MEMORY;
    }
    if (key.n)
        memcpy(one.bytes, key.s, key.n);
    if (n)
        memcpy(one.bytes + key.n, bytes, n);
    if (place < s->n)
        free(s->games[place].bytes);
    else
        s->n++;
    s->games[place] = one;
    drop_last(s);
    return TBY_OK;
}

void tby_sorting_each(tby_sorting *s, bool (*visit)(void *context, const char *bytes, size_t n), void *context)
{
    TBY_CONTRACT(visit != NULL);
    sort(s);
    for (size_t i = 0; i < s->n; i++)
        if (!visit(context, s->games[i].bytes + s->games[i].n_key, s->games[i].n))
            return;
}

/* ---- The games of a search ------------------------------------------------------------------------------ */

typedef struct sorted_search {
    tby_db *db;
    const tby_db_search *search;
    tby_sorting *games;
    sort_keys keys;
    int64_t n_seen;
    bool has_failed;
    tby_db_visit visit;
    void *context;
} sorted_search;

/* Dates and ratings are in the facts; everything else is in the row. */
static bool read_row(tby_db *db, const tby_order *order, tby_game_id id, tby_row *out)
{
    tby_db_facts facts;
    if (tby_order_needs(order))
        return db->kind->row(db, id, out);
    if (!db->kind->facts(db, id, &facts))
        return false;
    *out = (tby_row){.date = facts.date, .elo = {facts.elo[TBY_WHITE], facts.elo[TBY_BLACK]}};
    return true;
}

bool sort_keys_begin(sort_keys *k, tby_db *db, const tby_order *order, const db_plan *plan)
{
    TBY_CONTRACT(plan != NULL);
    const tby_query *query = plan->search->query;
    const bool is_measured = order && query && tby_order_needs(order) & TBY_ORDER_NEEDS_LENGTH;
    *k = (sort_keys){.db = db, .order = order};
    if (!is_measured)
        return true;
    k->length = tby_query_state_new(query, NULL);
    if (k->length)
        k->length->members = plan->members;
    return k->length || db_fail_memory(db);
}

void sort_keys_end(sort_keys *k)
{
    tby_query_state_free(k->length);
    buffer_free(&k->key);
}

/* A damaged game has no length. */
static bool read_length(const sort_keys *k, tby_game_id id, const tby_row *row, uint32_t *out)
{
    const tby_query_game game = tby_query_game_of_row(row, id);
    const int length = k->length ? tby_query_length(k->length, &game) : 0;
    *out = length > 0 ? (uint32_t)length : 0;
    return length != TBY_QUERY_NO_MEMORY || db_fail_memory(k->db);
}

bool sort_keys_next(sort_keys *k, tby_game_id id)
{
    tby_db *db = k->db;
    tby_row row;
    uint32_t length;
    k->key.n = 0;
    if (!k->order || k->order->n == 0)
        return true;
    if (!read_row(db, k->order, id, &row)) {
        if (db->failure.status != TBY_NOT_FOUND && db->failure.status != TBY_INVALID_DATABASE)
            return false;
        row = (tby_row){.date = 0}; /* a damaged game comes last, where the visitor gets the error */
    }
    if (!read_length(k, id, &row, &length))
        return false;
    const size_t n = tby_order_match_key(NULL, 0, k->order, &row, length);
    if (!buffer_room(&k->key, n))
        return db_fail_memory(db);
    k->key.n = tby_order_match_key(k->key.s, n, k->order, &row, length);
    return true;
}

static bool hold_hit(void *context, const tby_db_hit *hit)
{
    enum { BETWEEN_LOOKS = 256 };
    sorted_search *s = context;
    s->has_failed = true;
    if (s->n_seen++ % BETWEEN_LOOKS == 0 && !db_goes_on(s->db))
        return db_fail(s->db, TBY_INTERRUPTED, "interrupted");
    if (!sort_keys_next(&s->keys, hit->id))
        return false;
    if (tby_sorting_add(s->games, (tby_text){s->keys.key.s, s->keys.key.n}, (uint64_t)hit->id, hit, sizeof *hit) !=
        TBY_OK)
        return db_fail_memory(s->db);
    s->has_failed = false;
    return true;
}

static bool visit_held(void *context, const char *bytes, size_t n)
{
    sorted_search *s = context;
    const int64_t offset = s->search->offset, limit = s->search->limit;
    tby_db_hit hit;
    if (s->n_seen++ < offset)
        return true;
    memcpy(&hit, bytes, n);
    return s->visit(s->context, &hit) && (limit <= 0 || s->n_seen - offset < limit);
}

tby_db_wanted db_wanted_to_sort(const tby_order *order)
{
    const unsigned needs = order ? tby_order_needs(order) : 0;
    return !order || order->n == 0        ? TBY_WANTED_IDS
           : needs & TBY_ORDER_NEEDS_TAGS ? TBY_WANTED_GAMES
           : needs & TBY_ORDER_NEEDS_ROW  ? TBY_WANTED_ROWS
                                          : TBY_WANTED_FACTS;
}

/* Runs `plan` without limits, in the order of numbers. */
static bool sort_found(sorted_search *s, db_plan *plan, tby_db_search *all)
{
    all->limit = all->offset = 0;
    all->wanted = db_wanted_to_sort(s->search->order);
    if (!s->db->kind->run(s->db, plan, hold_hit, s) || s->has_failed)
        return false;
    s->n_seen = 0;
    tby_sorting_each(s->games, visit_held, s);
    return true;
}

static bool sort_plan(tby_db *db, db_plan *plan, const tby_db_search *search, tby_db_search *all, tby_db_visit visit,
                      void *context)
{
    sorted_search s = {.db = db, .search = search, .visit = visit, .context = context};
    s.games = tby_sorting_new(search->order, (uint64_t)db_n_wanted(search), search->sample, search->seed);
    const bool is_good = (s.games || db_fail_memory(db)) && sort_keys_begin(&s.keys, db, search->order, plan) &&
                         sort_found(&s, plan, all);
    sort_keys_end(&s.keys);
    tby_sorting_free(s.games);
    return is_good;
}

bool db_plan_run(tby_db *db, db_plan *plan, tby_db_search *search, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(plan->search == search && visit);
    const tby_db_search asked = *search;
    if (plan->is_sorted || (!asked.sample && !asked.order))
        return db->kind->run(db, plan, visit, context);
    const bool is_good = sort_plan(db, plan, &asked, search, visit, context);
    *search = asked;
    return is_good;
}

bool db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    tby_db_search own = *search;
    db_plan *plan = db_plan_make(db, &own, NULL);
    const bool is_good = plan && db_plan_run(db, plan, &own, visit, context);
    db_plan_free(db, plan);
    return is_good;
}
