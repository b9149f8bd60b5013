/*
 * find.c - finds the games that a query holds for.
 *
 *     query --> plan             a position, conditions of SQL, and what is left
 *           --> candidates       by the index of positions or the scan of sketches (scan.c), by SQL, and by what the
 *                                games have had (skip.c)
 *           --> evaluator        asks each, if the plan is not exact (ask.c)
 *           --> visit
 *
 * An exact plan is one SQL query; the games that come to a position are then put into a temporary table.
 */
#include "game/array.h"
#include "store/sqlite/ask.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/by_facts.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/scan.h"
#include "store/sqlite/skip.h"
#include "store/sqlite/where.h"

#include <stdlib.h>
#include <string.h>

/* A search while it goes on. */
typedef struct finding {
    lite *db;
    const tby_db_search *search;
    const game_set *only; /* the games that matter to the caller; NULL: all */
    plan plan;
    tby_target target; /* of plan.position */
    tby_query_state *state;
    tby_query_state *outer; /* the state of a search that this one is part of */
    tby_db_hit *hits;       /* games that come to the position */
    size_t n_hits, cap_hits;
    tby_db_visit visit;
    void *context;
    int64_t n_seen, n_visited;
    bool is_over;   /* the limit is reached, or the visitor has enough */
    game_set among; /* games that are left to be asked */
    tby_game_id last_id;
    bool is_where_indexed; /* plan.where has been answered by an index */
    facts_say facts_say;   /* what the facts tell of the query */
    block *facts;          /* of the game that is visited, if they were asked for */
} finding;

/* ---- Beginning and ending ------------------------------------------------------------------------------- */

static bool is_exact(const finding *f) { return f->plan.is_position || f->plan.covered == COVER_EXACT; }

static bool begin(finding *f)
{
    const tby_query *query = f->search->query;
    conditions c = {.db = f->db, .by_index = !f->search->ignores_index};
    const dialect d = tby_conditions_dialect(&c);
    if (!tby_plan_make(&f->plan, query, &d))
        return lite_fail_memory(f->db);
    if (c.has_failed)
        return false;
    if (f->plan.position)
        f->target = tby_plan_target(f->plan.position);
    if (query && !(f->state = tby_query_state_new(query, NULL)))
        return lite_fail_memory(f->db);
    f->outer = f->db->facts;
    f->db->facts = f->state;
    return !query || tby_facts_say(f->db, query, &f->facts_say);
}

static void end(finding *f)
{
    if (f->state)
        f->db->facts = f->outer;
    tby_query_state_free(f->state);
    tby_plan_free(&f->plan);
    free(f->hits);
    tby_game_set_free(&f->among);
}

/* ---- Hits ----------------------------------------------------------------------------------------------- */

/* Counts a game that was found, and passes it on if it is wanted. */
static void take(finding *f, tby_game_id id, int ply)
{
    const tby_db_hit found = {id, f->search->query && !f->search->query->is_of_game ? ply : -1};
    if (f->n_seen++ < f->search->offset)
        return;
    f->n_visited++;
    f->is_over = !f->visit(f->context, &found) || (f->search->limit > 0 && f->n_visited >= f->search->limit);
}

static bool add_hit(void *context, const hit *h)
{
    finding *f = context;
    if (!array_reserve(&f->hits, &f->cap_hits, f->n_hits + 1, sizeof *f->hits, NULL))
        return lite_fail_memory(f->db);
    f->hits[f->n_hits++] = (tby_db_hit){h->id, h->ply};
    return true;
}

