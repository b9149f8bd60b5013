/*
 * visits.c - visits the games selected by a command's options, in all its sources.
 */
#include "visits.h"
#include "progress.h"

#include <string.h>

typedef struct walk {
    const visits *v;
    tby_order by;
    tby_sorting *sorting; /* of the games of several sources; NULL: as they are found */
    buffer gathered;      /* a tby_db_hit each */
    buffer key;
    int64_t last_id;       /* of the source that is searched */
    int64_t offset, limit; /* of all sources together; 0: none, or those of the search */
    uint64_t n_visited, n_failed;
    bool is_over;
    bool (*take)(struct walk *w, source *s, const tby_db_hit *hit); /* a game that is found */
} walk;

source_use visits_use(const args *a)
{
    tby_order by;
    order_of_options(&(tby_db_search){.limit = 0}, &by, a); /* refuses a bad value before anything is read */
    return args_has(a, QUERY_SORT) || args_has(a, QUERY_SAMPLE) ? SOURCE_AGAIN : SOURCE_ONCE;
}

static bool visit(walk *w, source *s, const tby_db_hit *hit)
{
    if (w->offset > 0) {
        w->offset--;
        return true;
    }
    w->n_visited++;
    w->is_over = !w->v->visit(w->v->context, s, hit) || interrupts_came() ||
                 (w->limit && w->n_visited >= (uint64_t)w->limit);
    return !w->is_over;
}

static bool gather(walk *w, source *s, const tby_db_hit *hit)
{
    (void)s;
    buffer_add(&w->gathered, (const char *)hit, sizeof *hit);
    return true;
}

/* A game that is held until all others have been seen. */
typedef struct held_hit {
    source *source;
    tby_db_hit hit;
} held_hit;

/* Equal games are ordered by source, then by number. */
static bool hold_hit(walk *w, source *s, const tby_db_hit *hit)
{
    enum { ID_BITS = 48 };
    const held_hit held = {s, *hit};
    tby_row row = {.date = 0};
    uint64_t place = 0;
    while (w->v->sources->of[place] != s)
        place++;
    if (w->by.n && source_row(s, hit->id, &row) != TBY_OK) {
        source_tell(s, source_error(s));
        w->n_failed++;
        return true;
    }
    w->key.n = 0;
    order_key(&w->key, &w->by, &row);
    memory_need(tby_sorting_add(w->sorting, (tby_text){w->key.s, w->key.n}, place << ID_BITS | (uint64_t)hit->id, &held,
                                sizeof held) == TBY_OK);
    return true;
}

static bool take_hit(void *context, source *s, const tby_db_hit *hit)
{
    walk *w = context;
    const bool goes_on = w->take(w, s, hit);
    if (source_db(s) && w->last_id)
        database_progress((double)hit->id / (double)w->last_id, w->n_visited);
    return goes_on && !interrupts_came();
}

static bool visit_held(void *context, const char *bytes, size_t n)
{
    held_hit held;
    memcpy(&held, bytes, n);
    return visit(context, held.source, &held.hit);
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
    w->take = w->sorting ? hold_hit : db && w->v->is_gathered ? gather : visit;
    if (db && tby_db_last_id(&w->last_id, db) != TBY_OK)
        source_failed(s);
    if (db)
        database_work(db, w->v->work);
    source_find(s, &w->v->query->search, take_hit, w);
    visit_gathered(w, s);
    if (db)
        database_done(db);
}

/* With several sources, the limits and the order do not apply to each search: the first games of each in that order are
   needed, or all for a sample. */
static void take_order(walk *w)
{
    tby_db_search *s = &w->v->query->search;
    order_of_options(s, &w->by, w->v->sources->args);
    if (w->v->sources->n == 1)
        return;
    w->offset = s->offset;
    w->limit = s->limit;
    s->limit = s->limit && s->order && !s->sample && s->offset < INT64_MAX - s->limit ? s->limit + s->offset : 0;
    s->offset = 0;
    if (!s->order && !s->sample)
        return;
    w->sorting = memory_got(tby_sorting_new(s->order, (uint64_t)s->limit, s->sample, s->seed));
    s->order = s->sample ? NULL : s->order;
    s->sample = 0;
    if (s->wanted != TBY_WANTED_GAMES)
        s->wanted = tby_order_needs(&w->by) & TBY_ORDER_NEEDS_TAGS ? TBY_WANTED_GAMES : TBY_WANTED_ROWS;
}

uint64_t visits_run(const visits *v)
{
    walk w = {.v = v};
    v->query->search.progress = database_report;
    take_order(&w);
    for (size_t i = 0; i < v->sources->n && !w.is_over && !interrupts_came(); i++)
        search(&w, v->sources->of[i]);
    if (w.sorting)
        tby_sorting_each(w.sorting, visit_held, &w);
    progress_hide();
    tby_sorting_free(w.sorting);
    buffer_free(&w.gathered);
    buffer_free(&w.key);
    return w.n_failed;
}

/* ---- The games that are counted --------------------------------------------------------------------------------- */

size_t visits_lines(const args *a, size_t none, size_t low, size_t high)
{
    return args_has(a, QUERY_SORT) ? none : option_number(a, QUERY_LIMIT, none, low, high);
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
