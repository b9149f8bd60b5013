/*
 * cluster.c - the servers of a cluster: listing and connecting to them, and working on all of them in parallel, in one
 * thread each.
 */
#include "store/postgres/cluster.h"
#include "support/array.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Listing shards --------------------------------------------------------------------------------------------- */

/* In the format of libpq: name='value', with quotes and backslashes escaped. Options that only postgres_fdw knows are
   left out. The server's address comes first; after a dump was restored, options are sorted by name. */
#define OPTIONS                                                                                                        \
    "(SELECT string_agg(format('%s=''%s''', option_name, replace(replace(option_value, E'\\\\', E'\\\\\\\\'), '''',"   \
    " E'\\\\''')), ' ' ORDER BY array_position('{host,port,dbname}', option_name)) FROM"                               \
    " pg_options_to_table(coalesce(srvoptions, '{}') || coalesce(umoptions, '{}'))"                                    \
    " WHERE option_name NOT IN ('extensions', 'async_capable', 'fetch_size', 'batch_size', 'fdw_startup_cost',"        \
    " 'fdw_tuple_cost', 'use_remote_estimate', 'updatable', 'truncatable', 'keep_connections', 'parallel_commit',"     \
    " 'parallel_abort', 'analyze_sampling', 'password_required'))"

static const char list_shards[] =
    "SELECT substr(c.relname, 6)::integer, " OPTIONS
    ", (umoptions IS NOT NULL)::integer FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
    " JOIN pg_foreign_table ON ftrelid = c.oid JOIN pg_foreign_server s ON s.oid = ftserver"
    " LEFT JOIN LATERAL (SELECT umoptions FROM pg_user_mappings m WHERE m.srvid = s.oid"
    " AND umuser IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user)) ORDER BY umuser DESC LIMIT 1) AS u ON"
    " TRUE WHERE inhparent = 'tabiya.game'::regclass ORDER BY 1";

static bool take_shard(cluster *c, const connection *row)
{
    const tby_text options = pg_text(row, 1);
    const bool has_room = array_reserve(&c->shards, &c->cap_shards, c->n_shards + 1, sizeof *c->shards, NULL);
    char *copy = has_room ? calloc(options.n + 1, 1) : NULL;
    if (!copy)
        return false;
    if (options.n)
        memcpy(copy, options.s, options.n);
    c->shards[c->n_shards++] =
        (shard){.number = (int)pg_number(row, 0), .options = copy, .has_login = pg_number(row, 2) != 0};
    return true;
}

void cluster_forget(cluster *c)
{
    for (size_t i = 0; i < c->n_shards; i++) {
        server_close(c->shards[i].to);
        free(c->shards[i].options);
    }
    free(c->shards);
    free(c->places);
    c->shards = NULL;
    c->places = NULL;
    c->n_shards = c->cap_shards = 0;
}

bool cluster_list(cluster *c, connection *from)
{
    bool has_memory = true;
    cluster_forget(c);
    pg_send(from, list_shards, NULL);
    while (pg_next(from))
        has_memory = has_memory && take_shard(c, from);
    if (!pg_is_good(from))
        return false;
    if (!has_memory)
        return db_fail_memory(&from->base);
    return c->n_shards || pg_fail(from, "the coordinator has no shards; add them with tabiya cluster init");
}

/* ---- Working in parallel ---------------------------------------------------------------------------------------- */

bool cluster_tell(cluster *c, size_t index)
{
    const shard *it = &c->shards[index];
    const tby_failure *why = it->to ? &it->to->to.base.failure : &it->failure;
    if (cluster_is_single(c))
        return db_fail(&c->to.base, failure_answer(why, false), "%s", why->text);
    return db_fail(&c->to.base, failure_answer(why, false), "shard %d: %.450s", it->number, why->text);
}

/* While a shard works, the caller's watch is called. */
static bool whole_goes_on(void *whole) { return db_goes_on(whole); }

static void watch_shard(cluster *c, server *s) { tby_db_set_watch(&s->to.base, whole_goes_on, &c->to.base); }

/* The threads of one piece of work. */
typedef struct crew {
    shard_work work;
    void *context;
    atomic_bool is_over; /* the caller asked to stop */
    pthread_mutex_t lock;
    pthread_cond_t is_done; /* another shard is done */
    size_t n_done;
} crew;

typedef struct worker {
    crew *crew;
    server *to;
    size_t index;
    pthread_t thread;
    bool is_running, is_good;
} worker;

