/*
 * cluster_maintain.c - maintenance of a cluster: contents, sizes and verification, combined from its shards.
 */
#include "store/postgres/cluster.h"
#include "support/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Contents --------------------------------------------------------------------------------------------------- */

static int compare_texts(tby_text a, tby_text b)
{
    const int order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);
    return order ? order : a.n < b.n ? -1 : a.n > b.n;
}

/* The next name of a shard. */
static bool step(cluster *c, size_t index)
{
    c->shards[index].is_asked = pg_next(&c->shards[index].to->to);
    return pg_is_good(&c->shards[index].to->to) || cluster_tell(c, index);
}

/* The shard with the first name; the number of shards if there are no more. */
static size_t first_name(const cluster *c)
{
    size_t first = c->n_shards;
    for (size_t i = 0; i < c->n_shards; i++)
        if (c->shards[i].is_asked && (first == c->n_shards || compare_texts(pg_text(&c->shards[i].to->to, 0),
                                                                            pg_text(&c->shards[first].to->to, 0)) < 0))
            first = i;
    return first;
}

/* Visits the name of the first shard, after the others that are at it were taken; the numbers beside it are added. */
static bool pass_name(cluster *c, size_t first, void (*visit)(void *context, tby_text name, int64_t n), void *context)
{
    const tby_text name = pg_text(&c->shards[first].to->to, 0);
    int64_t sum = pg_number(&c->shards[first].to->to, 1);
    for (size_t i = first + 1; i < c->n_shards; i++) {
        const connection *row = &c->shards[i].to->to;
        if (!c->shards[i].is_asked || compare_texts(pg_text(row, 0), name) != 0)
            continue;
        sum += pg_number(row, 1);
        if (!step(c, i))
            return false;
    }
    visit(context, name, sum);
    return step(c, first);
}

bool cluster_merge_names(cluster *c, bool (*send)(server *s, const void *question), const void *question,
                         void (*visit)(void *context, tby_text name, int64_t n), void *context)
{
    bool is_good = true;
    for (size_t i = 0; i < c->n_shards; i++) {
        c->shards[i].is_asked = is_good && send(c->shards[i].to, question);
        is_good = is_good && (c->shards[i].is_asked || cluster_tell(c, i));
    }
    for (size_t i = 0; i < c->n_shards && is_good; i++)
        is_good = step(c, i);
    for (size_t first; is_good && (first = first_name(c)) < c->n_shards;)
        is_good = pass_name(c, first, visit, context);
    for (size_t i = 0; i < c->n_shards && !is_good; i++)
        if (c->shards[i].is_asked)
            pg_stop(&c->shards[i].to->to, true);
    return is_good;
}

static bool send_names(server *s, const void *which) { return server_send_names(s, *(const pg_names *)which); }

static void count_name(void *context, tby_text name, int64_t n)
{
    (void)name;
    (void)n;
    ++*(int64_t *)context;
}

/* A name on several shards counts once. */
static bool count_names(cluster *c, pg_names which, int64_t *out)
{
    *out = 0;
    if (cluster_is_single(c))
        return server_count_names(c->shards[0].to, which, out) || cluster_tell(c, 0);
    return cluster_merge_names(c, send_names, &which, count_name, out);
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
        is_good = (server_add_summary(c->shards[i].to, out) && server_index_depth(c->shards[i].to, &depth)) ||
                  cluster_tell(c, i);
        least = is_good && depth < least ? depth : least;
    }
    is_good = is_good && count_names(c, PG_PLAYERS, &out->n_players) && count_names(c, PG_EVENTS, &out->n_events) &&
              count_names(c, PG_SITES, &out->n_sites);
    out->schema_version = TBY_SCHEMA_VERSION;
    out->n_runs = least < 0 ? 0 : (int64_t)c->n_shards;
    out->n_indexed = least < 0 ? 0 : out->n_games;
    out->index_plies = least < 0 ? TBY_INDEX_NONE : (int)least;
    return is_good;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

typedef struct room {
    char name[128]; /* PostgreSQL's names have at most 63 bytes */
    int64_t n_bytes;
} room;

typedef struct rooms {
    room *list;
    size_t n, cap;
} rooms;

static bool add_room(rooms *r, tby_text name, int64_t n_bytes)
{
    room it = {.n_bytes = n_bytes};
    snprintf(it.name, sizeof it.name, "%.*s", (int)name.n, name.s ? name.s : "");
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->list[i].name, it.name) == 0) {
            r->list[i].n_bytes += n_bytes;
            return true;
        }
    if (!array_reserve(&r->list, &r->cap, r->n + 1, sizeof *r->list, NULL))
        return false;
    r->list[r->n++] = it;
    return true;
}

static int compare_rooms(const void *a, const void *b)
{
    const room *x = a, *y = b;
    return x->n_bytes != y->n_bytes ? (x->n_bytes > y->n_bytes ? -1 : 1) : strcmp(x->name, y->name);
}

bool cluster_sizes(tby_db *db, tby_db_size visit, void *context)
{
    cluster *c = (cluster *)db;
    rooms all = {0};
    bool is_good = cluster_reach(c), has_memory = true;
    for (size_t i = 0; is_good && i < c->n_shards; i++) {
        connection *row = &c->shards[i].to->to;
        server_send_sizes(c->shards[i].to);
        while (pg_next(row))
            has_memory = has_memory && add_room(&all, pg_text(row, 0), pg_number(row, 1));
        is_good = pg_is_good(row) || cluster_tell(c, i);
    }
    is_good = is_good && (has_memory || db_fail_memory(db));
    if (is_good && all.n && !cluster_is_single(c))
        qsort(all.list, all.n, sizeof *all.list, compare_rooms);
    for (size_t i = 0; i < all.n && is_good; i++)
        visit(context, all.list[i].name, all.list[i].n_bytes);
    free(all.list);
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
    int64_t has_counts, n_wrong = 0;
    buffer sql = {0};
    if (!pg_number_of(&s->to, "SELECT (to_regclass('tabiya.game_totals') IS NOT NULL)::integer", 0, &has_counts))
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
