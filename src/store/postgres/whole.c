/*
 * whole.c - the whole of a database on a PostgreSQL server: what is in it, what takes its room, whether it is sound;
 * deleting games; and reading for a while from one picture of it.
 *
 * Of a coordinator all numbers are those of its shards together.
 */
#include "row/batch.h"
#include "store/postgres/pg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is in it ---------------------------------------------------------------------------------------------- */

#define SUMMARY                                                                                                        \
    "SELECT count(*), sum(plies), count(annotated), count(*) FILTER (WHERE result = '1-0'), count(*) FILTER (WHERE"    \
    " result = '1/2-1/2'), count(*) FILTER (WHERE result = '0-1'), min(date), max(date) FROM tabiya.game"

static bool take_summary(void *context, pg *p)
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

/* Different texts of a column; each shard tells which it has. */
static bool count_names(pg *p, const char *a, const char *b, int64_t *out)
{
    char sql[320];
    const char *shard = p->is_coordinator ? "shard, " : "";
    snprintf(sql, sizeof sql,
             "SELECT count(DISTINCT name) FROM (SELECT %s%s AS name FROM tabiya.game GROUP BY 1%s UNION ALL"
             " SELECT %s%s FROM tabiya.game GROUP BY 1%s) AS x",
             shard, a, *shard ? ", 2" : "", shard, b, *shard ? ", 2" : "");
    return pg_number_of(p, sql, 0, out);
}

static bool sum_bytes(pg *p, int64_t *out)
{
    return pg_number_of(p,
                        p->is_coordinator ? "SELECT sum(n)::bigint FROM (SELECT shard, sum(bytes) AS n FROM tabiya.size"
                                            " GROUP BY shard) AS x"
                                          : "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class"
                                            " WHERE relnamespace = 'tabiya'::regnamespace AND relkind = 'r'",
                        0, out);
}

/* On the way by the coordinator shards tell their indexes by name only: if all have that of positions, it is as deep as
   `import` makes it. */
static bool find_index(pg *p, tby_db_summary *out)
{
    int64_t n = 0, depth = TBY_INDEX_NONE;
    if (p->is_coordinator && !pg_shards_reach(p)) {
        if (!pg_number_of(p, "SELECT count(*) FROM tabiya.size WHERE name = 'game_positions'", 0, &n))
            return false;
        depth = n == (int64_t)p->n_shards ? TBY_INDEX_ALL : TBY_INDEX_NONE;
    } else {
        if (!(p->is_coordinator ? pg_shards_index_depth(p, &depth) : pg_index_depth(p, &depth)))
            return false;
        n = depth < 0 ? 0 : p->is_coordinator ? (int64_t)p->n_shards : 1;
        depth = depth < 0 ? TBY_INDEX_NONE : depth;
    }
    out->n_runs = n;
    out->n_indexed = depth == TBY_INDEX_NONE ? 0 : out->n_games;
    out->index_plies = (int)depth;
    return true;
}

bool pg_summarize(tby_db *db, tby_db_summary *out)
{
    pg *p = (pg *)db;
    memset(out, 0, sizeof *out);
    out->schema_version = TBY_SCHEMA_VERSION;
    const char *sql = p->is_coordinator ? SUMMARY " GROUP BY shard" : SUMMARY;
    return pg_query(p, sql, NULL, take_summary, out) && count_names(p, "white", "black", &out->n_players) &&
           count_names(p, "event", "event", &out->n_events) && count_names(p, "site", "site", &out->n_sites) &&
           sum_bytes(p, &out->file_size) && find_index(p, out);
}

typedef struct sizing {
    tby_db_size visit;
    void *context;
    buffer name;
} sizing;

static bool take_size(void *context, pg *p)
{
    sizing *s = context;
    const tby_text name = pg_text(p, 0);
    s->name.n = 0;
    buffer_add(&s->name, name.s ? name.s : "", name.n);
    buffer_add(&s->name, "", 1);
    if (!s->name.has_failed)
        s->visit(s->context, s->name.s, pg_number(p, 1));
    return !s->name.has_failed;
}