static int compare_hits(const void *a, const void *b)
{
    const tby_db_hit *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Hits of the index come before those of the scan. */
static void sort_hits(finding *f)
{
    for (size_t i = 1; i < f->n_hits; i++)
        if (f->hits[i].id < f->hits[i - 1].id) {
            qsort(f->hits, f->n_hits, sizeof *f->hits, compare_hits);
            return;
        }
}

static scan_options options_of(const finding *f)
{
    return (scan_options){
        .targets = &f->target,
        .n_targets = 1,
        .max_ply = f->plan.max_ply,
        .n_threads = f->search->n_threads,
        .ignores_index = f->search->ignores_index,
    };
}

/* Is the position all that is asked for? */
static bool is_position_only(const finding *f)
{
    return f->plan.is_position && f->plan.where.n == 0 && !f->search->where;
}

/* So many games, the first ones, are enough; 0 = all are wanted. */
static int64_t n_wanted(const finding *f)
{
    const int64_t offset = f->search->offset > 0 ? f->search->offset : 0, limit = f->search->limit;
    return limit > 0 && offset <= INT64_MAX - limit ? offset + limit : 0;
}

static bool find_hits(finding *f)
{
    scan_options options = options_of(f);
    if (is_position_only(f))
        options.n_wanted = n_wanted(f);
    if (!tby_scan(f->db, &options, add_hit, f))
        return false;
    sort_hits(f);
    return true;
}

static bool insert_hits(finding *f)
{
    sqlite3_stmt *s = lite_prepare(f->db, "INSERT INTO temp.hit VALUES(?1, ?2)");
    bool is_good = s != NULL;
    for (size_t i = 0; is_good && i < f->n_hits; i++) {
        sqlite3_bind_int64(s, 1, f->hits[i].id);
        sqlite3_bind_int(s, 2, f->hits[i].ply);
        is_good = lite_do(f->db, s);
    }
    sqlite3_finalize(s);
    return is_good;
}

/* Reports what failed first: by now SQLite may have given up the savepoint. */
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

/* "SELECT ... FROM game [JOIN hit] WHERE ... ORDER BY game.id [LIMIT n]": SQLite sorts no more than the limit. */
static void put_statement(text_buffer *out, const finding *f)
{
    const char *word = " WHERE ";
    tby_text_string(out, f->plan.position
                             ? "SELECT game.id, hit.ply FROM temp.hit CROSS JOIN game ON game.id = hit.game"
                             : "SELECT game.id, 0 FROM game");
    if (f->plan.where.n) {
        tby_text_printf(out, "%s(%s)", word, f->plan.where.s);
        word = " AND ";
    }
    if (f->search->where)
        tby_text_printf(out, "%sgame.id IN (SELECT id FROM " WHERE_TABLE " WHERE (%s))", word, f->search->where);
    tby_text_string(out, " ORDER BY game.id");
    if (n_wanted(f))
        tby_text_printf(out, " LIMIT %lld", (long long)n_wanted(f));
}

/* Where the statement may hold a condition of the user's, it is watched. */
static sqlite3_stmt *prepare(finding *f, const char *sql)
{
    return f->search->where ? lite_prepare_where(f->db, sql) : lite_prepare(f->db, sql);
}

/* All that is left to do is SQL. */
static bool visit_rows(finding *f)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    text_buffer sql = {0};
    put_statement(&sql, f);
    sqlite3_stmt *s = sql.has_failed ? NULL : prepare(f, sql.s);
    if (sql.has_failed)
        lite_fail_memory(f->db);
    while (s && !failed && !f->is_over && lite_step_up(f->db, s, &before, &failed))
        take(f, sqlite3_column_int64(s, 0), sqlite3_column_int(s, 1));
    sqlite3_finalize(s);
    tby_text_free(&sql);
    return s && !failed;
}

/* ---- Candidates ----------------------------------------------------------------------------------------- */

static bool find_last_id(finding *f)
{
    return lite_last_id(f->db, &f->last_id) &&
           (f->last_id <= UINT32_MAX ||
            lite_fail(f->db, TBY_INVALID_DATABASE, "the database is damaged: there can be no game %lld",
                      (long long)f->last_id));
}

