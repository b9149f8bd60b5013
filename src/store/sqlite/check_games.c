/*
 * check_games.c - checks a query against many games: blocks of ids, shared by threads.
 *
 *     block of ids --> a range of the table, or the few games one by one --> evaluator --> the block's hits
 *
 * The calling thread works too. Between its blocks it passes on the hits of all blocks that are complete up to there.
 */
#include "base/contract.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/find_plan.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/scan.h"
#include "store/sqlite/schema.h"

/* From THREAD_GAMES games on, another thread is worth its connection. */
enum { THREAD_GAMES = 2000 };

typedef struct worker {
    const struct checking *checking;
    lite *db;
    tby_query_state *state;
    sqlite3_stmt *range;
} worker;

/* One search, shared by its threads. */
typedef struct checking {
    const tby_db_search *search;
    const tby_query *query;
    const query_members *members;
    const char *where;
    const game_set *among;
    unsigned kinds; /* of columns that are needed */
    hit_block *blocks;
    int64_t n_blocks, n_visited; /* blocks that were passed on */
    atomic_bool is_over;         /* the visitor has enough */
    tby_db_visit visit;
    void *context;
    worker workers[THREADS_MAX];
} checking;

/* ---- SQL ------------------------------------------------------------------------------------------------ */

/* The columns the evaluator needs of each game. Without a row these are the moves and the record; columns from another
   table need a look-up. The number is last. */
enum { BARE_MOVES, BARE_ANNOTATED, BARE_ID };

static bool needs_row(const tby_query *q) { return tby_query_needs(q) & TBY_QUERY_NEEDS_ROW; }
static bool needs_annotated(const tby_query *q) { return tby_query_needs(q) & TBY_QUERY_NEEDS_ANNOTATED; }
static int id_column(const tby_query *q) { return needs_row(q) ? (int)n_row_columns : BARE_ID; }

/* Columns that need a look-up are read only if a fact needs them. */
static unsigned needed_kinds(const tby_query *q)
{
    unsigned needed = 0;
    for (uint32_t id = 0; id <= q->program.root; id++) {
        const query_fact *f = fact_of_node(tree_node(&q->program, id));
        const row_column *column = f->columns[0].name ? column_named(f->columns[0].name) : NULL;
        needed |= f->kinds | (column ? KIND(column->kind) : 0);
    }
    const unsigned looked_up = KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE) | KIND(COLUMN_HASH);
    return (KINDS_ALL & ~looked_up) | (needed & looked_up);
}

/* Selects by game number alone: other indexes have already been used. */
static sqlite3_stmt *check_prepare(lite *db, const checking *a)
{
    buffer sql = {0};
    if (needs_row(a->query))
        schema_select(&sql, a->kinds, ", game.id", " NOT INDEXED");
    else
        buffer_printf(&sql, "SELECT moves, %s, id FROM game NOT INDEXED",
                      needs_annotated(a->query) ? "annotated" : "NULL");
    buffer_string(&sql, " WHERE game.id BETWEEN ?1 AND ?2");
    if (a->where)
        buffer_printf(&sql, " AND (%s)", a->where);
    buffer_string(&sql, " ORDER BY game.id");
    return lite_prepare_text(db, &sql);
}

/* ---- One block ------------------------------------------------------------------------------------------ */

/* Checks the game in the statement's row. */
static bool check_row(worker *w, hit_block *to, sqlite3_stmt *s, tby_game_id id)
{
    tby_row row;
    tby_query_game game = {.id = id};
    if (needs_row(w->checking->query)) {
        schema_row(&row, s, w->checking->kinds);
        game = tby_query_game_of_row(&row, id);
    } else {
        game.moves = sqlite3_column_blob(s, BARE_MOVES);
        game.n_moves = (size_t)sqlite3_column_bytes(s, BARE_MOVES);
        if (needs_annotated(w->checking->query)) {
            game.annotated = sqlite3_column_blob(s, BARE_ANNOTATED);
            game.n_annotated = (size_t)sqlite3_column_bytes(s, BARE_ANNOTATED);
        }
    }
    const int ply = tby_query_first(w->state, &game);
    if (ply == TBY_QUERY_NO_MEMORY)
        return lite_fail_memory(w->db);
    if (ply == TBY_QUERY_DAMAGED)
        return lite_fail(w->db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)id);
    const hit h = {.id = (uint32_t)id, .ply = (uint16_t)ply};
    return ply < 0 || hit_list_add(&to->hits, &h);
}

