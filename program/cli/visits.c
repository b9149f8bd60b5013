/*
 * visits.c - the games that the options of a command ask for, in all its sources.
 */
#include "visits.h"
#include "find_order.h"
#include "messages.h"
#include "progress.h"

#include <limits.h>
#include <string.h>

typedef struct walk {
    const visits *v;
    find_order *order;     /* NULL: as they are found */
    buffer gathered;       /* a tby_db_hit each */
    int64_t last_id;       /* of the source that is searched */
    int64_t offset, limit; /* of all sources together; 0: none, or those of the search */
    uint64_t n_visited, n_failed;
    bool is_over;
} walk;

static bool is_ordered(const args *a) { return args_has(a, QUERY_SORT) || args_has(a, QUERY_SAMPLE); }

source_use visits_use(const args *a) { return is_ordered(a) ? SOURCE_AGAIN : SOURCE_ONCE; }

static bool visit(void *context, source *s, const tby_db_hit *hit)
{
    walk *w = context;
    if (w->offset > 0) {
        w->offset--;
        return true;
    }
    w->n_visited++;
    w->is_over = !w->v->visit(w->v->context, s, hit) || interrupts_came() ||
                 (w->limit && w->n_visited >= (uint64_t)w->limit);
    return !w->is_over;
}

static void tell_progress(const walk *w, const source *s, tby_game_id id)
{
    if (source_db(s) && w->last_id)
        database_progress((double)id / (double)w->last_id, w->n_visited);
}

static bool visit_found(void *context, source *s, const tby_db_hit *hit)
{
    const bool goes_on = visit(context, s, hit);
    tell_progress(context, s, hit->id);
    return goes_on;
}

static bool gather(void *context, source *s, const tby_db_hit *hit)
{
    walk *w = context;
    buffer_add(&w->gathered, (const char *)hit, sizeof *hit);
    tell_progress(w, s, hit->id);
    return !interrupts_came();
}

static bool hold(void *context, source *s, const tby_db_hit *hit)
{
    walk *w = context;
    if (!find_order_add(w->order, s, hit)) {
        progress_hide();
        error_print("%s: %s: %s", w->v->sources->args->command->name, source_name(s), source_error(s));
        w->n_failed++;
        exit_note(EXIT_FAILED);
    }
    tell_progress(w, s, hit->id);
    return !interrupts_came();
}

static void visit_gathered(walk *w, source *s)
{
    tby_db_hit hit;
    for (size_t at = 0; at < w->gathered.n && !w->is_over && !interrupts_came(); at += sizeof hit) {
        memcpy(&hit, w->gathered.s + at, sizeof hit);
        database_progress((double)at / (double)w->gathered.n, w->n_visited);
        visit(w, s, &hit);
    }
    w->gathered.n = 0;
}

static void search(walk *w, source *s)
{
    tby_db *db = source_db(s);
    const bool is_gathered = db && w->v->is_gathered && !w->order;
    if (db && tby_db_last_id(&w->last_id, db) != TBY_OK)
        source_failed(s);
    if (db)
        database_work(db, w->v->work);
    source_find(s, &w->v->query->search, w->order ? hold : is_gathered ? gather : visit_found, w);
    visit_gathered(w, s);
    if (db)
        database_done(db);
}

/* Of several sources, or of a sorted list, the limits are not those of each search. */
static void take_limits(walk *w)
{
    const args *a = w->v->sources->args;
    tby_db_search *search = &w->v->query->search;
    const char *sample = args_value(a, QUERY_SAMPLE), *seed = args_value(a, QUERY_SEED);
    if (seed && !sample)
        error_exit("%s: --seed needs --sample", a->command->name);
    if (is_ordered(a)) {
        w->order = find_order_new(a->command->name, args_value(a, QUERY_SORT),
                                  sample ? number_read("--sample", sample, 1, 1000000000) : 0,
                                  seed ? number_read("--seed", seed, 0, ULONG_MAX) : 0);
        find_order_limit(w->order, (uint64_t)search->offset, (uint64_t)search->limit);
        search->wanted = find_order_wanted(w->order, search->wanted);
    } else if (w->v->sources->n > 1) {
        w->offset = search->offset;
        w->limit = search->limit;
    }
    if (w->order || w->v->sources->n > 1)
        search->offset = search->limit = 0;
}

uint64_t visits_run(const visits *v)
{
    walk w = {.v = v};
    v->query->search.progress = database_report;
    take_limits(&w);
    for (size_t i = 0; i < v->sources->n && !w.is_over && !interrupts_came(); i++)
        search(&w, v->sources->of[i]);
    if (w.order)
        find_order_each(w.order, visit, &w);
    progress_hide();
    find_order_free(w.order);
    buffer_free(&w.gathered);
    return w.n_failed;
}
