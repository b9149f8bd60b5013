/*
 * find.c - finds the games that match a query.
 *
 *     query --> plan             a position, conditions in SQL, and the rest (find_plan.c)
 *           --> steps            candidates: by the position index or the scan of sketches (scan.c), by SQL, and by
 *                                indexes (bound.h)
 *           --> evaluator        checks each candidate, if the plan is not exact (check_games.c)
 *           --> visit
 *
 * An exact plan is one SQL query; the games that reach a position are then put into a temporary table.
 */
#include "base/contract.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/db.h"
#include "store/sqlite/find_plan.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/index/positions.h"
#include "store/sqlite/scan.h"

#include <stdlib.h>
#include <string.h>

/* A search in progress. */
typedef struct finding {
    lite *db;
    const tby_db_search *search;
    const game_set *only; /* the games of interest to the caller; NULL: all */
    find_plan *plan;
    hit_list hits;  /* games that reach the position */
    game_set *into; /* receives the games; NULL: they are visited, or only counted */
    tby_db_visit visit;
    void *context;
    int64_t n_seen, n_visited;
    bool is_over;   /* the limit is reached, or the visitor has enough */
    game_set among; /* games that remain to be checked */
} finding;

/* ---- Hits ----------------------------------------------------------------------------------------------- */

/* Counts a game that was found, and passes it on if it is within the limits. */
static void finding_take(finding *f, tby_game_id id, int ply)
{
    const tby_db_hit found = {id, f->search->query && !f->search->query->is_of_game ? ply : -1};
    if (f->n_seen++ < f->search->offset)
        return;
    f->n_visited++;
    if (f->into)
        game_set_put(f->into, id);
    else if (f->visit)
        f->is_over = !f->visit(f->context, &found);
    f->is_over |= f->search->limit > 0 && f->n_visited >= f->search->limit;
}

/* Hits from the index come before those from the scan. */
static void sort_hits(hit_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        if (list->hits[i].id < list->hits[i - 1].id) {
            qsort(list->hits, list->n, sizeof *list->hits, compare_hits);
            return;
        }
}

static scan_options options_of(const finding *f)
{
    return (scan_options){
        .targets = &f->plan->target,
        .n_targets = 1,
        .max_ply = f->plan->plan.max_ply,
        .search = f->search,
    };
}

static bool find_hits(finding *f)
{
    scan_options options = options_of(f);
    if (plan_end(&f->plan->plan) == BY_POSITION)
        options.n_wanted = db_n_wanted(f->search);
    f->hits.db = f->db;
    if (!scan_games(f->db, &options, hit_list_add, &f->hits))
        return false;
    sort_hits(&f->hits);
    return true;
}

static bool insert_hits(finding *f)
{
    sqlite3_stmt *s = lite_prepare(f->db, "INSERT INTO temp.hit VALUES(?1, ?2)");
    bool is_good = s != NULL;
    for (size_t i = 0; is_good && i < f->hits.n; i++) {
        sqlite3_bind_int64(s, 1, f->hits.hits[i].id);
        sqlite3_bind_int(s, 2, f->hits.hits[i].ply);
        is_good = lite_do(f->db, s);
    }
    sqlite3_finalize(s);
    return is_good;
}

/* Reports the first failure: by now SQLite may have dropped the savepoint. */
static bool put_hits(finding *f)
{
    if (!lite_run(f->db, "CREATE TEMP TABLE IF NOT EXISTS hit(game INTEGER PRIMARY KEY, ply INTEGER);"
                         "DELETE FROM temp.hit; SAVEPOINT hits"))
        return false;
    if (insert_hits(f))
        return lite_run(f->db, "RELEASE hits");
    sqlite3_exec(f->db->sql, "ROLLBACK TO hits; RELEASE hits", NULL, NULL, NULL);
    return false;
}

/* ---- SQL ------------------------------------------------------------------------------------------------ */

/* Counting games, or collecting their set, needs no order. */
static bool needs_order(const finding *f) { return f->visit || db_n_wanted(f->search); }

