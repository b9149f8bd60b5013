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
    const pg_step step = pg_next(&c->shards[index].to->to);
    c->shards[index].is_asked = step == PG_ROW;
    return step != PG_FAILED || cluster_tell(c, index);
}

/* The first name of all shards; NULL if there are no more. */
static const connection *first_name(const cluster *c)
{
    const connection *first = NULL;
    for (size_t i = 0; i < c->n_shards; i++) {
        const connection *row = &c->shards[i].to->to;
        if (c->shards[i].is_asked && (!first || compare_texts(pg_text(row, 0), pg_text(first, 0)) < 0))
            first = row;
    }
    return first;
}

/* Takes the name from all shards that are at it; the numbers beside it are added. */
static bool pass_name(cluster *c, const connection *first, buffer *name, int64_t *sum)
{
    const tby_text text = pg_text(first, 0);
    bool is_good = true;
    name->n = 0;
    buffer_add(name, text.s, text.n);
    *sum = 0;
    if (name->has_failed)
        return db_fail_memory(&c->to.base);
    for (size_t i = 0; i < c->n_shards && is_good; i++) {
        const connection *row = &c->shards[i].to->to;
        if (!c->shards[i].is_asked || compare_texts(pg_text(row, 0), (tby_text){name->s, name->n}) != 0)
            continue;
        *sum += pg_number(row, 1);
        is_good = step(c, i);
    }
    return is_good;
}

bool cluster_merge_names(cluster *c, bool (*send)(server *s, const void *question), const void *question,
                         void (*visit)(void *context, tby_text name, int64_t n), void *context)
{
    buffer name = {0};
    bool is_good = true;
    cluster_watch(c, true);
    for (size_t i = 0; i < c->n_shards; i++) {
        c->shards[i].is_asked = is_good && send(c->shards[i].to, question);
        is_good = is_good && (c->shards[i].is_asked || cluster_tell(c, i));
    }
    for (size_t i = 0; i < c->n_shards && is_good; i++)
        is_good = step(c, i);
    for (const connection *first; is_good && (first = first_name(c)) != NULL;) {
        int64_t sum;
        is_good = pass_name(c, first, &name, &sum);
        if (is_good)
            visit(context, (tby_text){name.s, name.n}, sum);
    }
    for (size_t i = 0; i < c->n_shards && !is_good; i++)
        if (c->shards[i].is_asked)
            pg_stop(&c->shards[i].to->to, true);
    cluster_watch(c, false);
    buffer_free(&name);
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
    summary_end(out, least, (int64_t)c->n_shards);
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
        server *s = c->shards[i].to;
        pg_step step = PG_FAILED;
        if (server_send_sizes(s))
            while ((step = pg_next(&s->to)) == PG_ROW)
                has_memory = has_memory && add_room(&all, pg_text(&s->to, 0), pg_number(&s->to, 1));
        is_good = step == PG_END || cluster_tell(c, i);
    }
    is_good = is_good && (has_memory || db_fail_memory(db));
    if (is_good && all.n)
        qsort(all.list, all.n, sizeof *all.list, compare_rooms);
    for (size_t i = 0; i < all.n && is_good; i++)
        visit(context, all.list[i].name, all.list[i].n_bytes);
    free(all.list);
    return is_good;
}

/* ---- Verification ----------------------------------------------------------------------------------------------- */

typedef struct placing {
    cluster *to;
    tby_game_id last;
} placing;

/* Games arrive in the order of their numbers. */
static const char *check_place(void *context, tby_game_id id, const tby_row *row)
{
    placing *p = context;
    const bool is_double = id == p->last;
    p->last = id;
    return is_double                                                             ? "it is on two shards"
           : p->to->shards[cluster_place(p->to, row->hash)].to != p->to->visited ? "its hash belongs to another shard"
                                                                                 : NULL;
}

bool cluster_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    cluster *c = (cluster *)db;
    placing places = {.to = c};
    verifier v = {.fault = fault,
                  .progress = progress,
                  .context = context,
                  .visited = &c->visited,
                  .extra = check_place,
                  .extra_context = &places};
    bool is_good = verify_games(&v, db);
    for (size_t i = 0; is_good && i < c->n_shards; i++)
        is_good = verify_counts(&v, c->shards[i].to) || cluster_tell(c, i);
    *n_faults = v.n_faults;
    return is_good;
}
