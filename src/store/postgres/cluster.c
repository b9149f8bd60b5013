/*
 * cluster.c - the servers of a cluster: listing and connecting to them, working on all of them in parallel, and storing
 * games.
 *
 *     batch --> by hash, to a shard --> each shard: find duplicates --> numbers, in the order of the batch
 *           --> each shard: COPY --> ... --> commit on all
 *
 * Two copies of a game have the same hash and are on the same shard. Imports are serialized by the lock of the first
 * shard, so games are numbered over all shards as in one database. All shards work in parallel, one thread each. If one
 * fails before the commits, nothing is stored; if its commit fails, games stored by the others remain, and repeating
 * the import skips them as duplicates.
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

typedef bool (*shard_work)(server *s, size_t index, void *context);

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

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

/* The transaction on the first shard has begun. */
static bool begin_shard(server *s, size_t index, void *context)
{
    (void)context;
    return index == 0 || server_begin(s);
}

static bool commit_shard(server *s, size_t index, void *context)
{
    (void)index;
    (void)context;
    return server_commit(s);
}

/* Shards may know different last numbers: the largest counts for all. */
static void agree_on_last_id(cluster *c)
{
    for (size_t i = 0; i < c->n_shards; i++)
        c->last_id = c->shards[i].to->last_id > c->last_id ? c->shards[i].to->last_id : c->last_id;
    for (size_t i = 0; i < c->n_shards; i++)
        c->shards[i].to->last_id = c->last_id;
}

static void cluster_rollback(tby_db *db)
{
    cluster *c = (cluster *)db;
    c->to.is_writing = false;
    for (size_t i = 0; i < c->n_shards; i++)
        if (c->shards[i].to)
            server_rollback(c->shards[i].to);
}

/* The lock on the first shard serializes all imports: locking several shards at once could deadlock. */
static bool cluster_begin(tby_db *db)
{
    cluster *c = (cluster *)db;
    c->to.looks_up = false;
    if (!cluster_connect(c) || !(server_begin(c->shards[0].to) || cluster_tell(c, 0)))
        return false;
    if (!cluster_all(c, begin_shard, NULL)) {
        cluster_rollback(db);
        return false;
    }
    c->last_id = 0;
    agree_on_last_id(c);
    c->to.is_writing = true;
    return true;
}

static bool cluster_commit(tby_db *db)
{
    cluster *c = (cluster *)db;
    agree_on_last_id(c);
    c->to.is_writing = false;
    return cluster_all(c, commit_shard, NULL);
}

/* ---- Adding ----------------------------------------------------------------------------------------------------- */

typedef struct adding {
    pg_games *parts; /* for each shard */
    tby_duplicates duplicates;
    tby_db_added here;
} adding;

static bool mark_shard(server *s, size_t index, void *context)
{
    const adding *a = context;
    pg_games *part = &a->parts[index];
    return part->n == 0 || a->duplicates == TBY_DUPLICATES_KEEP || server_mark_duplicates(s, part);
}

/* Others may add games to a single server, so its sequence numbers the games. */
static bool copy_shard(server *s, size_t index, void *context)
{
    const adding *a = context;
    pg_games *part = &a->parts[index];
    return part->n == 0 ||
           ((s->n_siblings || server_number_games(s, part, a->here.stored)) && server_copy_games(s, part));
}

/* Distributes the games of the batch to their shards; `list` has room for all. */
static void deal(const cluster *c, const tby_batch *batch, pg_games *parts, pg_game *list)
{
    const size_t n = tby_batch_n_games(batch);
    for (size_t i = 0; i < n; i++)
        parts[cluster_place(c, tby_batch_row(batch, i).hash)].n++;
    for (size_t i = 0; i < c->n_shards; i++) {
        parts[i].batch = batch;
        parts[i].list = list;
        list += parts[i].n;
        parts[i].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = tby_batch_row(batch, i).hash;
        pg_games *part = &parts[cluster_place(c, hash)];
        part->list[part->n++] = (pg_game){.hash = hash, .index = i};
    }
}

/* Numbers games in the order of the batch, which each part keeps. */
static void number(cluster *c, const tby_batch *batch, pg_games *parts, tby_db_added *added)
{
    const size_t n = tby_batch_n_games(batch);
    for (size_t i = 0; i < n; i++) {
        pg_games *part = &parts[cluster_place(c, tby_batch_row(batch, i).hash)];
        pg_game *game = &part->list[part->next++];
        game->id = game->is_duplicate ? 0 : ++c->last_id;
        added->duplicates += game->is_duplicate;
        added->stored += !game->is_duplicate;
    }
}

