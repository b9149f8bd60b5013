/*
 * cluster.c - sets up a cluster and reports its state, for `tabiya cluster`: Citus distributes the games over workers
 * (citus.c).
 */
#include "store/postgres/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The coordinator -------------------------------------------------------------------------------------------- */

/* Reports the failure of a server, with its address. */
static bool fail_at(tby_failure *failure, const char *url, const tby_failure *why)
{
    char name[256];
    tby_db_name_write(name, sizeof name, url);
    return failure_keep(failure, why->status, "%s: %.400s", name, why->text);
}

static bool check_coordinator(server *s, const server_tables *t)
{
    bool has_citus;
    if (!pg_is_true(&s->to, "SELECT count(*) FROM pg_extension WHERE extname = 'citus'", &has_citus))
        return false;
    if (!has_citus)
        return pg_fail(&s->to, "this database does not have Citus, which distributes games over several servers;"
                               " install it on all of them (https://docs.citusdata.com), and run CREATE EXTENSION"
                               " citus in this database and in those of the workers");
    if (t->was_shard || t->was_coordinator)
        return pg_fail(&s->to, "the database belongs to shards of version 1; use another one");
    return citus_find_tables(s);
}

/* Connects to a coordinator with Citus; NULL on failure. Does not create the extension tabiya. */
static server *open_coordinator(const char *url, tby_db_mode mode, server_tables *t, tby_failure *failure)
{
    tby_failure why = {.status = TBY_OK};
    server *s = server_connect(url, mode, &why);
    if (s && server_look(s, t) && check_coordinator(s, t))
        return s;
    fail_at(failure, url, s ? &s->to.base.failure : &why);
    server_close(s);
    return NULL;
}

static tby_status finish(server *s, const char *url, bool is_good, tby_failure *failure)
{
    if (!is_good)
        fail_at(failure, url, &s->to.base.failure);
    server_close(s);
    return failure_answer(failure, is_good);
}

/* ---- Setting up ------------------------------------------------------------------------------------------------- */

static bool read_addresses(server *s, const char *const *urls, size_t n, pg_address *out)
{
    for (size_t i = 0; i < n; i++)
        if (!pg_read_address(&s->to, urls[i], &out[i]))
            return false;
    return true;
}

tby_status tby_cluster_init(const char *coordinator, const char *const *workers, size_t n, int n_shards, tby_sink print,
                            void *context, tby_failure *failure)
{
    server_tables t;
    citus_plan p = {.n_workers = n, .n_shards = n_shards, .print = print, .context = context};
    server *s = open_coordinator(coordinator, TBY_DB_WRITE, &t, failure_clear(failure));
    if (!s)
        return failure_answer(failure, false);
    pg_address *list = calloc(n + 1, sizeof *list);
    p.workers = list;
    const bool is_good = (list || db_fail_memory(&s->to.base)) &&
                         pg_read_address(&s->to, coordinator, &p.coordinator) && read_addresses(s, workers, n, list) &&
                         citus_set_up(s, &t, &p);
    free(list);
    return finish(s, coordinator, is_good, failure);
}

tby_status tby_cluster_add(const char *coordinator, const char *worker, tby_failure *failure)
{
    server_tables t;
    pg_address at;
    server *s = open_coordinator(coordinator, TBY_DB_WRITE, &t, failure_clear(failure));
    return s ? finish(s, coordinator, pg_read_address(&s->to, worker, &at) && citus_add(s, &at), failure)
             : failure_answer(failure, false);
}

tby_status tby_cluster_rebalance(const char *coordinator, tby_failure *failure)
{
    server_tables t;
    server *s = open_coordinator(coordinator, TBY_DB_WRITE, &t, failure_clear(failure));
    return s ? finish(s, coordinator, citus_rebalance(s), failure) : failure_answer(failure, false);
}

/* ---- State ------------------------------------------------------------------------------------------------------ */

static void keep_text(char out[static 64], tby_text text)
{
    snprintf(out, 64, "%.*s", (int)text.n, text.s ? text.s : "");
}

static bool ask_workers(server *s, tby_cluster_visit visit, void *context)
{
    enum { NUMBER, PLACE, REACHABLE, ERROR, GAMES, BYTES, SERVER, EXTENSION, STANDBYS, LAG };
    const connection *row = &s->to;
    bool goes_on = true;
    pg_send(&s->to, citus_nodes, NULL);
    while (pg_next(&s->to)) {
        char place[64], error[64], version[64], extension[64];
        keep_text(place, pg_text(row, PLACE));
        keep_text(error, pg_text(row, ERROR));
        keep_text(version, pg_text(row, SERVER));
        keep_text(extension, pg_text(row, EXTENSION));
        const tby_cluster_member out = {.number = (int)pg_number(row, NUMBER),
                                        .place = place,
                                        .is_reachable = pg_number(row, REACHABLE) != 0,
                                        .error = error,
                                        .n_games = pg_number(row, GAMES),
                                        .n_bytes = pg_number(row, BYTES),
                                        .n_standbys = pg_number(row, STANDBYS),
                                        .lag = pg_text(row, LAG).s ? pg_number(row, LAG) : -1,
                                        .server_version = version,
                                        .extension_version = extension};
        goes_on = goes_on && visit(context, &out);
    }
    return pg_is_good(&s->to);
}

tby_status tby_cluster_status(const char *coordinator, tby_cluster_visit visit, void *context, tby_failure *failure)
{
    server_tables t;
    server *s = open_coordinator(coordinator, TBY_DB_READ, &t, failure_clear(failure));
    if (!s)
        return failure_answer(failure, false);
    const bool is_good =
        (s->has_citus || pg_fail(&s->to, "its games are not distributed; tabiya cluster init does that")) &&
        ask_workers(s, visit, context);
    return finish(s, coordinator, is_good, failure);
}
