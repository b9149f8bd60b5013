/*
 * maintain.c - maintenance of a database on PostgreSQL: contents, sizes and verification, combined from its shards.
 */
#include "store/postgres/cluster.h"

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

static void take_summary(tby_db_summary *out, const connection *p)
{
    enum { GAMES, PLIES, ANNOTATED, WHITE, DRAWS, BLACK, FIRST, LAST };
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
}

static bool add_summary(server *s, tby_db_summary *out)
{
    int64_t n_bytes;
    pg_send(&s->to, SUMMARY, NULL);
    while (pg_next(&s->to))
        take_summary(out, &s->to);
    if (!pg_is_good(&s->to) || !pg_number_of(&s->to, s->has_citus ? citus_bytes : BYTES, 0, &n_bytes))
        return false;
    out->file_size += n_bytes;
    return true;
}

/* The depth is that of the shard with the shallowest index. */
bool cluster_summarize(tby_db *db, tby_db_summary *out)
{
    cluster *c = (cluster *)db;
    int64_t least = TBY_INDEX_ALL;
    bool is_good = cluster_reach(c);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; is_good && i < c->n_shards; i++) {
        int64_t depth;
        is_good = (add_summary(c->shards[i].to, out) && server_index_depth(c->shards[i].to, &depth)) ||
                  cluster_tell(c, i);
        least = is_good && depth < least ? depth : least;
    }
    is_good = is_good && cluster_count_names(c, PG_PLAYERS, &out->n_players) &&
              cluster_count_names(c, PG_EVENTS, &out->n_events) && cluster_count_names(c, PG_SITES, &out->n_sites);
    out->schema_version = TBY_SCHEMA_VERSION;
    out->n_runs = least < 0 ? 0 : (int64_t)c->n_shards;
    out->n_indexed = least < 0 ? 0 : out->n_games;
    out->index_plies = least < 0 ? TBY_INDEX_NONE : (int)least;
    return is_good;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

/* Name and bytes, the largest first. */
#define SIZES                                                                                                          \
    "SELECT relname::text, pg_relation_size(oid) + CASE WHEN reltoastrelid <> 0 THEN pg_total_relation_size("          \
    "reltoastrelid) ELSE 0 END FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace AND relkind IN ('r', 'i')"    \
    " ORDER BY 2 DESC, 1"

typedef struct room {
    char name[128]; /* PostgreSQL's names have at most 63 bytes */
    int64_t n_bytes;
} room;

static void add_room(buffer *rooms, tby_text name, int64_t n_bytes)
{
    room it = {.n_bytes = n_bytes}, *list = (room *)(void *)rooms->data;
    snprintf(it.name, sizeof it.name, "%.*s", (int)name.n, name.s ? name.s : "");
    for (size_t i = 0; i < rooms->n / sizeof it; i++)
        if (strcmp(list[i].name, it.name) == 0) {
            list[i].n_bytes += n_bytes;
            return;
        }
    buffer_add(rooms, &it, sizeof it);
}

static int compare_rooms(const void *a, const void *b)
{
    const room *x = a, *y = b;
    return x->n_bytes != y->n_bytes ? (x->n_bytes > y->n_bytes ? -1 : 1) : strcmp(x->name, y->name);
}

bool cluster_sizes(tby_db *db, tby_db_size visit, void *context)
{
    cluster *c = (cluster *)db;
    buffer rooms = {0};
    bool is_good = cluster_reach(c);
    for (size_t i = 0; is_good && i < c->n_shards; i++) {
        connection *row = &c->shards[i].to->to;
        pg_send(row, c->shards[i].to->has_citus ? citus_sizes : SIZES, NULL);
        while (pg_next(row))
            add_room(&rooms, pg_text(row, 0), pg_number(row, 1));
        is_good = pg_is_good(row) || cluster_tell(c, i);
    }
    is_good = is_good && (!rooms.has_failed || db_fail_memory(db));
    room *list = (room *)(void *)rooms.data;
    const size_t n = rooms.n / sizeof *list;
    if (is_good && n && !cluster_is_single(c))
        qsort(list, n, sizeof *list, compare_rooms);
    for (size_t i = 0; i < n && is_good; i++)
        visit(context, list[i].name, list[i].n_bytes);
    buffer_free(&rooms);
    return is_good;
}

/* ---- Verification ----------------------------------------------------------------------------------------------- */

/* Checks the games of all shards, and the counts of each. */
typedef struct verifier {
    cluster *to;
    tby_db_fault fault;
    tby_db_progress progress;
    void *context;
    int64_t n_faults, n_games, n_all;
    tby_game_id last;
    tby_game *game;
    tby_batch *batch;
    bool has_no_memory;
} verifier;

static void report(verifier *v, tby_game_id id, const char *text)
{
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

/* Is the game on its shard, and on no other? They arrive in the order of their numbers. */
static void check_place(verifier *v, tby_game_id id, const tby_row *row)
{
    const cluster *c = v->to;
    if (!cluster_is_single(c) && id == v->last)
        report(v, id, "it is on two shards");
    else if (c->shards[cluster_place(c, row->hash)].to != c->visited)
        report(v, id, "its hash belongs to another shard");
    v->last = id;
}

/* Reads and prepares the game again; the result must match what is stored about it. */
static bool check_game(void *context, const tby_db_hit *hit)
{
    verifier *v = context;
    const tby_row row = server_visited_row(&v->to->visited->to, KINDS_ALL);
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
    check_place(v, hit->id, &row);
    v->has_no_memory = status == TBY_NO_MEMORY;
    const bool is_stopped = ++v->n_games % 4096 == 0 && v->progress &&
                            !v->progress(v->context, v->n_all ? (double)v->n_games / (double)v->n_all : 1);
    return !v->has_no_memory && !is_stopped;
}

static bool verify_games(verifier *v, tby_db *db)
{
    const tby_db_search all = {.wanted = TBY_WANTED_GAMES};
    v->game = tby_game_new(NULL);
    v->batch = tby_batch_new();
    const bool has_memory = v->game && v->batch;
    const bool is_good = has_memory && cluster_n_games(db, &v->n_all) && db_find(db, &all, check_game, v);
    if (!has_memory || v->has_no_memory)
        db_fail_memory(db);
    tby_game_free(v->game);
    tby_batch_free(v->batch);
    return is_good && !v->has_no_memory;
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

static bool verify_counts(verifier *v, server *s)
{
    int64_t n_wrong = 0;
    bool has_counts;
    buffer sql = {0};
    if (!server_has(s, "game_totals", &has_counts))
        return false;
    buffer_printf(&sql, start_counts, s->ext);
    const bool is_good = !has_counts || (pg_query(&s->to, sql.has_failed ? NULL : sql.s, NULL, &n_wrong) &&
                                         (n_wrong || pg_query(&s->to, total_counts, NULL, &n_wrong)));
    buffer_free(&sql);
    if (n_wrong)
        report(v, 0,
               s->has_citus
                   ? "the counts of moves do not match the games; after DELETE FROM tabiya.game_tracked WHERE"
                     " position = 0 the next import counts again"
                   : "the counts of moves do not match the games; run tabiya.game_played_refresh() to count again");
    return is_good;
}

bool cluster_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    cluster *c = (cluster *)db;
    verifier v = {.to = c, .fault = fault, .progress = progress, .context = context};
    bool is_good = verify_games(&v, db);
    for (size_t i = 0; is_good && i < c->n_shards; i++)
        is_good = verify_counts(&v, c->shards[i].to) || cluster_tell(c, i);
    *n_faults = v.n_faults;
    return is_good;
}
