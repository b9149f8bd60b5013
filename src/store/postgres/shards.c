/*
 * shards.c - stores games on several PostgreSQL servers that a coordinator knows.
 *
 *     batch --> by hash & 1023, the slot, to a shard --> each shard: which are there already? --> numbers, in the order
 *     of the batch --> each shard: COPY --> ... --> commit on all
 *
 * Two copies of a game have one hash and meet on one shard. A lock on the coordinator's slots lets one import write at
 * a time, so numbers follow each other over all shards as in one database. All shards work at the same time, a thread
 * each. If one fails before the commits nothing is stored; if it fails in its commit, what the others have stored
 * stays, and the same import again finds it there.
 */
#include "store/postgres/pg.h"
#include "support/array.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Which there are -------------------------------------------------------------------------------------------- */

/* As libpq has them: name='value', quotes and backslashes escaped. What only postgres_fdw knows is left out. Where the
   server is comes first; a dump that was restored has them in the order of their names. */
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

static bool take_shard(void *context, pg *p)
{
    const tby_text options = pg_text(p, 1);
    const bool has_room = array_reserve(&p->shards, &p->cap_shards, p->n_shards + 1, sizeof *p->shards, NULL);
    char *copy = has_room ? calloc(options.n + 1, 1) : NULL;
    if (!copy) {
        *(bool *)context = true;
        return false;
    }
    if (options.n)
        memcpy(copy, options.s, options.n);
    p->shards[p->n_shards++] =
        (pg_shard){.number = (int)pg_number(p, 0), .options = copy, .has_login = pg_number(p, 2) != 0};
    return true;
}

static void forget_shards(pg *p)
{
    for (size_t i = 0; i < p->n_shards; i++) {
        pg_close(p->shards[i].to);
        free(p->shards[i].options);
    }
    free(p->shards);
    free(p->places);
    p->shards = NULL;
    p->places = NULL;
    p->n_shards = p->cap_shards = 0;
}

bool pg_shards_find(pg *p)
{
    bool has_no_memory = false;
    forget_shards(p);
    /* What is sorted and limited is so on the shards, whose sizes the planner does not know. */
    if (!pg_run(p, "SET enable_partitionwise_aggregate = on; SET enable_sort = off") ||
        !pg_query(p, list_shards, NULL, take_shard, &has_no_memory))
        return false;
    if (has_no_memory)
        return db_fail_memory(&p->base);
    return p->n_shards || pg_fail(p, "the coordinator has no shards; tabiya shard add adds one");
}

void pg_shards_close(pg *p)
{
    forget_shards(p);
    free(p->slots);
    p->slots = NULL;
}

/* ---- All at once ------------------------------------------------------------------------------------------------ */

bool pg_shards_tell(pg *p, size_t index)
{
    const pg_shard *shard = &p->shards[index];
    const tby_status status = shard->to ? shard->to->base.status : TBY_IO_ERROR;
    return db_fail(&p->base, status != TBY_OK ? status : TBY_IO_ERROR, "shard %d: %.450s", shard->number,
                   shard->to ? shard->to->base.error : shard->error);
}

/* The threads of one piece of work. */
typedef struct crew {
    bool (*work)(pg *shard, size_t index, void *context);
    void *context;
    atomic_bool is_over; /* the caller wishes that it ends */
    pthread_mutex_t lock;
    pthread_cond_t is_done; /* one more */
    size_t n_done;
} crew;

