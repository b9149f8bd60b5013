/*
 * maintain.c - maintenance of a database on a PostgreSQL server: contents, sizes and verification; deleting games; and
 * reading from one snapshot.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Contents --------------------------------------------------------------------------------------------------- */

#define SUMMARY                                                                                                        \
    "SELECT count(*), sum(plies), count(annotated), count(*) FILTER (WHERE result = '1-0'), count(*) FILTER (WHERE"    \
    " result = '1/2-1/2'), count(*) FILTER (WHERE result = '0-1'), min(date), max(date) FROM tabiya.game"
#define BYTES                                                                                                          \
    "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace"        \
    " AND relkind = 'r'"

static bool take_summary(void *context, const connection *p)
{
    enum { GAMES, PLIES, ANNOTATED, WHITE, DRAWS, BLACK, FIRST, LAST };
    tby_db_summary *out = context;
    const int first = (int)pg_number(p, FIRST), last = (int)pg_number(p, LAST);
    const int64_t n = pg_number(p, GAMES), white = pg_number(p, WHITE), draws = pg_number(p, DRAWS),
                  black = pg_number(p, BLACK);
    out->n_games += n;
    out->n_plies += pg_number(p, PLIES);
    out->n_annotated += pg_number(p, ANNOTATED);
    out->results[TBY_WHITE_WINS] += white;
    out->results[TBY_DRAW] += draws;
    out->results[TBY_BLACK_WINS] += black;
    out->results[TBY_RESULT_NONE] += n - white - draws - black;
    if (first && (!out->first_date || first < out->first_date))
        out->first_date = first;
    out->last_date = last > out->last_date ? last : out->last_date;
    return true;
}

/* The distinct texts of one or two columns. */
static const char *const names[PG_N_NAMES] = {
    [PG_PLAYERS] = "SELECT white AS name FROM tabiya.game GROUP BY 1 UNION SELECT black FROM tabiya.game GROUP BY 1",
    [PG_EVENTS] = "SELECT event AS name FROM tabiya.game GROUP BY 1",
    [PG_SITES] = "SELECT site AS name FROM tabiya.game GROUP BY 1",
};

static bool count_names(server *s, pg_names which, int64_t *out)
{
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT count(name) FROM (%s) AS x", names[which]);
    return pg_number_of(&s->to, sql, 0, out);
}

bool server_send_names(server *s, pg_names which)
{
    char sql[192];
    snprintf(sql, sizeof sql, "SELECT name, 1 FROM (%s) AS x WHERE name IS NOT NULL ORDER BY name COLLATE \"C\"",
             names[which]);
    return pg_send(&s->to, sql, NULL);
}

bool server_add_summary(server *s, tby_db_summary *out)
{
    int64_t n_bytes;
    if (!pg_query(&s->to, SUMMARY, NULL, take_summary, out) ||
        !pg_number_of(&s->to, s->has_citus ? citus_bytes : BYTES, 0, &n_bytes))
        return false;
    out->file_size += n_bytes;
    return true;
}

void summary_end(tby_db_summary *out, int64_t depth, int64_t n_servers)
{
    out->schema_version = TBY_SCHEMA_VERSION;
    out->n_runs = depth < 0 ? 0 : n_servers;
    out->n_indexed = depth < 0 ? 0 : out->n_games;
    out->index_plies = depth < 0 ? TBY_INDEX_NONE : (int)depth;
}

bool server_summarize(tby_db *db, tby_db_summary *out)
{
    server *s = (server *)db;
    int64_t depth = -1;
    memset(out, 0, sizeof *out);
    const bool is_good = server_add_summary(s, out) && count_names(s, PG_PLAYERS, &out->n_players) &&
                         count_names(s, PG_EVENTS, &out->n_events) && count_names(s, PG_SITES, &out->n_sites) &&
                         server_index_depth(s, &depth);
    summary_end(out, depth, 1);
    return is_good;
}