/* "SELECT ... FROM game [JOIN hit] WHERE ... [ORDER BY game.id] [LIMIT n]": SQLite sorts no more than the limit. */
static void put_statement(buffer *out, const finding *f)
{
    static const char *const forms[] = {
        [BY_SQL] = "%s(%s)", [BY_WHERE] = "%sgame.id IN (SELECT id FROM " WHERE_TABLE " WHERE (%s))"};
    const plan *p = &f->plan->plan;
    const char *word = " WHERE ";
    buffer_string(out, p->position ? "SELECT game.id, hit.ply FROM temp.hit CROSS JOIN game ON game.id = hit.game"
                                   : "SELECT game.id, 0 FROM game");
    for (const plan_step *s = p->steps; s < p->steps + p->n_steps; s++)
        if (s->by != BY_POSITION) {
            buffer_printf(out, forms[s->by], word, s->condition);
            word = " AND ";
        }
    buffer_string(out, needs_order(f) ? " ORDER BY game.id" : "");
    if (db_n_wanted(f->search))
        buffer_printf(out, " LIMIT %lld", (long long)db_n_wanted(f->search));
}

/* A statement that may contain the user's condition is restricted. Frees the text. */
static sqlite3_stmt *finding_prepare(const finding *f, buffer *sql)
{
    return conditions_bind(f->search->where ? lite_prepare_where(f->db, sql) : lite_prepare_text(f->db, sql),
                           f->plan->state);
}

/* SQL does all the remaining work. */
static bool visit_rows(finding *f)
{
    buffer sql = {0};
    put_statement(&sql, f);
    lite_rows r = lite_rows_of(f->db, finding_prepare(f, &sql));
    while (!f->is_over && (needs_order(f) ? lite_next_up(&r) : lite_next(&r)))
        finding_take(f, sqlite3_column_int64(r.s, 0), sqlite3_column_int(r.s, 1));
    return lite_end(&r);
}

/* ---- Candidates ----------------------------------------------------------------------------------------- */

/* Keeps the games whose numbers `sql`, completed with a condition, returns. */
static bool keep_found(finding *f, const char *format, const char *condition)
{
    buffer sql = {0};
    game_set found = {0};
    if (!lite_set_begin(f->db, &found, f->plan->last_id))
        return false;
    buffer_printf(&sql, format, condition);
    lite_rows r = lite_rows_of(f->db, finding_prepare(f, &sql));
    while (lite_next(&r))
        game_set_put(&found, sqlite3_column_int64(r.s, 0));
    return game_set_keep(&f->among, &found, lite_end(&r));
}

static bool keep_hits(finding *f)
{
    game_set found = {0};
    if (!find_hits(f) || !lite_set_begin(f->db, &found, f->plan->last_id))
        return false;
    for (size_t i = 0; i < f->hits.n; i++)
        game_set_put(&found, f->hits.hits[i].id);
    return game_set_keep(&f->among, &found, true);
}

static bool keep_by_records(finding *f)
{
    game_set may = {0};
    const record_question asked = {
        f->search->query,    f->plan->state, NULL, f->plan->last_id, f->among.pages ? &f->among : NULL,
        f->search->n_threads};
    const bool is_good = records_decide(f->db, &asked, &may, NULL);
    return game_set_keep(&f->among, &may, is_good);
}

static bool keep_only(finding *f)
{
    game_set copy = {0};
    if (!f->only)
        return true;
    if (!lite_set_begin(f->db, &copy, f->plan->last_id))
        return false;
    game_set_add(&copy, f->only);
    return game_set_keep(&f->among, &copy, true);
}