bool pg_sizes(tby_db *db, tby_db_size visit, void *context)
{
    pg *p = (pg *)db;
    sizing s = {.visit = visit, .context = context};
    const bool is_good = pg_query(
        p,
        p->is_coordinator ? "SELECT name, sum(bytes)::bigint FROM tabiya.size GROUP BY 1 ORDER BY 2 DESC, 1"
                          : "SELECT relname::text, pg_relation_size(oid) + CASE WHEN reltoastrelid <> 0 THEN"
                            " pg_total_relation_size(reltoastrelid) ELSE 0 END FROM pg_class WHERE relnamespace ="
                            " 'tabiya'::regnamespace AND relkind IN ('r', 'i') ORDER BY 2 DESC, 1",
        NULL, take_size, &s);
    const bool has_memory = !s.name.has_failed;
    buffer_free(&s.name);
    return is_good && (has_memory || db_fail_memory(db));
}

/* ---- Deleting --------------------------------------------------------------------------------------------------- */

bool pg_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    pg *p = (pg *)db;
    buffer list = {0};
    *n_deleted = 0;
    for (size_t i = 0; i < n_ids; i++)
        buffer_printf(&list, "%s%" PRId64, i ? "," : "WITH gone AS (DELETE FROM tabiya.game WHERE id = ANY ('{",
                      (int64_t)ids[i]);
    buffer_string(&list, "}'::bigint[]) RETURNING 1) SELECT count(*) FROM gone");
    if (n_ids == 0) {
        buffer_free(&list);
        return true;
    }
    bool is_good = !list.has_failed || db_fail_memory(db);
    is_good = is_good && pg_number_of(p, list.s, 0, n_deleted);
    buffer_free(&list);
    return is_good;
}

/* ---- One picture ------------------------------------------------------------------------------------------------ */

/* A hash of its text; FNV-1a. */
int64_t pg_snapshot(const pg *p)
{
    const tby_text text = pg_text(p, 0);
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.s[i]) * 0x100000001b3;
    return (int64_t)hash;
}

/* The snapshot of a coordinator does not tell of its shards. */
bool pg_begin_reading(tby_db *db, int64_t *version)
{
    static const char moment[] = PG_BEGIN_READING "; SELECT clock_timestamp()";
    pg *p = (pg *)db;
    pg_step step;
    if (!version)
        return pg_is_alive(p) || pg_fail(p, "the connection to the server is lost");
    if (!pg_send_several(p, p->is_coordinator ? moment : PG_BEGIN_READING))
        return false;
    while ((step = pg_next(p)) == PG_ROW)
        *version = pg_snapshot(p);
    p->is_reading = step == PG_END;
    return p->is_reading || pg_end(p, false);
}

void pg_end_reading(tby_db *db)
{
    pg *p = (pg *)db;
    if (p->is_reading)
        pg_leave(p);
    p->is_reading = false;
}

/* ---- Is it sound? ----------------------------------------------------------------------------------------------- */

typedef struct verifier {
    pg *to;
    tby_db_fault fault;
    tby_db_progress progress;
    void *context;
    int64_t n_faults, n_games, n_all;
    tby_game *game;
    tby_batch *batch;
    bool has_no_memory;
} verifier;