#define SIZES                                                                                                          \
    "SELECT relname::text, pg_relation_size(oid) + CASE WHEN reltoastrelid <> 0 THEN pg_total_relation_size("          \
    "reltoastrelid) ELSE 0 END FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace AND relkind IN ('r', 'i')"    \
    " ORDER BY 2 DESC, 1"

bool server_send_sizes(server *s) { return pg_send(&s->to, s->has_citus ? citus_sizes : SIZES, NULL); }

bool server_sizes(tby_db *db, tby_db_size visit, void *context)
{
    server *s = (server *)db;
    pg_step step;
    if (!server_send_sizes(s))
        return false;
    while ((step = pg_next(&s->to)) == PG_ROW) {
        char name[128]; /* PostgreSQL's names have at most 63 bytes */
        const tby_text text = pg_text(&s->to, 0);
        snprintf(name, sizeof name, "%.*s", (int)text.n, text.s ? text.s : "");
        visit(context, name, pg_number(&s->to, 1));
    }
    return step == PG_END;
}

/* ---- Deleting --------------------------------------------------------------------------------------------------- */

static bool delete_games(server *s, const char *ids, int64_t *n_deleted)
{
    pg_values v = {.n = 0};
    pg_value(&v, ids);
    const bool is_good = (!s->has_citus || (citus_count_games(s, ids, true) && server_uncollect(s, ids))) &&
                         pg_query(&s->to, "DELETE FROM tabiya.game WHERE id = ANY ($1::bigint[]) RETURNING id", &v,
                                  pg_count_row, n_deleted);
    pg_values_free(&v);
    return is_good;
}

void put_ids(buffer *out, const tby_game_id *ids, size_t n)
{
    buffer_string(out, "{");
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%" PRId64, i ? "," : "", (int64_t)ids[i]);
    buffer_string(out, "}");
}

bool server_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    server *s = (server *)db;
    const bool is_own = s->has_citus && !s->to.is_writing; /* counts and games are deleted together */
    buffer list = {0};
    *n_deleted = 0;
    put_ids(&list, ids, n_ids);
    bool is_good = !list.has_failed || db_fail_memory(db);
    if (is_good && n_ids) {
        is_good = (!is_own || pg_run(&s->to, PG_TAKE_TURN)) && delete_games(s, list.s, n_deleted);
        is_good = is_own ? pg_end(&s->to, is_good) : is_good;
    }
    buffer_free(&list);
    return is_good;
}

/* ---- Snapshots -------------------------------------------------------------------------------------------------- */

bool server_begin_reading(tby_db *db, int64_t *version)
{
    server *s = (server *)db;
    pg_step step;
    if (!version)
        return pg_is_alive(&s->to) || pg_fail(&s->to, "the connection to the server is lost");
    /* A coordinator's snapshot does not show changes on its workers: every moment counts as a new version. */
    if (!pg_send_several(&s->to, s->has_citus ? PG_BEGIN_READING "; SELECT clock_timestamp()" : PG_BEGIN_READING))
        return false;
    while ((step = pg_next(&s->to)) == PG_ROW)
        *version = pg_snapshot(&s->to);
    s->to.is_reading = step == PG_END;
    return s->to.is_reading || pg_end(&s->to, false);
}

void server_end_reading(tby_db *db)
{
    server *s = (server *)db;
    if (s->to.is_reading)
        pg_leave(&s->to);
    s->to.is_reading = false;
}

/* ---- Verification ----------------------------------------------------------------------------------------------- */

