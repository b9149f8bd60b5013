/*
 * visits.c - visits the games selected by a command's options, in all its sources.
 */
#include "visits.h"

#include <string.h>

/* A game that is visited later. */
typedef struct gathered_hit {
    source *source;
    tby_db_hit hit;
} gathered_hit;

typedef struct walk {
    const visits *v;
    buffer gathered; /* a gathered_hit each */
    int64_t last_id; /* of the only database; 0: there are several, or none */
    uint64_t n_visited;
    bool is_over;
} walk;

source_use visits_use(const args *a)
{
    tby_order by;
    order_of_options(&(tby_db_search){.limit = 0}, &by, a); /* refuses a bad value before anything is read */
    return args_has(a, QUERY_SORT) || args_has(a, QUERY_SAMPLE) ? SOURCE_AGAIN : SOURCE_ONCE;
}

static bool visit(walk *w, source *s, const tby_db_hit *hit)
{
    w->n_visited++;
    w->is_over = !w->v->visit(w->v->context, s, hit) || interrupts_came();
    return !w->is_over;
}

static void visit_gathered(walk *w)
{
    gathered_hit one;
    for (size_t at = 0; at < w->gathered.n && !w->is_over && !interrupts_came(); at += sizeof one) {
        memcpy(&one, w->gathered.s + at, sizeof one);
        database_progress((double)at / (double)w->gathered.n, w->n_visited);
        visit(w, one.source, &one.hit);
    }
    w->gathered.n = 0;
}

static bool take_hit(void *context, source *s, const tby_db_hit *hit)
{
    walk *w = context;
    if (source_db(s) && w->v->is_gathered) {
        const gathered_hit one = {s, *hit};
        buffer_add(&w->gathered, (const char *)&one, sizeof one);
    } else {
        visit_gathered(w); /* of a database before this file */
        visit(w, s, hit);
    }
    if (w->last_id)
        database_progress((double)hit->id / (double)w->last_id, w->n_visited);
    return !w->is_over && !interrupts_came();
}

void visits_run(const visits *v)
{
    walk w = {.v = v};
    tby_order by;
    tby_db_search *search = &v->query->search;
    tby_db *db = v->sources->n == 1 ? sources_db(v->sources) : NULL;
    search->progress = database_report;
    order_of_options(search, &by, v->sources->args);
    if (db && tby_db_last_id(&w.last_id, db) != TBY_OK)
        sources_failed(v->sources);
    sources_find(v->sources, search, v->work, take_hit, &w);
    visit_gathered(&w);
    sources_done(v->sources);
    buffer_free(&w.gathered);
}