typedef struct worker {
    crew *crew;
    pg *to;
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

/* While the shards work, the caller is told, as by one server. */
static void look_up(pg *p, crew *c)
{
    enum { PAUSE = 100 * 1000 * 1000 };
    pthread_mutex_lock(&c->lock);
    while (p->looks_up && c->n_done < p->n_shards) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + PAUSE) / 1000000000;
        until.tv_nsec = (until.tv_nsec + PAUSE) % 1000000000;
        if (pthread_cond_timedwait(&c->is_done, &c->lock, &until) == 0)
            continue;
        pthread_mutex_unlock(&c->lock);
        if (!db_goes_on(&p->base))
            atomic_store(&c->is_over, true);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

static void begin_work(worker *w, crew *c, pg *to, size_t index)
{
    *w = (worker){.crew = c, .to = to, .index = index};
    if (to) {
        tby_db_set_watch(&to->base, goes_on, c);
        to->base.error[0] = '\0';
    }
    w->is_running = pthread_create(&w->thread, NULL, work, w) == 0;
    if (!w->is_running)
        work(w);
}

static bool end_work(pg *p, worker *w, bool is_good)
{
    if (w->is_running)
        pthread_join(w->thread, NULL);
    if (!w->is_good && is_good)
        pg_shards_tell(p, w->index);
    if (p->shards[w->index].to)
        tby_db_set_watch(&p->shards[w->index].to->base, NULL, NULL);
    return w->is_good && is_good;
}

bool pg_shards_all(pg *p, bool (*function)(pg *shard, size_t index, void *context), void *context)
{
    crew c = {
        .work = function, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER, .is_done = PTHREAD_COND_INITIALIZER};
    worker *workers = calloc(p->n_shards, sizeof *workers);
    bool is_good = true;
    if (!workers)
        return db_fail_memory(&p->base);
    for (size_t i = 0; i < p->n_shards; i++)
        begin_work(&workers[i], &c, p->shards[i].to, i);
    look_up(p, &c);
    for (size_t i = 0; i < p->n_shards; i++)
        is_good = end_work(p, &workers[i], is_good);
    free(workers);
    return is_good;
}

/* A server that does not answer is given up after a while, unless its options say otherwise. */
static pg *open_shard(pg_shard *shard, tby_db_mode mode)
{
    buffer options = {0};
    tby_status status;
    buffer_printf(&options, "connect_timeout='10' %s", shard->options);
    pg *to = options.has_failed ? NULL : pg_open(options.s, pg_first_statements(mode), &status, shard->error);
    if (options.has_failed)
        snprintf(shard->error, sizeof shard->error, "out of memory");
    buffer_free(&options);
    if (to)
        to->mode = mode;
    return to;
}

/* A server that was lost may be back. */
static bool connect_shard(pg *to, size_t index, void *context)
{
    pg *p = context;
    pg_shard *shard = &p->shards[index];
    if (to && pg_is_alive(to))
        return true;
    pg_close(to);
    shard->to = NULL;
    to = open_shard(shard, p->mode);
    if (!to)
        return false;
    if (pg_find_shard(to, shard->number)) {
        to->n_siblings = p->n_shards;
        shard->to = to;
        return true;
    }
    memcpy(shard->error, to->base.error, sizeof shard->error);
    pg_close(to);
    return false;
}

bool pg_shards_connect(pg *p) { return pg_shards_all(p, connect_shard, p); }

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

typedef struct slot_map {
    pg *p;
    size_t n;
    bool is_wrong;
} slot_map;

static bool take_slot(void *context, pg *p)
{
    slot_map *map = context;
    const int64_t slot = pg_number(p, 0), shard = pg_number(p, 1);
    size_t index = 0;
    while (index < p->n_shards && p->shards[index].number != shard)
        index++;
    map->is_wrong |= slot != (int64_t)map->n || slot >= PG_SLOTS || index == p->n_shards;
    if (map->is_wrong)
        return false;
    p->slots[map->n++] = (int)index;
    return true;
}

static bool read_slots(pg *p)
{
    slot_map map = {.p = p};
    if (!p->slots && !(p->slots = calloc(PG_SLOTS, sizeof *p->slots)))
        return db_fail_memory(&p->base);
    if (!pg_query(p, "SELECT slot, shard FROM tabiya.slot ORDER BY slot", NULL, take_slot, &map))
        return false;
    return (!map.is_wrong && map.n == PG_SLOTS) ||
           pg_fail(p, "the table tabiya.slot does not say for each of %d slots on which shard it is", PG_SLOTS);
}

static bool begin_shard(pg *shard, size_t index, void *context)
{
    (void)index;
    (void)context;
    return pg_begin(&shard->base);
}

static bool commit_shard(pg *shard, size_t index, void *context)
{
    (void)index;
    (void)context;
    return pg_commit(&shard->base);
}

static void roll_back_shards(pg *p)
{
    for (size_t i = 0; i < p->n_shards; i++)
        if (p->shards[i].to)
            pg_rollback(&p->shards[i].to->base);
}

/* Shards may know different last numbers: each game has one of all. */
static void agree_on_last_id(pg *p)
{
    for (size_t i = 0; i < p->n_shards; i++)
        p->last_id = p->shards[i].to->last_id > p->last_id ? p->shards[i].to->last_id : p->last_id;
    for (size_t i = 0; i < p->n_shards; i++)
        p->shards[i].to->last_id = p->last_id;
}

bool pg_shards_begin(tby_db *db)
{
    pg *p = (pg *)db;
    p->looks_up = false;
    if (!pg_shards_connect(p) || !pg_run(p, PG_LOCK_SLOTS))
        return false;
    if (!pg_shards_mend(p) || !read_slots(p) || !pg_shards_all(p, begin_shard, NULL)) {
        roll_back_shards(p);
        return pg_end(p, false);
    }
    p->last_id = 0;
    agree_on_last_id(p);
    p->is_writing = true;
    return true;
}

bool pg_shards_commit(tby_db *db)
{
    pg *p = (pg *)db;
    agree_on_last_id(p);
    p->is_writing = false;
    return pg_end(p, pg_shards_all(p, commit_shard, NULL));
}

void pg_shards_rollback(tby_db *db)
{
    pg *p = (pg *)db;
    p->is_writing = false;
    roll_back_shards(p);
    pg_roll_back(p);
}

/* ---- Adding ----------------------------------------------------------------------------------------------------- */

typedef struct adding {
    pg_games *parts; /* for each shard */
    tby_duplicates duplicates;
} adding;

static bool mark_shard(pg *shard, size_t index, void *context)
{
    const adding *a = context;
    pg_games *part = &a->parts[index];
    return part->n == 0 || a->duplicates == TBY_DUPLICATES_KEEP || pg_mark_duplicates(shard, part);
}

static bool copy_shard(pg *shard, size_t index, void *context)
{
    const adding *a = context;
    return a->parts[index].n == 0 || pg_copy_games(shard, &a->parts[index]);
}

/* The games of the batch to their shards; `list` has room for all. */
static void deal(const pg *p, const tby_batch *batch, pg_games *parts, pg_game *list)
{
    const size_t n = tby_batch_n_games(batch);
    for (size_t i = 0; i < n; i++)
        parts[p->slots[tby_batch_row(batch, i).hash % PG_SLOTS]].n++;
    for (size_t i = 0; i < p->n_shards; i++) {
        parts[i].batch = batch;
        parts[i].list = list;
        list += parts[i].n;
        parts[i].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = tby_batch_row(batch, i).hash;
        pg_games *part = &parts[p->slots[hash % PG_SLOTS]];
        part->list[part->n++] = (pg_game){.hash = hash, .index = i};
    }
}

/* In the order of the batch, which each part keeps. */
static void number(pg *p, const tby_batch *batch, pg_games *parts, size_t *next, tby_db_added *added)
{
    const size_t n = tby_batch_n_games(batch);
    for (size_t i = 0; i < n; i++) {
        const int shard = p->slots[tby_batch_row(batch, i).hash % PG_SLOTS];
        pg_game *game = &parts[shard].list[next[shard]++];
        game->id = game->is_duplicate ? 0 : ++p->last_id;
        added->duplicates += game->is_duplicate;
        added->stored += !game->is_duplicate;
    }
}

bool pg_shards_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    pg *p = (pg *)db;
    pg_games *parts = calloc(p->n_shards, sizeof *parts);
    pg_game *list = calloc(tby_batch_n_games(batch) + 1, sizeof *list);
    size_t *next = calloc(p->n_shards, sizeof *next);
    tby_db_added here = {0};
    bool is_good = (parts && list && next) || db_fail_memory(db);
    adding a = {parts, duplicates};
    if (is_good) {
        deal(p, batch, parts, list);
        is_good = pg_shards_all(p, mark_shard, &a);
    }
    if (is_good) {
        number(p, batch, parts, next, &here);
        is_good = pg_shards_all(p, copy_shard, &a);
    }
    added->stored += is_good ? here.stored : 0;
    added->duplicates += is_good ? here.duplicates : 0;
    free(parts);
    free(list);
    free(next);
    return is_good;
}

/* ---- Indexes ---------------------------------------------------------------------------------------------------- */

static bool index_shard(pg *shard, size_t index, void *context)
{
    (void)index;
    return pg_index(&shard->base, *(const int *)context, NULL, NULL);
}

bool pg_shards_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    pg *p = (pg *)db;
    (void)progress;
    (void)context;
    p->looks_up = true;
    return pg_shards_connect(p) && pg_shards_all(p, index_shard, &plies);
}