static void report(verifier *v, tby_game_id id, const char *text)
{
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

/* Reads and prepares the game again; the result must match what is stored about it. */
static bool check_game(void *context, const tby_db_hit *hit)
{
    verifier *v = context;
    const tby_row row = server_visited_row(&(*v->visited)->to, KINDS_ALL);
    const char *more = v->extra ? v->extra(v->extra_context, hit->id, &row) : NULL;
    tby_error err = {.status = TBY_OK};
    tby_batch_clear(v->batch);
    tby_status status = tby_row_game(v->game, &row, &err);
    if (status != TBY_OK && status != TBY_NO_MEMORY)
        report(v, hit->id, err.detail ? err.detail : tby_status_text(status));
    if (status == TBY_OK)
        status = tby_batch_add(v->batch, v->game);
    if (status == TBY_OK) {
        const tby_row made = tby_batch_row(v->batch, 0);
        if (!row_is_equal(&row, &made, true))
            report(v, hit->id, "its columns do not match its game");
    }
    if (more)
        report(v, hit->id, more);
    v->has_no_memory = status == TBY_NO_MEMORY;
    const bool is_stopped = ++v->n_games % 4096 == 0 && v->progress &&
                            !v->progress(v->context, v->n_all ? (double)v->n_games / (double)v->n_all : 1);
    return !v->has_no_memory && !is_stopped;
}

bool verify_games(verifier *v, tby_db *db)
{
    const tby_db_search all = {.wanted = TBY_WANTED_GAMES};
    v->game = tby_game_new(NULL);
    v->batch = tby_batch_new();
    const bool has_memory = v->game && v->batch;
    const bool is_good = has_memory && db->kind->n_games(db, &v->n_all) && db_find(db, &all, check_game, v);
    if (!has_memory || v->has_no_memory)
        db_fail_memory(db);
    tby_game_free(v->game);
    tby_batch_free(v->batch);
    return is_good && !v->has_no_memory;
}

static bool take_miscount(void *context, const connection *row)
{
    (void)row;
    report(context, 0, "the counts of moves do not match the games; run tabiya.game_played_refresh() to count again");
    return true;
}

static bool take_citus_miscount(void *context, const connection *row)
{
    (void)row;
    report(context, 0,
           "the counts of moves do not match the games; after DELETE FROM tabiya.game_tracked WHERE position = 0"
           " the next import counts again");
    return true;
}

#define START "%1$sgetBoard(''::%1$schessgame)"

/* Each game has a start: the counts of the usual start must equal the number of games with it. The totals, at each
   level, must equal the folded counts. Citus plans subqueries next to a table that every node has only if they do not
   refer to it. */
#define START_KEY "%1$spositionKey(" START ")"
static const char start_counts[] =
    "SELECT 1 FROM tabiya.game_tracked t WHERE t.position = " START_KEY " AND t.is_popular AND (SELECT"
    " coalesce(sum(m.games), 0) FROM tabiya.game_played m WHERE m.position = " START_KEY ") <> (SELECT count(*) FROM"
    " tabiya.game g WHERE %1$shasPosition(g.moves, " START "))";
static const char total_counts[] =
    "SELECT 1 FROM (SELECT position, level, sum(games) AS n FROM tabiya.game_totals GROUP BY 1, 2) AS t FULL JOIN"
    " (SELECT position, sum(games) AS n FROM tabiya.game_played WHERE is_folded GROUP BY 1) AS m ON t.position ="
    " m.position WHERE t.n IS DISTINCT FROM m.n LIMIT 1";

bool verify_counts(verifier *v, server *s)
{
    const pg_visit take = s->has_citus ? take_citus_miscount : take_miscount;
    const int64_t n_before = v->n_faults;
    int64_t has_counts;
    buffer sql = {0};
    if (!pg_number_of(&s->to, "SELECT (to_regclass('tabiya.game_totals') IS NOT NULL)::integer", 0, &has_counts))
        return false;
    buffer_printf(&sql, start_counts, s->ext);
    const bool is_good = !has_counts || (pg_query(&s->to, sql.has_failed ? NULL : sql.s, NULL, take, v) &&
                                         (v->n_faults > n_before || pg_query(&s->to, total_counts, NULL, take, v)));
    buffer_free(&sql);
    return is_good;
}

bool server_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    server *s = (server *)db;
    verifier v = {.fault = fault, .progress = progress, .context = context, .visited = &s};
    const bool is_good = verify_games(&v, db) && verify_counts(&v, s);
    *n_faults = v.n_faults;
    return is_good;
}