static bool check_range(worker *w, hit_block *to, tby_game_id first, tby_game_id last)
{
    const game_set *among = w->checking->among;
    const int column = id_column(w->checking->query);
    lite_rows r = lite_rows_again(w->db, w->range);
    lite_bind(&r, 1, first);
    lite_bind(&r, 2, last);
    for (tby_game_id least = first; least <= last && lite_next(&r);) {
        const tby_game_id id = sqlite3_column_int64(r.s, column);
        r.failed = !game_id_is_in(w->db, id, least, last) ||
                   ((!among || game_set_has(among, id)) && !check_row(w, to, r.s, id));
        least = id + 1;
    }
    return lite_end(&r);
}

static int count_games(const game_set *set, tby_game_id first)
{
    int n = 0;
    for (tby_game_id id = first; id < first + BLOCK_GAMES; id += 64)
        n += __builtin_popcountll(game_set_word(set, id));
    return n;
}

static bool check_block(worker *w, hit_block *to)
{
    const tby_game_id first = to->number * BLOCK_GAMES + 1;
    const game_set *among = w->checking->among;
    bool is_good = true;
    if (!among || !are_few(count_games(among, first), BLOCK_GAMES))
        return check_range(w, to, first, first + BLOCK_GAMES - 1 < UINT32_MAX ? first + BLOCK_GAMES - 1 : UINT32_MAX);
    for (tby_game_id id = first; id < first + BLOCK_GAMES; id += 64)
        for (uint64_t rest = game_set_word(among, id); rest && is_good; rest &= rest - 1)
            is_good = check_range(w, to, id + __builtin_ctzll(rest), id + __builtin_ctzll(rest));
    return is_good;
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

/* Passes on the complete blocks, up to the first incomplete one. */
static void visit_settled(checking *a)
{
    bool goes_on = true;
    for (; goes_on && a->n_visited < a->n_blocks && atomic_load(&a->blocks[a->n_visited].is_done); a->n_visited++) {
        const hit_list *list = &a->blocks[a->n_visited].hits;
        for (size_t i = 0; goes_on && i < list->n; i++)
            goes_on = a->visit(a->context, &(tby_db_hit){list->hits[i].id, list->hits[i].ply});
    }
    if (!goes_on) {
        a->n_visited = a->n_blocks;
        atomic_store(&a->is_over, true);
    }
}

/* What the calling thread does between its blocks. */
static bool check_look_up(checking *a, lite *db)
{
    const tby_db_search *s = a->search;
    visit_settled(a);
    const double fraction = (double)a->n_visited / (double)a->n_blocks;
    return lite_goes_on(db) && (!s->progress || s->progress(s->progress_context, fraction) ||
                                lite_fail(db, TBY_INTERRUPTED, "interrupted"));
}

static bool check_join(void *context, lite *db, unsigned thread)
{
    checking *a = context;
    worker *w = &a->workers[thread];
    *w = (worker){.checking = a, .db = db};
    w->state = tby_query_state_new(a->query, NULL);
    if (w->state)
        w->state->members = a->members;
    return (w->state || lite_fail_memory(db)) && (w->range = conditions_bind(check_prepare(db, a), w->state));
}

static void worker_end(worker *w)
{
    sqlite3_finalize(w->range);
    tby_query_state_free(w->state);
}

static bool check_work(void *context, lite *db, unsigned thread, int64_t number)
{
    checking *a = context;
    if (atomic_load(&a->is_over))
        return true;
    a->blocks[number].hits.db = db;
    if (!check_block(&a->workers[thread], &a->blocks[number]))
        return false;
    atomic_store(&a->blocks[number].is_done, true);
    return thread != 0 || check_look_up(a, db);
}

bool lite_check_games(lite *db, const tby_db_search *search, const query_members *members, const char *where,
                      const game_set *among, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(search->query != NULL);
    const position_runs none = {NULL, 0, 0};
    checking a = {.search = search,
                  .query = search->query,
                  .members = members,
                  .where = where,
                  .among = among,
                  .kinds = needed_kinds(search->query),
                  .visit = visit,
                  .context = context};
    bool is_good = hit_blocks_list(db, &none, UINT32_MAX, &a.blocks, &a.n_blocks);
    const int64_t n_games = among ? game_set_count(among) : a.n_blocks * BLOCK_GAMES;
    const readers_work work = {check_join, check_work, &a, search->n_threads, n_games / THREAD_GAMES, a.n_blocks};
    is_good = is_good && readers_run(db, &work);
    if (is_good)
        visit_settled(&a);
    for (unsigned i = 0; i < THREADS_MAX; i++)
        worker_end(&a.workers[i]);
    hit_blocks_free(a.blocks, a.n_blocks);
    return is_good;
}
