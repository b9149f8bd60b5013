/*
 * sorted.c - lists games in another order than that of their numbers: looks at every game found, and keeps the first in
 * that order.
 */
#include "sorted.h"
#include "listing.h"
#include "support/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sort_read(tby_order *out, const question *q)
{
    static const char *const names[] = {"id",    "date",      "elo",    "plies", "white", "white_elo",
                                        "black", "black_elo", "result", "event", "site",  "eco"};
    const char *value = params_value(q->params, "sort");
    bool is_good = !value;
    tby_text fault;
    *out = (tby_order){.n = 0};
    for (size_t i = 0; !is_good && i < sizeof names / sizeof *names; i++)
        is_good = strcmp(names[i], value + (*value == '-')) == 0 && tby_order_read(out, value, &fault);
    return is_good ||
           problem_tell(q->problem, PROBLEM_ASKED,
                        "sort must be a column of the list, elo or id, perhaps after a minus, not \"%.50s\"", value);
}

/* ---- Keeping the first ------------------------------------------------------------------------------------------ */

typedef struct entry {
    int64_t rank; /* the lowest comes first */
    char *key;    /* for an order that needs it: so does the lowest in memcmp's order, */
    size_t n_key; /* or else the shorter */
    tby_db_hit hit;
} entry;

/* A heap whose first entry is the last of the order, so that it can be replaced. It grows with what is found, whatever
   was asked for. */
typedef struct ranking {
    games *games;
    const tby_order *order;
    entry *heap;
    size_t n, most, cap;
    buffer key; /* of the game that is looked at */
    uint64_t n_seen;
    bool has_more; /* than are kept */
    tby_status status;
} ranking;

static bool comes_before(const tby_order *order, const entry *a, const entry *b)
{
    const size_t n = a->n_key < b->n_key ? a->n_key : b->n_key;
    const int difference = n ? memcmp(a->key, b->key, n) : 0;
    if (difference)
        return difference < 0;
    if (a->n_key != b->n_key)
        return a->n_key < b->n_key;
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return order->ids_fall ? a->hit.id > b->hit.id : a->hit.id < b->hit.id;
}

static void sink_first(const tby_order *order, entry *heap, size_t n)
{
    for (size_t at = 0;;) {
        size_t last = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
            if (comes_before(order, &heap[last], &heap[child]))
                last = child;
        if (last == at)
            return;
        const entry e = heap[at];
        heap[at] = heap[last];
        heap[last] = e;
        at = last;
    }
}

static void rise_last(const tby_order *order, entry *heap, size_t n)
{
    for (size_t at = n - 1; at > 0 && comes_before(order, &heap[(at - 1) / 2], &heap[at]); at = (at - 1) / 2) {
        const entry e = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = e;
    }
}

/* The key is in the ranking, to be copied if the game is kept. */
static bool read_key(ranking *r, const tby_row *row, entry *out)
{
    out->n_key = tby_order_key(NULL, 0, r->order, row);
    buffer_clear(&r->key);
    if (!buffer_room(&r->key, out->n_key))
        return false;
    out->key = r->key.s;
    tby_order_key(out->key, out->n_key, r->order, row);
    return true;
}

/* Dates and ratings are facts; all else is in the row. */
static tby_status read_place(ranking *r, entry *out)
{
    const unsigned needs = tby_order_needs(r->order);
    tby_db_facts facts;
    tby_row row = {.date = 0};
    tby_status status = TBY_OK;
    if (needs & TBY_ORDER_NEEDS_ROW) {
        status = tby_db_row(&row, r->games->db, out->hit.id);
    } else if (r->order->n && (status = tby_db_facts_of(&facts, r->games->db, out->hit.id)) == TBY_OK) {
        row = (tby_row){.date = facts.date, .elo = {facts.elo[TBY_WHITE], facts.elo[TBY_BLACK]}};
    }
    if (status == TBY_OK && needs & TBY_ORDER_NEEDS_KEY)
        return read_key(r, &row, out) ? TBY_OK : TBY_NO_MEMORY;
    out->rank = status == TBY_OK ? tby_order_rank(r->order, &row) : 0;
    return status;
}

/* Puts a game into a place of the heap, with a key of its own. */
static bool keep(entry *place, const entry *e)
{
    char *key = e->n_key ? malloc(e->n_key) : NULL;
    if (e->n_key && !key)
        return false;
    if (key)
        memcpy(key, e->key, e->n_key);
    *place = *e;
    place->key = key;
    return true;
}

static bool has_room(ranking *r) { return array_reserve(&r->heap, &r->cap, r->n + 1, sizeof *r->heap, NULL); }

static bool rank_hit(void *context, const tby_db_hit *hit)
{
    enum { BETWEEN_LOOKS = 256 }; /* games between looks at the clock */
    ranking *r = context;
    entry e = {.hit = *hit};
    if (r->n_seen++ % BETWEEN_LOOKS == 0 && games_are_late(r->games))
        return false;
    r->status = read_place(r, &e);
    if (r->status != TBY_OK)
        return false;
    if (r->n < r->most) {
        if (!has_room(r) || !keep(&r->heap[r->n], &e)) {
            r->status = TBY_NO_MEMORY;
            return false;
        }
        r->n++;
        rise_last(r->order, r->heap, r->n);
        return true;
    }
    r->has_more = true;
    if (comes_before(r->order, &e, &r->heap[0])) {
        char *old = r->heap[0].key;
        if (!keep(&r->heap[0], &e)) {
            r->status = TBY_NO_MEMORY;
            return false;
        }
        free(old);
        sink_first(r->order, r->heap, r->n);
    }
    return true;
}

/* Takes the last of the order off the heap, again and again. */
static void sort_heap(const ranking *r)
{
    for (size_t n = r->n; n > 1; n--) {
        const entry last = r->heap[0];
        r->heap[0] = r->heap[n - 1];
        r->heap[n - 1] = last;
        sink_first(r->order, r->heap, n - 1);
    }
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

static bool write_page(ranking *r, buffer *out, size_t offset)
{
    tby_row row;
    sort_heap(r);
    buffer_string(out, "{\"games\":[");
    for (size_t i = offset; i < r->n; i++) {
        buffer_string(out, i > offset ? "," : "");
        r->status = tby_db_row(&row, r->games->db, r->heap[i].hit.id);
        if (r->status != TBY_OK)
            return false;
        listing_write(out, LISTING_JSON, NULL, &r->heap[i].hit, &row);
        out->n -= out->n && out->s[out->n - 1] == '\n'; /* it is a line */
    }
    buffer_printf(out, "],\"more\":%s}\n", r->has_more ? "true" : "false");
    return true;
}

bool find_sorted(games *g, const question *q, const query *conditions, const tby_order *order)
{
    tby_db_search search = conditions->search;
    const size_t offset = (size_t)search.offset;
    ranking r = {.games = g, .order = order, .most = offset + (size_t)search.limit};
    search.limit = search.offset = 0;
    search.wanted = tby_order_needs(order) ? TBY_WANTED_ROWS : TBY_WANTED_FACTS;
    const tby_status found = tby_db_find(g->db, &search, rank_hit, &r);
    const bool is_good = found == TBY_OK && r.status == TBY_OK && !g->is_late &&
                         write_page(&r, &q->response->body, offset);
    if (r.status == TBY_NO_MEMORY)
        problem_no_memory(q->problem);
    else if (!is_good)
        games_fail(g, q, r.status != TBY_OK ? r.status : found);
    for (size_t i = 0; i < r.n; i++)
        free(r.heap[i].key);
    free(r.heap);
    buffer_free(&r.key);
    return is_good;
}