static void *work(void *context)
{
    worker *w = context;
    w->is_good = w->crew->work(w->to, w->index, w->crew->context);
    pthread_mutex_lock(&w->crew->lock);
    w->crew->n_done++;
    pthread_cond_signal(&w->crew->is_done);
    pthread_mutex_unlock(&w->crew->lock);
    return NULL;
}

static bool goes_on(void *context) { return !atomic_load(&((crew *)context)->is_over); }

/* While the shards work, the caller's watch is called, as for a single server. */
static void look_up(cluster *c, crew *w)
{
    enum { PAUSE = 100 * 1000 * 1000 };
    pthread_mutex_lock(&w->lock);
    while (c->to.looks_up && w->n_done < c->n_shards) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + PAUSE) / 1000000000;
        until.tv_nsec = (until.tv_nsec + PAUSE) % 1000000000;
        if (pthread_cond_timedwait(&w->is_done, &w->lock, &until) == 0)
            continue;
        pthread_mutex_unlock(&w->lock);
        if (!db_goes_on(&c->to.base))
            atomic_store(&w->is_over, true);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
}

static void begin_work(worker *w, crew *all, server *to, size_t index)
{
    *w = (worker){.crew = all, .to = to, .index = index};
    if (to) {
        tby_db_set_watch(&to->to.base, goes_on, all);
        to->to.base.failure.text[0] = '\0';
    }
    w->is_running = pthread_create(&w->thread, NULL, work, w) == 0;
    if (!w->is_running)
        work(w);
}

static bool end_work(cluster *c, worker *w, bool is_good)
{
    server *const *to = &c->shards[w->index].to;
    if (w->is_running)
        pthread_join(w->thread, NULL);
    if (!w->is_good && is_good)
        cluster_tell(c, w->index);
    if (*to)
        watch_shard(c, *to);
    return w->is_good && is_good;
}

bool cluster_all(cluster *c, shard_work function, void *context)
{
    crew all = {
        .work = function, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER, .is_done = PTHREAD_COND_INITIALIZER};
    bool is_good = true;
    if (cluster_is_single(c))
        return function(c->shards[0].to, 0, context) || cluster_tell(c, 0);
    worker *workers = calloc(c->n_shards, sizeof *workers);
    if (!workers)
        return db_fail_memory(&c->to.base);
    for (size_t i = 0; i < c->n_shards; i++)
        begin_work(&workers[i], &all, c->shards[i].to, i);
    look_up(c, &all);
    for (size_t i = 0; i < c->n_shards; i++)
        is_good = end_work(c, &workers[i], is_good);
    free(workers);
    return is_good;
}

/* ---- Connecting ------------------------------------------------------------------------------------------------- */

/* Gives up on a server that does not answer for a while, unless its options say otherwise. */
static server *open_shard(shard *it, tby_db_mode mode)
{
    buffer options = {0};
    server *s = NULL;
    failure_clear(&it->failure);
    buffer_printf(&options, "connect_timeout='10' %s", it->options);
    if (options.has_failed)
        failure_no_memory(&it->failure);
    else if (!it->has_login)
        failure_keep(&it->failure, TBY_IO_ERROR,
                     "the coordinator has no user mapping for you; CREATE USER MAPPING adds one");
    else
        s = server_connect(options.s, mode, &it->failure);
    buffer_free(&options);
    return s;
}

static bool is_right_shard(server *s, int number, size_t n_shards)
{
    server_tables t;
    if (!server_look(s, &t))
        return false;
    if (!t.shard)
        return pg_fail(&s->to, "the database of this server is not a shard, or one of an earlier version");
    return (t.shard == number && t.n_shards == (int)n_shards) ||
           pg_fail(&s->to, "the database of this server is shard %d of %d", t.shard, t.n_shards);
}

/* Tries again to connect to a server that was lost. */
bool cluster_connect_to(cluster *c, size_t index)
{
    shard *it = &c->shards[index];
    server *s = it->to;
    if (s && pg_is_alive(&s->to))
        return true;
    server_close(s);
    it->to = NULL;
    s = open_shard(it, c->mode);
    if (!s)
        return false;
    if (is_right_shard(s, it->number, c->n_shards)) {
        s->n_siblings = c->n_shards;
        it->to = s;
        watch_shard(c, s);
        return true;
    }
    it->failure = s->to.base.failure;
    server_close(s);
    return false;
}