static bool keep_by(finding *f, const plan_step *s)
{
    const tby_query *query = f->search->query;
    bool helps;
    switch (s->by) {
    case BY_POSITION: return keep_hits(f);
    case BY_SQL: return keep_found(f, "SELECT game.id FROM game WHERE %s", f->plan->plan.where.s);
    case BY_WHERE: return keep_found(f, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", f->search->where);
    case BY_RECORDS: return keep_by_records(f);
    case BY_INDEX: return index_rules_out(f->db, (index_place)s->index, query, f->plan->last_id, &f->among, &helps);
    default: return true;
    }
}

/* Runs the steps before the evaluator: f->among has no pages if they leave all games. With `counts`, stores how many games
   each leaves. */
static bool narrow_down(finding *f, bool counts)
{
    plan *p = &f->plan->plan;
    bool is_good = keep_only(f);
    for (plan_step *s = p->steps; s < p->steps + p->n_steps && is_good; s++) {
        if (s->by == BY_ROWS)
            continue;
        is_good = keep_by(f, s);
        s->is_counted = counts && f->among.pages;
        s->n_games = s->is_counted ? game_set_count(&f->among) : s->n_games;
    }
    return is_good && (!f->among.has_failed || lite_fail_memory(f->db));
}

static bool take_asked(void *context, const tby_db_hit *h)
{
    finding *f = context;
    finding_take(f, h->id, h->ply);
    return !f->is_over;
}

static bool ask_games(finding *f)
{
    const plan *p = &f->plan->plan;
    const plan_step *before = p->n_steps > 1 ? &p->steps[p->n_steps - 2] : NULL;
    if (!narrow_down(f, false))
        return false;
    return lite_check_games(f->db, f->search, f->plan->base.members,
                            before && before->by == BY_ROWS ? before->condition : NULL,
                            f->among.pages ? &f->among : NULL, take_asked, f);
}

/* ---- Records -------------------------------------------------------------------------------------------- */

/* SQL decides the games that records leave open, one by one. */
static bool is_match(finding *f, sqlite3_stmt *s, const game_set *must, tby_game_id id, bool *failed)
{
    if (game_set_has(must, id))
        return true;
    lite_rows r = lite_rows_again(f->db, s);
    lite_bind(&r, 1, id);
    const bool holds = lite_next(&r);
    *failed = !lite_end(&r);
    return holds;
}

/* If a set is filled, the games that records are sure of are added 64 at a time. */
static bool visit_decided(finding *f, sqlite3_stmt *s)
{
    const game_set *must = &f->plan->must;
    bool failed = false;
    uint64_t w = 0;
    for (uint64_t rest; !f->is_over && !failed && (rest = game_set_next_word(&f->plan->may, &w)) != 0; w++) {
        const uint64_t sure = f->into ? game_set_at(must, w) : 0;
        if (sure)
            game_set_put_at(f->into, w, sure);
        for (rest &= ~sure; rest && !f->is_over && !failed; rest &= rest - 1) {
            const tby_game_id id = (tby_game_id)(w * 64) + __builtin_ctzll(rest);
            if (is_match(f, s, must, id, &failed))
                finding_take(f, id, 0);
        }
    }
    return !failed;
}

static bool take_open(void *context, const tby_db_hit *h)
{
    game_set_put(context, h->id);
    return true;
}

/* Where SQL cannot express the query, the evaluator decides the games that records leave open. */
static bool ask_open(finding *f)
{
    find_plan *p = f->plan;
    game_set open = {0};
    tby_db_search all = *f->search;
    all.limit = all.offset = 0;
    all.progress = NULL;
    if (p->plan.position || p->plan.covered == COVER_EXACT || game_set_count(&p->may) == game_set_count(&p->must))
        return true;
    bool is_good = lite_set_begin(f->db, &open, p->last_id);
    for (uint64_t w = 0, rest; is_good && (rest = game_set_next_word(&p->may, &w)) != 0; w++)
        game_set_put_at(&open, w, rest & ~game_set_at(&p->must, w));
    is_good = is_good && !open.has_failed &&
              lite_check_games(f->db, &all, p->base.members, NULL, &open, take_open, &p->must);
    game_set_free(&p->may);
    is_good = is_good && lite_set_begin(f->db, &p->may, p->last_id);
    if (is_good)
        game_set_add(&p->may, &p->must);
    game_set_free(&open);
    return is_good && (!(p->may.has_failed || p->must.has_failed) || lite_fail_memory(f->db));
}

/* The games that reach the position. Of a few, SQL decides each: all records would take longer to read. */
static bool visit_decided_hits(finding *f, sqlite3_stmt *s)
{
    game_set may = {0}, must = {0};
    if (!keep_hits(f))
        return false;
    const bool is_decided = !are_few((int64_t)f->hits.n, f->plan->last_id);
    const record_question asked = {f->search->query, f->plan->state, f->plan->plan.position,
                                   f->plan->last_id, &f->among,      f->search->n_threads};
    bool failed = is_decided && !records_decide(f->db, &asked, &may, &must);
    for (const hit *h = f->hits.hits; h < f->hits.hits + f->hits.n && !failed && !f->is_over; h++)
        if ((!is_decided || game_set_has(&may, h->id)) && is_match(f, s, &must, h->id, &failed))
            finding_take(f, h->id, h->ply);
    game_set_free(&may);
    game_set_free(&must);
    return !failed;
}

static bool find_by_records(finding *f)
{
    const buffer *where = &f->plan->plan.where;
    if (!ask_open(f))
        return false;
    sqlite3_stmt *s = conditions_bind(
        lite_prepare_of(f->db, "SELECT 1 FROM game WHERE game.id = ?1 AND (%s)", where->n ? where->s : "FALSE"),
        f->plan->state);
    const bool is_good = s && (f->plan->plan.position ? visit_decided_hits(f, s) : visit_decided(f, s));
    sqlite3_finalize(s);
    return is_good;
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

static bool find_at_position(finding *f)
{
    if (!find_hits(f))
        return false;
    for (size_t i = 0; i < f->hits.n && !f->is_over; i++)
        finding_take(f, f->hits.hits[i].id, f->hits.hits[i].ply);
    return true;
}

static bool finding_run(finding *f)
{
    if (!find_plan_settle(f->plan, f->db))
        return false;
    switch (plan_end(&f->plan->plan)) {
    case BY_POSITION: return find_at_position(f);
    case BY_RECORDS: return find_by_records(f);
    case BY_EVALUATOR: return ask_games(f);
    default: return (!f->plan->plan.position || (find_hits(f) && put_hits(f))) && visit_rows(f);
    }
}

static bool finding_visit(finding *f)
{
    visiting v;
    visiting_begin(&v, f->db, f->search->wanted);
    const bool is_good = finding_run(f);
    visiting_end(&v);
    free(f->hits.hits);
    game_set_free(&f->among);
    return is_good;
}

bool lite_find_into(lite *db, find_plan *made, const tby_db_search *search, game_set *out)
{
    finding f = {.db = db, .search = search, .only = made->only, .plan = made, .into = out};
    return finding_visit(&f);
}

bool lite_visit_found(lite *db, find_plan *made, const tby_db_search *search, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(visit != NULL);
    finding f = {.db = db, .search = search, .plan = made, .visit = visit, .context = context};
    return finding_visit(&f);
}

bool lite_run_plan(tby_db *base, db_plan *made, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(made->search && visit);
    find_plan *p = (find_plan *)made;
    return made->is_sorted ? lite_run_sorted(lite_of(base), p, visit, context)
                           : lite_visit_found(lite_of(base), p, made->search, visit, context);
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

static bool count_hit(void *context, const hit *h)
{
    (void)h;
    ++*(int64_t *)context;
    return true;
}

static void count_many(void *context, size_t target, uint32_t n_games)
{
    (void)target;
    *(int64_t *)context += n_games;
}

/* If the query is just the position, its index may know the number of games. */
static bool count_at_position(finding *f)
{
    scan_options options = options_of(f);
    options.count = count_many;
    return scan_games(f->db, &options, count_hit, &f->n_visited);
}

bool lite_count(tby_db *base, db_plan *made, int64_t *out)
{
    TBY_CONTRACT(made->search && out);
    finding f = {.db = lite_of(base), .search = made->search, .plan = (find_plan *)made};
    const bool is_counted = plan_end(&f.plan->plan) == BY_POSITION && !f.search->limit && !f.search->offset;
    const bool is_good = is_counted ? count_at_position(&f) : finding_visit(&f);
    *out = f.n_visited;
    return is_good;
}

/* ---- Explaining ----------------------------------------------------------------------------------------- */

/* "plan: SEARCH game USING INDEX game_white (white=?)" */
static bool explain_sql(finding *f, buffer *out)
{
    buffer sql = {0};
    buffer_string(&sql, "EXPLAIN QUERY PLAN ");
    put_statement(&sql, f);
    lite_rows r = lite_rows_of(f->db, finding_prepare(f, &sql));
    while (lite_next(&r)) {
        const char *detail = (const char *)sqlite3_column_text(r.s, 3);
        if (detail)
            buffer_printf(out, "plan: %s\n", detail);
        else
            r.failed = !lite_fail_memory(f->db);
    }
    return lite_end(&r);
}

/* Runs the indexes, to report how many games they leave; or asks SQLite how it executes the one statement. */
static bool finding_explain(finding *f, buffer *out)
{
    buffer extra = {0};
    const plan *p = &f->plan->plan;
    if (!find_plan_settle(f->plan, f->db))
        return false;
    const plan_by end = plan_end(p);
    const bool is_sql = end == BY_SQL || end == BY_WHERE;
    bool is_good = end != BY_EVALUATOR || narrow_down(f, true);
    is_good = is_good && (!is_sql || ((!p->position || put_hits(f)) && explain_sql(f, &extra)));
    if (is_good)
        plan_describe(p, extra.s, f->plan->last_id, out);
    is_good = is_good && (!(out->has_failed || extra.has_failed) || lite_fail_memory(f->db));
    buffer_free(&extra);
    return is_good;
}

static bool describe_find(tby_db *base, db_plan *made, buffer *out)
{
    finding f = {.db = lite_of(base), .search = made->search, .plan = (find_plan *)made};
    const bool is_good = finding_explain(&f, out);
    free(f.hits.hits);
    game_set_free(&f.among);
    return is_good;
}

/* How many games an exploration counted together, and one by one. */
typedef struct explored {
    uint64_t together, single;
} explored;

static bool count_game(void *context, const tby_db_reaching *game)
{
    (void)game;
    ((explored *)context)->single++;
    return true;
}

static void count_games(void *context, const tby_db_move *move) { ((explored *)context)->together += move->games; }

/* Exploring finds the games of the search by its plan, if there is one, and then those of them that reach the position. It
   is done here too, so that the numbers are those of what happens. */
static bool describe_exploring(tby_db *base, db_plan *made, buffer *out)
{
    position_runs runs;
    const bool is_search = made->search->query || made->search->where;
    explored n = {0};
    const reaching_visitor visitor = {.visit = count_game, .add = count_games, .context = &n};
    const bool is_good = positions_runs(lite_of(base), &runs) && lite_reach(base, made, &visitor);
    const bool is_replayed = made->search->ignores_index || !runs.n;
    positions_free(&runs);
    if (!is_good)
        return false;
    if (n.together)
        buffer_printf(out, "moves: from the stored counts of this position, %llu games\n",
                      (unsigned long long)n.together);
    if (n.single || !n.together)
        buffer_printf(out, "moves: from %llu games one by one, %s\n", (unsigned long long)n.single,
                      is_replayed ? "by replaying them" : "by the index of positions as far as it goes");
    if (!is_search)
        return !out->has_failed || lite_fail_memory(lite_of(base));
    buffer_string(out, "among the games that match the query:\n");
    return describe_find(base, made, out);
}

bool lite_describe_plan(tby_db *base, db_plan *made, buffer *out)
{
    return made->pos ? describe_exploring(base, made, out) : describe_find(base, made, out);
}