/* Leaves the games of which `sql`, given a condition, tells the number. */
static bool keep_found(finding *f, const char *format, const char *condition)
{
    bool failed = false;
    text_buffer sql = {0};
    game_set found = {0};
    tby_text_printf(&sql, format, condition);
    if (sql.has_failed || !tby_game_set_init(&found, f->last_id))
        failed = !lite_fail_memory(f->db);
    sqlite3_stmt *s = failed ? NULL : prepare(f, sql.s);
    while (s && lite_step(f->db, s, &failed))
        game_set_put(&found, sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    tby_text_free(&sql);
    if (s && !failed)
        tby_game_set_keep(&f->among, &found);
    tby_game_set_free(&found);
    return s && !failed;
}

/* Does SQLite answer the condition without looking at every game? */
static bool is_indexed(finding *f, bool *answer)
{
    bool failed = false;
    text_buffer sql = {0};
    tby_text_printf(&sql, "EXPLAIN QUERY PLAN SELECT game.id FROM game WHERE %s", f->plan.where.s);
    sqlite3_stmt *s = sql.has_failed ? NULL : lite_prepare(f->db, sql.s);
    *answer = s && lite_step(f->db, s, &failed) &&
              strncmp((const char *)sqlite3_column_text(s, 3), "SCAN game", 9) != 0;
    if (sql.has_failed)
        lite_fail_memory(f->db);
    sqlite3_finalize(s);
    tby_text_free(&sql);
    return s && !failed;
}

static bool keep_hits(finding *f)
{
    game_set found = {0};
    if (!tby_game_set_init(&found, f->last_id))
        return lite_fail_memory(f->db);
    for (size_t i = 0; i < f->n_hits; i++)
        game_set_put(&found, f->hits[i].id);
    tby_game_set_keep(&f->among, &found);
    return true;
}

/* Leaves the games that results, ratings and dates do not rule out. */
static bool keep_judged(finding *f, text_buffer *told)
{
    game_set may = {0}, must = {0};
    if (f->last_id < 1 || f->facts_say == FACTS_NOTHING)
        return true;
    const bool is_good =
        tby_facts_judge(f->db, f->search->query, f->last_id, f->among.pages ? &f->among : NULL, &may, &must);
    if (is_good)
        tby_game_set_keep(&f->among, &may);
    tby_game_set_free(&may);
    tby_game_set_free(&must);
    if (is_good && told)
        tby_text_printf(told, "results, ratings, dates, speeds: by the facts, which leave %lld games\n",
                        (long long)tby_game_set_count(&f->among));
    return is_good;
}

static bool keep_only(finding *f)
{
    game_set copy = {0};
    if (!f->only)
        return true;
    if (!tby_game_set_init(&copy, f->last_id))
        return lite_fail_memory(f->db);
    for (uint64_t w = 0, games; (games = tby_game_set_next_word(f->only, &w)) != 0; w++)
        game_set_put_at(&copy, w, games);
    tby_game_set_keep(&f->among, &copy);
    return true;
}

/* What indexes leave of the games; f->among has no pages if they leave all. */
static bool use_indexes(finding *f, text_buffer *told)
{
    if (!find_last_id(f) || !keep_only(f))
        return false;
    if (f->plan.where.n && !f->search->ignores_index && !is_indexed(f, &f->is_where_indexed))
        return false;
    if (f->is_where_indexed && !keep_found(f, "SELECT game.id FROM game WHERE %s", f->plan.where.s))
        return false;
    if (f->search->where && !keep_found(f, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", f->search->where))
        return false;
    if (f->plan.position && !keep_hits(f))
        return false;
    return f->search->ignores_index ||
           (keep_judged(f, told) && tby_skip(f->db, f->search->query, f->last_id, &f->among, told));
}

static bool narrow_down(finding *f, text_buffer *told)
{
    return use_indexes(f, told) && (!f->among.has_failed || lite_fail_memory(f->db));
}

static bool take_asked(void *context, const tby_db_hit *h)
{
    finding *f = context;
    take(f, h->id, h->ply);
    return !f->is_over;
}

static bool ask_games(finding *f)
{
    if (!narrow_down(f, NULL))
        return false;
    const ask_options options = {
        .query = f->search->query,
        .where = f->plan.where.n && !f->is_where_indexed ? f->plan.where.s : NULL,
        .among = f->among.pages ? &f->among : NULL,
        .n_threads = f->search->n_threads,
        .progress = f->search->progress,
        .progress_context = f->search->progress_context,
    };
    return tby_ask(f->db, &options, take_asked, f);
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* Are the facts of the games worth a look: is there something that they tell, and no index that does? */
static bool asks_facts(finding *f, bool *answer)
{
    *answer = f->search->query && !f->search->where && !f->plan.position && f->plan.where.n &&
              !f->search->ignores_index && (f->facts_say != FACTS_NOTHING || f->only);
    if (!*answer)
        return true;
    bool is_better = false;
    const bool is_good = is_indexed(f, &is_better);
    *answer = is_good && !is_better;
    return is_good;
}

/* More than one game in so many is left to SQL: then it had better look at all of them. */
enum { MANY_LEFT = 8 };
static bool leaves_few(const finding *f, const game_set *may, const game_set *must)
{
    return (tby_game_set_count(may) - tby_game_set_count(must)) * MANY_LEFT < f->last_id;
}

/* What they do not tell is for SQL. */
static bool visit_judged(finding *f, sqlite3_stmt *s, const game_set *may, const game_set *must)
{
    bool failed = false;
    uint64_t w = 0;
    for (uint64_t rest; !f->is_over && !failed && (rest = tby_game_set_next_word(may, &w)) != 0; w++)
        for (; rest && !f->is_over && !failed; rest &= rest - 1) {
            const tby_game_id id = (tby_game_id)(w * 64) + __builtin_ctzll(rest);
            bool holds = game_set_has(must, id);
            if (!holds) {
                sqlite3_bind_int64(s, 1, id);
                holds = lite_step(f->db, s, &failed);
                sqlite3_reset(s);
            }
            if (holds)
                take(f, id, 0);
        }
    return !failed;
}

/* `*is_done` is false if it is not worth while. */
static bool find_by_facts(finding *f, bool *is_done)
{
    text_buffer sql = {0};
    game_set may = {0}, must = {0};
    *is_done = false;
    tby_text_printf(&sql, "SELECT 1 FROM game WHERE game.id = ?1 AND (%s)", f->plan.where.s);
    sqlite3_stmt *s = sql.has_failed ? NULL : lite_prepare(f->db, sql.s);
    if (sql.has_failed)
        lite_fail_memory(f->db);
    bool is_good = s && find_last_id(f) && tby_facts_judge(f->db, f->search->query, f->last_id, f->only, &may, &must);
    if (is_good && leaves_few(f, &may, &must)) {
        *is_done = true;
        is_good = visit_judged(f, s, &may, &must);
    }
    sqlite3_finalize(s);
    tby_text_free(&sql);
    tby_game_set_free(&may);
    tby_game_set_free(&must);
    return is_good;
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

static bool find(finding *f)
{
    if (f->plan.position && !find_hits(f))
        return false;
    if (is_position_only(f)) {
        for (size_t i = 0; i < f->n_hits && !f->is_over; i++)
            take(f, f->hits[i].id, f->hits[i].ply);
        return true;
    }
    if (!is_exact(f))
        return ask_games(f);
    bool asks = false, is_done = false;
    if (!asks_facts(f, &asks) || (asks && !find_by_facts(f, &is_done)))
        return false;
    if (is_done)
        return true;
    return (!f->plan.position || put_hits(f)) && visit_rows(f);
}

bool lite_find_among(lite *db, const tby_db_search *search, const game_set *only, tby_db_visit visit, void *context)
{
    finding f = {.db = db, .search = search, .only = only, .visit = visit, .context = context};
    block **outer = db->visited;
    db->visited = &f.facts;
    db->lists_rows = search->wanted == TBY_WANTED_ROWS;
    const bool is_good = begin(&f) && find(&f);
    db->lists_rows = false;
    db->visited = outer;
    tby_facts_free(f.facts);
    end(&f);
    return is_good;
}

bool lite_find(lite *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    return lite_find_among(db, search, NULL, visit, context);
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

static bool count_row(void *context, const tby_db_hit *h)
{
    (void)h;
    ++*(int64_t *)context;
    return true;
}

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

bool lite_count(lite *db, const tby_db_search *search, int64_t *out)
{
    int64_t n = 0;
    if (!search->query && !search->where && !search->limit && !search->offset)
        return lite_n_games(db, out);
    finding f = {.db = db, .search = search, .visit = count_row, .context = &n};
    bool is_good = begin(&f);
    if (is_good && is_position_only(&f) && !search->limit && !search->offset) {
        scan_options options = options_of(&f);
        options.count = count_many;
        is_good = tby_scan(db, &options, count_hit, &n);
    } else {
        is_good = is_good && find(&f);
    }
    end(&f);
    *out = n;
    return is_good;
}

/* ---- Explaining ----------------------------------------------------------------------------------------- */

/* "plan: SEARCH game USING INDEX game_white (white=?)" */
static bool explain_sql(finding *f, text_buffer *out)
{
    text_buffer sql = {0};
    bool failed = false;
    tby_text_string(&sql, "EXPLAIN QUERY PLAN ");
    put_statement(&sql, f);
    if (sql.has_failed)
        lite_fail_memory(f->db);
    sqlite3_stmt *s = sql.has_failed ? NULL : prepare(f, sql.s);
    while (s && !failed && lite_step(f->db, s, &failed)) {
        const char *detail = (const char *)sqlite3_column_text(s, 3);
        if (detail)
            tby_text_printf(out, "plan: %s\n", detail);
        else
            failed = !lite_fail_memory(f->db);
    }
    sqlite3_finalize(s);
    tby_text_free(&sql);
    return s && !failed;
}

/* Uses the indexes, to say how many games they leave. */
static bool explain_asking(finding *f, text_buffer *out)
{
    if ((f->plan.position && !find_hits(f)) || !narrow_down(f, out))
        return false;
    if (f->plan.where.n)
        tby_text_string(out, f->is_where_indexed ? "sql: by an index, before the games are asked\n"
                                                 : "sql: game by game, before the query\n");
    if (f->among.pages)
        tby_text_printf(out, "left to ask of %lld games of %lld: the query\n", (long long)tby_game_set_count(&f->among),
                        (long long)f->last_id);
    else
        tby_text_string(out, "left to ask of each game: the query\n");
    return true;
}

static bool explain(finding *f, text_buffer *out)
{
    bool is_good = true;
    if (f->plan.position) {
        tby_text_string(out, f->target.is_placement ? "position: the pieces alone, by the sketches of all games\n"
                             : f->search->ignores_index
                                 ? "position: by the sketches of all games\n"
                                 : "position: by its index, and by the sketches of games that it "
                                   "does not hold\n");
        if (f->plan.max_ply < TBY_PLIES_MAX)
            tby_text_printf(out, "position: within %d half-moves\n", f->plan.max_ply);
        is_good = put_hits(f);
    }
    if (f->plan.where.n)
        tby_text_printf(out, "sql: %s\n", f->plan.where.s);
    if (f->search->where)
        tby_text_printf(out, "where: %s\n", f->search->where);
    if (is_exact(f)) {
        bool asks = false;
        is_good = is_good && asks_facts(f, &asks);
        if (asks)
            tby_text_string(out, "results, ratings, dates, speeds: by the facts of the games\n");
        const bool is_told = is_position_only(f) || (asks && f->facts_say == FACTS_ALL);
        is_good = is_good && (is_told || explain_sql(f, out));
        tby_text_string(out, "left to ask of each game: nothing\n");
    } else {
        is_good = is_good && explain_asking(f, out);
    }
    if (out->has_failed)
        return lite_fail_memory(f->db);
    return is_good;
}

bool lite_explain(lite *db, const tby_db_search *search, text_buffer *out)
{
    finding f = {.db = db, .search = search};
    const bool is_good = begin(&f) && explain(&f, out);
    end(&f);
    return is_good;
}