static bool cluster_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    cluster *c = (cluster *)db;
    pg_games *parts = calloc(c->n_shards, sizeof *parts);
    pg_game *list = calloc(tby_batch_n_games(batch) + 1, sizeof *list);
    bool is_good = (parts && list) || db_fail_memory(db);
    adding a = {.parts = parts, .duplicates = duplicates};
    if (is_good) {
        deal(c, batch, parts, list);
        is_good = cluster_all(c, mark_shard, &a);
    }
    if (is_good) {
        number(c, batch, parts, &a.here);
        is_good = cluster_all(c, copy_shard, &a);
    }
    added->stored += is_good ? a.here.stored : 0;
    added->duplicates += is_good ? a.here.duplicates : 0;
    free(parts);
    free(list);
    return is_good;
}

/* ---- Indexes ---------------------------------------------------------------------------------------------------- */

static bool index_shard(server *s, size_t index, void *context)
{
    (void)index;
    return server_index(s, *(const int *)context);
}

static bool cluster_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    cluster *c = (cluster *)db;
    (void)progress;
    (void)context;
    c->to.looks_up = true;
    return cluster_connect(c) && cluster_all(c, index_shard, &plies);
}

/* ---- Deleting and collecting ------------------------------------------------------------------------------------ */

/* What is changed on each shard: games that go, or what a collection has. */
typedef struct change {
    const tby_game_id *ids;
    size_t n_ids;
    tby_text name; /* of the collection */
    bool is_adding;
    int64_t *counts; /* of each shard */
} change;

/* Unless the caller has begun one, a change of several shards is a transaction on each. */
static bool needs_transaction(const server *s) { return s->n_siblings && !s->to.is_writing; }

static bool change_shard(server *s, size_t index, void *context)
{
    const change *of = context;
    int64_t *n = &of->counts[index];
    return (!needs_transaction(s) || pg_run(&s->to, "BEGIN")) &&
           (of->name.s ? server_collect(s, of->name, of->ids, of->n_ids, of->is_adding, n)
                       : server_erase(s, of->ids, of->n_ids, n));
}

/* Commits one after the other: if one fails, those after it roll back. */
static bool end_change(cluster *c, bool is_good)
{
    for (size_t i = 0; i < c->n_shards; i++) {
        server *s = c->shards[i].to;
        if (needs_transaction(s) && !pg_end(&s->to, is_good) && is_good)
            is_good = cluster_tell(c, i);
    }
    return is_good;
}

static bool change_all(cluster *c, change of, int64_t *n_changed)
{
    *n_changed = 0;
    if (!cluster_reach(c))
        return false;
    of.counts = calloc(c->n_shards, sizeof *of.counts);
    if (!of.counts)
        return db_fail_memory(&c->to.base);
    const bool is_good = end_change(c, cluster_all(c, change_shard, &of));
    for (size_t i = 0; i < c->n_shards && is_good; i++)
        *n_changed += of.counts[i];
    free(of.counts);
    return is_good;
}

/* A number does not say on which shard its game is. */
static bool cluster_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    return change_all((cluster *)db, (change){.ids = ids, .n_ids = n_ids}, n_deleted);
}

/* Each shard has the collections of its own games. */
static bool cluster_collect(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                            int64_t *n_changed)
{
    const change of = {.name = name, .ids = ids, .n_ids = n_ids, .is_adding = is_adding};
    return change_all((cluster *)db, of, n_changed);
}

static bool cluster_collections(tby_db *db, tby_game_id game, collection_take take, void *context)
{
    cluster *c = (cluster *)db;
    bool is_good = cluster_reach(c);
    for (size_t i = 0; is_good && i < c->n_shards; i++)
        is_good = server_collections(c->shards[i].to, game, take, context) || cluster_tell(c, i);
    return is_good;
}

static bool cluster_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context)
{
    cluster *c = (cluster *)db;
    bool is_good = cluster_reach(c);
    for (size_t i = 0; is_good && i < c->n_shards; i++)
        is_good = server_members(c->shards[i].to, name, take, context) || cluster_tell(c, i);
    return is_good;
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