static void tell(verifier *v, tby_game_id id, const char *text)
{
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

/* The game is read and made ready anew; what is stored of it must be what comes out. */
static bool check_game(void *context, const tby_db_hit *hit)
{
    verifier *v = context;
    const tby_row row = pg_row(v->to->visited ? v->to->visited : v->to, TBY_WANTED_GAMES);
    tby_error err = {.status = TBY_OK};
    tby_batch_clear(v->batch);
    tby_status status = tby_row_game(v->game, &row, &err);
    if (status != TBY_OK && status != TBY_NO_MEMORY)
        tell(v, hit->id, err.detail ? err.detail : tby_status_text(status));
    if (status == TBY_OK)
        status = tby_batch_add(v->batch, v->game);
    if (status == TBY_OK) {
        const tby_row made = tby_batch_row(v->batch, 0);
        if (!row_is_equal(&row, &made, true))
            tell(v, hit->id, "its columns are not those of its game");
    }
    v->has_no_memory = status == TBY_NO_MEMORY;
    const bool is_stopped = ++v->n_games % 4096 == 0 && v->progress &&
                            !v->progress(v->context, v->n_all ? (double)v->n_games / (double)v->n_all : 1);
    return !v->has_no_memory && !is_stopped;
}

static bool take_stray(void *context, pg *p)
{
    tell(context, pg_number(p, 0), "it is on another shard than its hash says");
    return true;
}

static bool take_double(void *context, pg *p)
{
    tell(context, pg_number(p, 0), "it is on two shards");
    return true;
}

static bool check_shards(verifier *v)
{
    return pg_query(v->to,
                    "SELECT g.id FROM (SELECT id, hash, shard FROM tabiya.game) AS g JOIN tabiya.slot s ON s.slot ="
                    " g.hash & 1023 WHERE s.shard <> g.shard",
                    NULL, take_stray, v) &&
           pg_query(v->to, "SELECT id FROM tabiya.game GROUP BY id HAVING count(*) > 1", NULL, take_double, v);
}

static bool take_miscount(void *context, pg *p)
{
    (void)p;
    tell(context, 0, "the counts of moves are not those of the games; tabiya.game_played_refresh() counts anew");
    return true;
}

static bool has_counts(pg *p, bool *out)
{
    int64_t is_there;
    const bool is_good =
        pg_number_of(p, "SELECT (to_regclass('tabiya.game_totals') IS NOT NULL)::integer", 0, &is_there);
    *out = is_there;
    return is_good;
}

/* Finds a row where the counts are wrong; the statement has the extension's schema as its only argument. */
static bool find_miscount(verifier *v, pg *p, const char *format)
{
    buffer sql = {0};
    buffer_printf(&sql, format, p->ext);
    const bool is_good = pg_query(p, sql.has_failed ? NULL : sql.s, NULL, take_miscount, v);
    buffer_free(&sql);
    return is_good;
}

#define START "%1$sgetBoard(''::%1$schessgame)"

/* Each game begins somewhere: the counts of the usual start must be as many as the games that have it. The totals, at
   each level, are those of the counts that are folded. */
static const char server_counts[] =
    "SELECT 1 FROM tabiya.game_tracked t WHERE t.position = %1$spositionKey(" START ") AND t.is_popular AND"
    " (SELECT coalesce(sum(m.games), 0) FROM tabiya.game_played m WHERE m.position = t.position) <>"
    " (SELECT count(*) FROM tabiya.game g WHERE %1$shasPosition(g.moves, " START ")) UNION SELECT 1 FROM (SELECT"
    " position, level, sum(games) AS n FROM tabiya.game_totals GROUP BY 1, 2) AS t FULL JOIN (SELECT position,"
    " sum(games) AS n FROM tabiya.game_played WHERE is_folded GROUP BY 1) AS m USING (position)"
    " WHERE t.n IS DISTINCT FROM m.n";

/* On the way by the coordinator only the counts are seen. */
static const char coordinator_counts[] =
    "SELECT 1 FROM (SELECT t.shard, (SELECT coalesce(sum(m.games), 0) FROM tabiya.game_played m WHERE m.shard = t.shard"
    " AND m.position = t.position) AS n FROM tabiya.game_tracked t WHERE t.position = %1$spositionKey(" START ") AND"
    " t.is_popular) AS x JOIN (SELECT shard, count(*) AS n FROM tabiya.game g WHERE %1$shasPosition(g.moves, " START ")"
    " GROUP BY shard) AS y USING (shard) WHERE x.n <> y.n";

static bool check_server_counts(verifier *v, pg *p)
{
    bool is_there;
    return has_counts(p, &is_there) && (!is_there || find_miscount(v, p, server_counts));
}

static bool check_counts(verifier *v)
{
    pg *p = v->to;
    bool is_good = true;
    if (!p->is_coordinator)
        return check_server_counts(v, p);
    if (!pg_shards_reach(p))
        return find_miscount(v, p, coordinator_counts);
    for (size_t i = 0; i < p->n_shards && is_good; i++)
        is_good = check_server_counts(v, p->shards[i].to) || pg_shards_tell(p, i);
    return is_good;
}

bool pg_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    verifier v = {.to = (pg *)db, .fault = fault, .progress = progress, .context = context};
    const tby_db_search all = {.wanted = TBY_WANTED_GAMES};
    v.game = tby_game_new(NULL);
    v.batch = tby_batch_new();
    const bool has_memory = v.game && v.batch;
    const bool is_good = has_memory && db->kind->n_games(db, &v.n_all) && db_find(db, &all, check_game, &v) &&
                         !v.has_no_memory && (!v.to->is_coordinator || check_shards(&v)) && check_counts(&v);
    if (!has_memory || v.has_no_memory)
        db_fail_memory(db);
    tby_game_free(v.game);
    tby_batch_free(v.batch);
    *n_faults = v.n_faults;
    return is_good;
}
