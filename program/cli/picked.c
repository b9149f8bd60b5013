/*
 * picked.c - the games of a database that are named on the command line.
 */
#include "picked.h"
#include "console.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_id(picked *p, tby_game_id id) { buffer_add(&p->ids, (const char *)&id, sizeof id); }

static bool add_hit(void *context, const tby_db_hit *hit)
{
    add_id(context, hit->id);
    return true;
}

/* Only existing games: the range may be far larger. */
static void add_range(picked *p, const range *r)
{
    char asked[64];
    const int n = snprintf(asked, sizeof asked, "id %" PRIu64 "..%" PRIu64, r->low,
                           r->high > UINT32_MAX ? (uint64_t)UINT32_MAX : r->high);
    tby_query *made = tby_query_new(asked, (size_t)n, NULL, NULL, NULL);
    const tby_db_search search = {.query = made};
    memory_need(made);
    if (tby_db_find(p->db, &search, add_hit, p) != TBY_OK)
        database_failed(p->args, p->db);
    tby_query_free(made);
}

static void add_item(picked *p, const char *item)
{
    char who[48];
    snprintf(who, sizeof who, "%s: --ids", p->args->command->name);
    const range r = range_read(who, item);
    if (r.low == r.high)
        add_id(p, (tby_game_id)r.low);
    else
        add_range(p, &r);
}

static void add_items(picked *p, const char *list)
{
    buffer item = {0};
    do {
        const size_t n = strcspn(list, ", \t\r\n");
        item.n = 0;
        buffer_add(&item, list, n);
        buffer_add(&item, "", 1);
        if (n)
            add_item(p, item.s);
        list += n;
        list += strspn(list, ", \t\r\n");
    } while (*list);
    buffer_free(&item);
}

static void add_stdin(picked *p)
{
    line_reader l = lines_open(p->args->command->name, NULL);
    while (lines_next(&l))
        add_items(p, l.line);
}

/* Games can be selected by conditions, by a sample, or by an order and a limit. */
static void check(const args *a, const query *q, bool has_ids)
{
    const char *who = a->command->name;
    const bool is_cut = q->search.limit || q->search.offset;
    const bool is_picked = q->has_condition || q->search.sample || q->search.order;
    if (has_ids && (is_picked || is_cut))
        error_exit("%s: --ids and conditions cannot both be given", who);
    if (!has_ids && !is_picked)
        error_exit("%s: no games selected; give --ids or conditions; try --help", who);
    if (q->search.order && !q->search.sample && !is_cut)
        error_exit("%s: --sort needs --limit N here, to select the first N games", who);
}

void picked_add(picked *p, const char *ids, size_t first)
{
    char *text = p->args->n_words > first ? words_join(p->args, first) : NULL;
    tby_order by;
    query q;
    query_of_strict_options(&q, p->args, text, p->db);
    free(text);
    order_of_options(&q.search, &by, p->args);
    check(p->args, &q, ids != NULL);
    if (ids && strcmp(ids, "-") == 0)
        add_stdin(p);
    else if (ids)
        add_items(p, ids);
    else {
        database_work(p->db, "searching");
        if (tby_db_find(p->db, &q.search, add_hit, p) != TBY_OK)
            database_failed(p->args, p->db);
        database_done(p->db);
    }
    query_free(&q);
}
