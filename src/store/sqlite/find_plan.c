/*
 * find_plan.c - decides how a file finds the games of a search, by cost (find_plan.h).
 */
#include "store/sqlite/find_plan.h"
#include "base/contract.h"
#include "query/facts.h"
#include "query/members.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/index/index.h"

#include <stdlib.h>

/* ---- How many games SQL finds by an index --------------------------------------------------------------- */

typedef struct estimator {
    lite *db;
    const tby_query *query;
    query_members *members;
    tby_game_id last_id;
    bool has_index[N_COLUMNS_MAX]; /* of each column */
} estimator;

/* Indexes are named after the table and the column. */
static bool find_indexes(estimator *e)
{
    lite_rows r =
        lite_rows_of(e->db, lite_prepare(e->db, "SELECT substr(name, 6) FROM sqlite_master WHERE type = 'index'"
                                                " AND name LIKE 'game!_%' ESCAPE '!'"));
    while (lite_next(&r)) {
        const char *name = (const char *)sqlite3_column_text(r.s, 0);
        const row_column *column = name ? column_named(name) : NULL;
        if (column)
            e->has_index[column - row_columns] = true;
    }
    return lite_end(&r);
}

/* Do all columns of the fact have an index? */
static bool is_indexed(const estimator *e, const query_fact *f)
{
    for (size_t i = 0; i < 2 && f->columns[i].name; i++) {
        const row_column *column = column_named(f->columns[i].name);
        if (!column_is(column, KIND(COLUMN_NAME) | KIND(COLUMN_MOVES)) || !e->has_index[column - row_columns])
            return false;
    }
    return true;
}

static double share_of_games(const estimator *e, const collection_games *games)
{
    return e->last_id < 1 ? 0 : (double)games->n / (double)e->last_id;
}

static double share_of_ids(const estimator *e, const query_node *node)
{
    const double low = node->u.range.low > 1 ? (double)node->u.range.low : 1,
                 high = node->u.range.high < e->last_id ? (double)node->u.range.high : (double)e->last_id;
    return high < low || e->last_id < 1 ? 0 : (high - low + 1) / (double)e->last_id;
}

/* Names and moves are found with their indexes, and game numbers in the table itself. */
static cover estimate_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    const estimator *e = context;
    const query_fact *f = fact_of_node(node);
    const bool is_id = f->columns[0].name && !column_named(f->columns[0].name);
    (void)id;
    if (side == BOUND_MAY && node_is_collection(node) && !node_is_uncollected(node)) {
        *(double *)value = share_of_games(e, members_of(e->members, e->query, node));
        return COVER_MORE;
    }
    if (side == BOUND_MUST || !f->columns[0].name || (!is_id && !is_indexed(e, f)))
        return COVER_NONE;
    *(double *)value = is_id ? share_of_ids(e, node) : SHARE_BY_INDEX;
    return COVER_MORE;
}

static void estimate_constant(void *context, void *value, bool is_true)
{
    (void)context;
    *(double *)value = is_true ? 1 : 0;
}

static bool estimate_join(void *context, void *value, const void *other, bool is_or)
{
    const double a = *(double *)value, b = *(const double *)other, most = a > b ? a : b;
    const double sum = a + b < SHARE_BY_INDEXES ? a + b : SHARE_BY_INDEXES;
    (void)context;
    *(double *)value = is_or ? (sum > most ? sum : most) : a + b - most;
    return true;
}

static void estimate_negate(void *context, void *value)
{
    (void)context;
    *(double *)value = 1;
}

static bool estimate(find_plan *p, lite *db, const tby_query *query)
{
    static const bound_domain domain = {.leaf = estimate_fact,
                                        .constant = estimate_constant,
                                        .join = estimate_join,
                                        .negate = estimate_negate,
                                        .size = sizeof(double)};
    estimator e = {.db = db, .query = query, .members = p->base.members, .last_id = p->last_id};
    if (!find_indexes(&e))
        return false;
    double *values = calloc(bound_n_values(query), sizeof *values);
    if (!values)
        return lite_fail_memory(db);
    if (bound_query(&domain, &e, values, query, query->program.root, BOUND_MAY) != COVER_NONE)
        p->fraction = values[0];
    free(values);
    return true;
}

/* ---- The choice ----------------------------------------------------------------------------------------- */

static bool find_last_id(find_plan *p, lite *db)
{
    return lite_last_id(db, &p->last_id) && (p->last_id <= UINT32_MAX || fail_game_id(db, p->last_id));
}

static void add_position(find_plan *p)
{
    const bool is_scanned = p->base.search->ignores_index;
    if (p->plan.position)
        plan_add(&p->plan, BY_POSITION,
                 p->target.is_placement ? "position: the pieces alone, by the sketches of all games"
                 : is_scanned           ? "position: by the sketches of all games"
                                        : "position: by its index, and by the sketches of games that it does not hold",
                 NULL);
}

static void add_sql(find_plan *p, plan_by by, const char *what)
{
    plan_step *step = plan_add(&p->plan, by, what, p->plan.where.s);
    if (p->fraction < 1)
        step->n_games = (int64_t)(p->fraction * (double)p->last_id) + 1;
}

static void add_where(find_plan *p)
{
    if (p->base.search->where)
        plan_add(&p->plan, BY_WHERE, "where:", p->base.search->where);
}

#define RECORDS_TOLD "results, ratings, dates, speeds, openings: by the facts of the games"

