/*
 * visits.c - visits the games selected by a command's options, in all its sources.
 */
#include "visits.h"

#include <limits.h>
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

/* ---- The games that are counted --------------------------------------------------------------------------------- */

size_t visits_lines(const args *a, size_t none, size_t low, size_t high)
{
    if (args_has(a, QUERY_SORT) || !args_value(a, QUERY_LIMIT))
        return none;
    return option_number(a, QUERY_LIMIT, 0, (unsigned long)low, high < ULONG_MAX ? (unsigned long)high : ULONG_MAX);
}

typedef struct taking {
    source *to;
    tby_game *game;
} taking;

static bool take_game(void *context, source *s, const tby_db_hit *hit)
{
    const taking *t = context;
    if (source_game(s, hit->id, t->game) != TBY_OK)
        source_failed(s);
    source_store(t->to, t->game);
    return true;
}

static void check_order(const args *a)
{
    const bool is_first = args_has(a, QUERY_LIMIT) || args_has(a, QUERY_OFFSET) || args_has(a, QUERY_SAMPLE);
    if (args_has(a, QUERY_SORT) && !is_first)
        error_exit("%s: --sort needs --limit N here, to count the first N games", a->command->name);
    if (args_has(a, QUERY_OFFSET) && !args_has(a, QUERY_SORT))
        error_exit("%s: --offset needs --sort here", a->command->name);
}

void visits_counted(counted *out, sources *all, size_t first, source_use use, const char *text, tby_text facts)
{
    /* Of the copied games all count; only the options that say how to read conditions stay. */
    static const uint64_t settings = TAKES(QUERY_CHESS960) | TAKES(QUERY_PATTERNS) | TAKES(QUERY_THREADS);
    const args *a = all->args;
    query q;
    check_order(a);
    const bool is_copied = visits_use(a) != SOURCE_ONCE && !args_has(a, QUERY_EXPLAIN);
    *out = (counted){.games = {.of = all->of + first, .n = all->n - first}, .text = text};
    out->args = args_keeping(a, is_copied ? settings : ~0ULL);
    out->games.args = &out->args;
    if (!is_copied)
        return;
    sources from = out->games;
    from.args = a;
    query_of_options(&q, a, text, facts, NULL, source_db(from.of[0]));
    q.search.limit = args_has(a, QUERY_SORT) ? q.search.limit : 0;
    q.search.wanted = TBY_WANTED_GAMES;
    taking t = {.to = sources_add(all), .game = memory_got(tby_game_new(NULL))};
    from.of = all->of + first;
    const visits each = {.sources = &from, .query = &q, .work = "searching", .visit = take_game, .context = &t};
    visits_run(&each);
    if (interrupts_came())
        error_exit("%s: interrupted", a->command->name);
    source_stored(t.to, use);
    tby_game_free(t.game);
    query_free(&q);
    out->games.of = all->of + all->n - 1;
    out->games.n = 1;
    out->text = NULL;
}