static bool connect_shard(server *s, size_t index, void *context)
{
    (void)s;
    return cluster_connect_to(context, index);
}

bool cluster_connect(cluster *c)
{
    return cluster_is_single(c) || ((c->n_shards || cluster_list(c, &c->to)) && cluster_all(c, connect_shard, c));
}

static bool are_connected(cluster *c)
{
    for (size_t i = 0; i < c->n_shards; i++)
        if (!c->shards[i].to || !pg_is_alive(&c->shards[i].to->to))
            return false;
    return c->n_shards > 0;
}

/* A shard that was moved to another machine has new options. */
static bool list_again(cluster *c) { return pg_is_alive(&c->to) && cluster_list(c, &c->to); }

bool cluster_reach(cluster *c)
{
    enum { PAUSE = 10 }; /* seconds, after a shard could not be reached */
    const int64_t now = (int64_t)time(NULL);
    /* A new connection would be outside of the transaction. */
    if (cluster_is_single(c) || c->to.is_writing || c->to.is_reading || are_connected(c))
        return true;
    for (size_t i = 0; now < c->next_try && i < c->n_shards; i++)
        if (!c->shards[i].to)
            return cluster_tell(c, i);
    if (cluster_connect(c) || (list_again(c) && cluster_connect(c)))
        return true;
    if ((int64_t)time(NULL) > now + 1)
        c->next_try = (int64_t)time(NULL) + PAUSE;
    return false;
}

/* ---- The kind of database --------------------------------------------------------------------------------------- */

static void close_cluster(tby_db *db)
{
    cluster *c = (cluster *)db;
    cluster_forget(c);
    pg_disconnect(&c->to);
    free(c);
}

static bool cluster_facts(tby_db *db, tby_game_id id, tby_db_facts *out)
{
    tby_row row;
    const bool is_good = cluster_row(db, id, &row);
    if (is_good)
        *out = db_facts_of_row(&row);
    return is_good;
}

static bool cluster_want_index(tby_db *db, unsigned kinds)
{
    (void)kinds;
    return db_fail(db, TBY_CANNOT_HOLD, "optional indexes are not supported for PostgreSQL databases");
}

/* Has no effect: a server has its own limits. */
static void cluster_limit(tby_db *db, db_limit what, uint64_t n)
{
    (void)db;
    (void)what;
    (void)n;
}

static const db_access cluster_kind = {
    .close = close_cluster,
    .begin = cluster_begin,
    .commit = cluster_commit,
    .rollback = cluster_rollback,
    .add = cluster_add,
    .erase = cluster_erase,
    .collections = cluster_collections,
    .members = cluster_members,
    .collect = cluster_collect,
    .begin_reading = cluster_begin_reading,
    .end_reading = cluster_end_reading,
    .n_games = cluster_n_games,
    .last_id = cluster_last_id,
    .row = cluster_row,
    .facts = cluster_facts,
    .plan = cluster_plan_make,
    .plan_free = cluster_plan_free,
    .tell = cluster_tell_plan,
    .run = cluster_run,
    .count = cluster_count,
    .pass = cluster_pass,
    .players = cluster_players,
    .check_where = cluster_check_where,
    .index = cluster_index,
    .want_index = cluster_want_index,
    .limit = cluster_limit,
    .verify = cluster_verify,
    .summarize = cluster_summarize,
    .sizes = cluster_sizes,
    .most_bytes = PG_MOST_BYTES,
};

tby_db *cluster_open(server *s, bool is_coordinator, tby_failure *failure)
{
    cluster *c = calloc(1, sizeof *c);
    if (!c || !array_reserve(&c->shards, &c->cap_shards, 1, sizeof *c->shards, NULL)) {
        free(c);
        server_close(s);
        failure_no_memory(failure);
        return NULL;
    }
    c->mode = s->mode;
    if (is_coordinator) {
        c->to = s->to; /* the server must not close it */
        s->to = (connection){0};
        server_close(s);
    } else {
        c->shards[c->n_shards++] = (shard){.to = s};
        watch_shard(c, s);
    }
    c->to.base.kind = &cluster_kind;
    c->to.base.commits_apart = is_coordinator;
    if (!is_coordinator || cluster_list(c, &c->to))
        return &c->to.base;
    *failure = c->to.base.failure;
    close_cluster(&c->to.base);
    return NULL;
}
