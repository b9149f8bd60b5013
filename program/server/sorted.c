/*
 * sorted.c - lists games in another order than that of their numbers: looks at every game found, and keeps the first in
 * that order.
 */
#include "sorted.h"
#include "buffer.h"
#include "listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sort_read(sorting *out, const question *q)
{
    static const char *const names[] = {[BY_ID] = "id", [BY_DATE] = "date", [BY_ELO] = "elo", [BY_PLIES] = "plies"};
    const char *value = params_value(q->params, "sort");
    *out = (sorting){.key = BY_ID, .is_falling = value && *value == '-'};
    if (!value)
        return true;
    for (int i = BY_DATE; i <= BY_PLIES; i++)
        if (strcmp(names[i], value + out->is_falling) == 0)
            out->key = (sort_key)i;
    return out->key != BY_ID || strcmp(value, "id") == 0 ||
           problem_tell(q->problem, PROBLEM_ASKED,
                        "sort must be id, date, elo or plies, or -date, -elo or -plies, not \"%.50s\"", value);
}

/* ---- Keeping the first ------------------------------------------------------------------------------------------ */

typedef struct entry {
    int64_t rank; /* the lowest comes first */
    tby_db_hit hit;
} entry;

/* A heap whose first entry is the last of the order, so that it can be replaced. It grows with what is found, whatever
   was asked for. */
typedef struct ranking {
    games *games;
    const sorting *order;
    entry *heap;
    size_t n, most, cap;
    uint64_t n_seen;
    bool has_more; /* than are kept */
    tby_status status;
} ranking;

static bool comes_before(const entry *a, const entry *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->hit.id < b->hit.id;
}

static void sink_first(entry *heap, size_t n)
{
    for (size_t at = 0;;) {
        size_t last = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
            if (comes_before(&heap[last], &heap[child]))
                last = child;
        if (last == at)
            return;
        const entry e = heap[at];
        heap[at] = heap[last];
        heap[last] = e;
        at = last;
    }
}

static void rise_last(entry *heap, size_t n)
{
    for (size_t at = n - 1; at > 0 && comes_before(&heap[(at - 1) / 2], &heap[at]); at = (at - 1) / 2) {
        const entry e = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = e;
    }
}

/* Dates and ratings are facts; the length is in the row. */
static tby_status read_value(const ranking *r, tby_game_id id, int64_t *out)
{
    tby_db_facts facts;
    tby_row row;
    if (r->order->key == BY_PLIES) {
        const tby_status status = tby_db_row(r->games->db, id, &row);
        *out = status == TBY_OK ? (int64_t)row.plies : 0;
        return status;
    }
    const tby_status status = tby_db_facts_of(r->games->db, id, &facts);
    if (status != TBY_OK)
        return status;
    const int white = facts.elo[TBY_WHITE], black = facts.elo[TBY_BLACK];
    *out = r->order->key == BY_DATE ? facts.date : (white && black ? (white + black) / 2 : white + black);
    return TBY_OK;
}

static int64_t rank_of(const sorting *order, int64_t value)
{
    if (value == 0 && order->key != BY_PLIES)
        return INT64_MAX;
    return order->is_falling ? -value : value;
}

static bool has_room(ranking *r) { return array_reserve(&r->heap, &r->cap, r->n + 1, sizeof *r->heap); }

static bool rank_hit(void *context, const tby_db_hit *hit)
{
    enum { BETWEEN_LOOKS = 256 }; /* games between looks at the clock */
    ranking *r = context;
    int64_t value;
    if (r->n_seen++ % BETWEEN_LOOKS == 0 && games_are_late(r->games))
        return false;
    r->status = read_value(r, hit->id, &value);
    if (r->status != TBY_OK)
        return false;
    const entry e = {rank_of(r->order, value), *hit};
    if (r->n < r->most) {
        if (!has_room(r)) {
            r->status = TBY_NO_MEMORY;
            return false;
        }
        r->heap[r->n++] = e;
        rise_last(r->heap, r->n);
        return true;
    }
    r->has_more = true;
    if (comes_before(&e, &r->heap[0])) {
        r->heap[0] = e;
        sink_first(r->heap, r->n);
    }
    return true;
}

static int compare(const void *a, const void *b) { return comes_before(a, b) ? -1 : 1; }

/* ---- The answer ------------------------------------------------------------------------------------------------- */

static bool write_page(ranking *r, buffer *out, size_t offset)
{
    tby_row row;
    if (r->n)
        qsort(r->heap, r->n, sizeof *r->heap, compare);
    buffer_string(out, "{\"games\":[");
    for (size_t i = offset; i < r->n; i++) {
        buffer_string(out, i > offset ? "," : "");
        r->status = tby_db_row(r->games->db, r->heap[i].hit.id, &row);
        if (r->status != TBY_OK)
            return false;
        listing_write(out, LISTING_JSON, &r->heap[i].hit, &row);
        out->n -= out->n && out->s[out->n - 1] == '\n'; /* it is a line */
    }
    buffer_printf(out, "],\"more\":%s}\n", r->has_more ? "true" : "false");
    return true;
}

bool find_sorted(games *g, const question *q, const query *conditions, const sorting *order)
{
    tby_db_search search = conditions->search;
    const size_t offset = (size_t)search.offset;
    ranking r = {.games = g, .order = order, .most = offset + (size_t)search.limit};
    search.limit = search.offset = 0;
    search.wanted = TBY_WANTED_ROWS;
    const tby_status found = tby_db_find(g->db, &search, rank_hit, &r);
    const bool is_good = found == TBY_OK && r.status == TBY_OK && !g->is_late &&
                         write_page(&r, &q->response->body, offset);
    if (r.status == TBY_NO_MEMORY)
        problem_no_memory(q->problem);
    else if (!is_good)
        games_fail(g, q, r.status != TBY_OK ? r.status : found);
    free(r.heap);
    return is_good;
}