/* Adds the indexes that can answer a part of the query, the cheaper ones first. */
static bool add_indexes(find_plan *p, lite *db, const tby_query *query)
{
    if (p->last_id < 1)
        return true;
    if (p->records != COVER_NONE)
        plan_add(&p->plan, BY_RECORDS, RECORDS_TOLD, NULL);
    for (unsigned i = 0; i < N_INDEXES; i++) {
        bool helps;
        if (!index_rules_out(db, (index_place)i, query, p->last_id, NULL, &helps))
            return false;
        if (helps)
            plan_add(&p->plan, BY_INDEX, db_indexes[i]->helps, NULL)->index = i;
    }
    return true;
}

/* Records and lists decide the whole query, and the evaluator the few games that they leave open. */
static bool is_by_records(const find_plan *p)
{
    return p->records == COVER_EXACT && !p->plan.position && !p->base.search->where;
}

/* If games must be checked one by one, every index helps. */
static bool choose_asking(find_plan *p, lite *db)
{
    const tby_query *query = p->base.search->query;
    const bool has_indexes = !p->base.search->ignores_index;
    if (!find_last_id(p, db) ||
        (has_indexes && (!records_cover(db, query, NULL, &p->records) || (p->plan.where.n && !estimate(p, db, query)))))
        return false;
    if (is_by_records(p)) {
        plan_add(&p->plan, BY_RECORDS, RECORDS_TOLD, NULL);
        return true;
    }
    const bool is_worth = p->plan.where.n && p->fraction <= SHARE_WORTHWHILE;
    add_position(p);
    if (is_worth)
        add_sql(p, BY_SQL, "sql, by an index:");
    add_where(p);
    if (has_indexes && !add_indexes(p, db, query))
        return false;
    if (p->plan.where.n && !is_worth)
        add_sql(p, BY_ROWS, "sql, game by game:");
    plan_add(&p->plan, BY_EVALUATOR, "query", NULL);
    return true;
}

bool find_plan_settle(find_plan *p, lite *db)
{
    plan_step *step = p->plan.n_steps ? &p->plan.steps[p->plan.n_steps - 1] : NULL;
    if (p->is_settled || !step || step->by != BY_RECORDS || p->plan.position)
        return true;
    const record_question asked = {p->base.search->query,    p->state, NULL, p->last_id, p->only,
                                   p->base.search->n_threads};
    p->is_settled = records_decide(db, &asked, &p->may, &p->must);
    if (!p->is_settled)
        return false;
    const int64_t n_games = game_set_count(&p->may), n_open = n_games - game_set_count(&p->must);
    if (p->plan.covered == COVER_EXACT && (double)n_open >= SHARE_OPEN * (double)p->last_id) {
        p->plan.n_steps = 0;
        add_sql(p, BY_SQL, "sql:");
        return true;
    }
    step->n_games = n_games;
    step->is_counted = n_open == 0;
    return true;
}

/* Adds steps if records are cheaper than SQL, which must look at games for anything else. They decide the games that
   reach a position if nothing else is asked. */
static bool choose_records(find_plan *p, lite *db)
{
    const tby_db_search *search = p->base.search;
    if (!p->plan.where.n || search->where || search->ignores_index)
        return true;
    if (!records_cover(db, search->query, p->plan.position, &p->records))
        return false;
    if (p->plan.position) {
        if (p->records != COVER_EXACT)
            return true;
        add_position(p);
        plan_add(&p->plan, BY_RECORDS, RECORDS_TOLD, NULL);
        return find_last_id(p, db);
    }
    if (p->records == COVER_NONE && !p->only)
        return true;
    if (!find_last_id(p, db) || !estimate(p, db, search->query))
        return false;
    if (p->only || COST_OF_RECORD < p->fraction) {
        const bool is_exact = p->records == COVER_EXACT;
        plan_add(&p->plan, BY_RECORDS,
                 is_exact ? RECORDS_TOLD : RECORDS_TOLD ", and sql:", is_exact ? NULL : p->plan.where.s);
    }
    return true;
}

static bool choose_exact(find_plan *p, lite *db)
{
    if (!choose_records(p, db))
        return false;
    if (p->plan.n_steps > 0)
        return true;
    add_position(p);
    if (p->plan.where.n)
        add_sql(p, BY_SQL, "sql:");
    add_where(p);
    return true;
}

bool find_plan_make(find_plan *out, lite *db, const tby_db_search *search, query_members *members, const game_set *only)
{
    TBY_CONTRACT(search != NULL);
    conditions c = {.db = db, .members = members, .by_index = !search->ignores_index};
    const dialect d = conditions_dialect(&c);
    *out = (find_plan){.base = {.search = search, .members = members}, .only = only, .fraction = 1};
    if (search->query && !(out->state = tby_query_state_new(search->query, NULL)))
        return lite_fail_memory(db);
    if (out->state)
        out->state->members = members;
    if (!plan_make(&out->plan, search->query, &d))
        return lite_fail_memory(db);
    if (c.has_failed)
        return false;
    if (out->plan.position)
        out->target = plan_target(out->plan.position);
    return out->plan.is_position || out->plan.covered == COVER_EXACT ? choose_exact(out, db) : choose_asking(out, db);
}

void find_plan_free(find_plan *p)
{
    plan_free(&p->plan);
    game_set_free(&p->may);
    game_set_free(&p->must);
    tby_query_state_free(p->state);
}

db_plan *lite_plan(tby_db *base, const tby_db_search *search, const tby_position *pos, query_members *members)
{
    find_plan *p = calloc(1, sizeof *p);
    if (!p) {
        db_fail_memory(base);
        return NULL;
    }
    if (!find_plan_make(p, lite_of(base), search, members, NULL)) {
        lite_plan_free(base, &p->base);
        return NULL;
    }
    p->base.pos = pos;
    p->base.is_sorted = lite_can_sort(p);
    return &p->base;
}

void lite_plan_free(tby_db *base, db_plan *made)
{
    (void)base;
    find_plan_free((find_plan *)made);
    free(made);
}
