/*
 * cluster_admin.c - sets up a cluster and reports its state, for `tabiya cluster`. If the coordinator has Citus, Citus
 * distributes the games (citus.c); otherwise they are on shards, each a database of its own.
 *
 * The statements for shards come from the extension's function shardSql; all of them may be run again. Everything is
 * checked before anything is changed: a database must not be given twice, under whatever name of its server, must not
 * contain other games, and must have the extension in the same version and schema as the coordinator, whose calls use
 * these names.
 */
#include "store/postgres/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One server while it is set up. */
typedef struct candidate {
    const char *url;
    server *to;
    server_tables has;
    char identity[64], version[64];
    buffer options, sql;
} candidate;

typedef struct setup {
    candidate *list; /* the coordinator, then the shards */
    size_t n_shards;
    bool is_printed; /* the statements are only shown, without secrets */
    tby_failure *failure;
} setup;

/* Reports the failure of a server, with its address. */
static bool fail_server(setup *s, const char *url, const tby_failure *why)
{
    char name[256];
    tby_db_name_write(name, sizeof name, url);
    return failure_keep(s->failure, why->status, "%s: %.250s", name, why->text);
}

static bool fail_at(setup *s, const candidate *c) { return fail_server(s, c->url, &c->to->to.base.failure); }

static bool connect(setup *s, candidate *c, const char *url, tby_db_mode mode)
{
    tby_failure why = {.status = TBY_OK};
    c->url = url;
    c->to = server_connect(url, mode, &why);
    return c->to || fail_server(s, url, &why);
}

static bool begin(setup *s, size_t n_shards, tby_failure *failure)
{
    *s =
        (setup){.list = calloc(n_shards + 1, sizeof *s->list), .n_shards = n_shards, .failure = failure_clear(failure)};
    return s->list || failure_no_memory(failure);
}

static tby_status finish(setup *s, bool is_good)
{
    for (size_t i = 0; s->list && i <= s->n_shards; i++) {
        server_close(s->list[i].to);
        buffer_free(&s->list[i].options);
        buffer_free(&s->list[i].sql);
    }
    free(s->list);
    return failure_answer(s->failure, is_good);
}

/* ---- Checks before any change ----------------------------------------------------------------------------------- */

static void keep_text(char out[64], tby_text text) { snprintf(out, 64, "%.*s", (int)text.n, text.s ? text.s : ""); }

/* Identifies a database: no two servers start in the same microsecond and have a database with the same number. The
   version of the extension is that installed or to be installed; NULL if the server does not have it. */
static const char identity[] =
    "SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || oid::text, (SELECT coalesce(e.extversion,"
    " a.default_version) FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name WHERE a.name ="
    " 'tabiya') FROM pg_database WHERE datname = current_database()";

static bool look(setup *s, candidate *c)
{
    connection *row = &c->to->to;
    pg_send(row, identity, NULL);
    while (pg_next(row)) {
        keep_text(c->identity, pg_text(row, 0));
        keep_text(c->version, pg_text(row, 1));
    }
    return (pg_is_good(row) && server_look(c->to, &c->has) &&
            pg_write_options(row, c->url, s->is_printed ? "***" : NULL, &c->options)) ||
           fail_at(s, c);
}

/* The length of the options up to the database name: they identify the place. */
static size_t place_length(const char *options)
{
    const char *name = strstr(options, "dbname='"), *end = name ? strchr(name + strlen("dbname='"), '\'') : NULL;
    return end ? (size_t)(end + 1 - options) : strlen(options);
}

static bool is_new_place(setup *s, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(s->list[i].identity, s->list[number].identity) == 0)
            return i == 0
                       ? failure_keep(s->failure, TBY_IO_ERROR, "the coordinator and shard %zu are the same database",
                                      number)
                       : failure_keep(s->failure, TBY_IO_ERROR, "shards %zu and %zu are the same database", i, number);
    return true;
}

static bool has_same_extension(candidate *c, const candidate *coordinator)
{
    const int n = (int)strlen(c->to->ext) - 1, n_there = (int)strlen(coordinator->to->ext) - 1;
    if (!c->version[0])
        return pg_fail(&c->to->to, "the extension tabiya is not installed on this server");
    if (strcmp(c->version, coordinator->version) != 0)
        return pg_fail(&c->to->to,
                       "its extension tabiya has version %s, that of the coordinator %s; install the later one on"
                       " both servers, then run ALTER EXTENSION tabiya UPDATE",
                       c->version, coordinator->version);
    return !c->has.has_extension || strcmp(c->to->ext, coordinator->to->ext) == 0 ||
           pg_fail(&c->to->to,
                   "its extension tabiya is in the schema %.*s, that of the coordinator in %.*s; ALTER EXTENSION"
                   " tabiya SET SCHEMA moves it",
                   n, c->to->ext, n_there, coordinator->to->ext);
}

/* The hash of a game determines its shard from the number of shards: with a different number or order, stored games
   would not be found, and would be stored again. */
static bool has_no_other_role(candidate *c, size_t number, size_t n_shards)
{
    const server_tables *has = &c->has;
    connection *to = &c->to->to;
    if (!has->has_game)
        return true;
    if (has->is_coordinator)
        return pg_fail(to, "the database is a coordinator; use another one");
    if (!has->shard)
        return pg_fail(to, "the database has games that do not belong to a shard; use another one");
    return ((size_t)has->shard == number && (size_t)has->n_shards == n_shards) ||
           pg_fail(to, "the database is already shard %d of %d and cannot become shard %zu of %zu", has->shard,
                   has->n_shards, number, n_shards);
}

static bool look_at_shards(setup *s, const char *const *urls)
{
    for (size_t i = 1; i <= s->n_shards; i++) {
        candidate *c = &s->list[i];
        if (!connect(s, c, urls[i - 1], TBY_DB_WRITE) || !look(s, c) || !is_new_place(s, i))
            return false;
        if (!has_no_other_role(c, i, s->n_shards) || !has_same_extension(c, &s->list[0]))
            return fail_at(s, c);
    }
    return true;
}

/* Are the given servers those that the coordinator knows? */
static bool are_known(setup *s)
{
    candidate *c = &s->list[0];
    cluster known = {0};
    bool is_good = !c->has.is_coordinator || cluster_list(&known, &c->to->to) || fail_at(s, c);
    if (is_good && known.n_shards && known.n_shards != s->n_shards)
        is_good = failure_keep(s->failure, TBY_IO_ERROR,
                               "the coordinator already has %zu shards; their number cannot change", known.n_shards);
    for (size_t i = 0; i < known.n_shards && is_good; i++) {
        const char *there = known.shards[i].options, *given = s->list[i + 1].options.s;
        const size_t n = place_length(there);
        is_good =
            (n == place_length(given) && memcmp(there, given, n) == 0) ||
            failure_keep(s->failure, TBY_IO_ERROR, "shard %zu is already another database: %.*s", i + 1, (int)n, there);
    }
    cluster_forget(&known);
    return is_good;
}

/* Runs in a transaction, including the creation of the extension, which is rolled back for printing. */
static bool look_at_coordinator(setup *s, const char *url, bool *has_citus)
{
    candidate *c = &s->list[0];
    if (!connect(s, c, url, TBY_DB_WRITE))
        return false;
    if (!pg_run(&c->to->to, "BEGIN") || !server_add_extension(c->to) || !citus_look(c->to, has_citus))
        return fail_at(s, c);
    if (!look(s, c))
        return false;
    if (c->has.has_game && !c->has.is_coordinator && !*has_citus) {
        pg_fail(&c->to->to, c->has.shard ? "the database is a shard; use another one as the coordinator"
                                         : "the database has games of its own; use another one as the coordinator");
        return fail_at(s, c);
    }
    return true;
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* The statements of each shard come first, then those of the coordinator. */
static bool take_statements(setup *s, connection *from)
{
    size_t n = 0;
    for (; pg_next(from); n++) {
        const tby_text sql = pg_text(from, 1);
        if (n <= s->n_shards)
            buffer_add(&s->list[n == s->n_shards ? 0 : n + 1].sql, sql.s, sql.n);
    }
    return pg_is_good(from) &&
           (n == s->n_shards + 1 || pg_fail(from, "shardSql did not return statements for every server"));
}

static bool make_statements(setup *s)
{
    connection *to = &s->list[0].to->to;
    pg_values values = {.n = 0};
    buffer sql = {0};
    buffer_printf(&sql, "SELECT server, sql FROM %sshardSql(ARRAY[", s->list[0].to->ext);
    for (size_t i = 1; i <= s->n_shards; i++)
        buffer_printf(&sql, "%s$%zu", i > 1 ? ", " : "", pg_value(&values, s->list[i].options.s));
    buffer_string(&sql, "]::text[], current_user::text)");
    bool is_good = (pg_send(to, sql.has_failed ? NULL : sql.s, &values) && take_statements(s, to)) ||
                   fail_at(s, &s->list[0]);
    for (size_t i = 0; i <= s->n_shards && is_good; i++)
        is_good = !s->list[i].sql.has_failed || failure_no_memory(s->failure);
    pg_values_free(&values);
    buffer_free(&sql);
    return is_good;
}

/* \connect "host='...' ...", with quotes doubled, and without secrets: a printed script must not contain them. */
static void put_connect(buffer *out, candidate *c)
{
    buffer options = {0};
    out->has_failed |= !pg_write_options(&c->to->to, c->url, "", &options);
    buffer_string(out, "\\connect \"");
    for (size_t i = 0; i < options.n; i++)
        buffer_add(out, options.s[i] == '"' ? "\"\"" : options.s + i, options.s[i] == '"' ? 2 : 1);
    buffer_string(out, "\"\n");
    buffer_free(&options);
}

/* A script for psql, the coordinator last. */
static bool print_statements(setup *s, tby_sink print, void *context)
{
    buffer text = {0};
    buffer_string(&text, "\\set ON_ERROR_STOP on\n");
    for (size_t i = 1; i <= s->n_shards + 1; i++) {
        candidate *c = &s->list[i % (s->n_shards + 1)];
        if (i <= s->n_shards)
            buffer_printf(&text, "-- On the shard %.*s:\n", (int)place_length(c->options.s), c->options.s);
        else
            buffer_string(&text, "-- On the coordinator:\n");
        put_connect(&text, c);
        buffer_printf(&text, "%s\n", c->sql.s);
    }
    const bool is_good = text.has_failed ? failure_no_memory(s->failure)
                                         : print(context, text.s, text.n) ||
                                               failure_keep(s->failure, TBY_IO_ERROR, "writing failed");
    buffer_free(&text);
    return is_good;
}

static bool run_statements(setup *s)
{
    for (size_t i = 1; i <= s->n_shards; i++)
        if (!pg_run(&s->list[i].to->to, s->list[i].sql.s))
            return fail_at(s, &s->list[i]);
    connection *to = &s->list[0].to->to;
    return (pg_run(to, s->list[0].sql.s) && pg_run(to, "COMMIT")) || fail_at(s, &s->list[0]);
}

static bool set_up_shards(setup *s, const char *const *urls, tby_sink print, void *context)
{
    return (s->n_shards ||
            failure_keep(s->failure, TBY_IO_ERROR, "the coordinator does not have Citus; name the shards")) &&
           look_at_shards(s, urls) && are_known(s) && make_statements(s) &&
           (print ? print_statements(s, print, context) : run_statements(s));
}

/* ---- With Citus ------------------------------------------------------------------------------------------------- */

static bool set_up_citus(setup *s, const char *const *urls, tby_sink print, void *context)
{
    candidate *c = &s->list[0];
    connection *to = &c->to->to;
    pg_address *workers = calloc(s->n_shards + 1, sizeof *workers), here;
    bool is_good = (workers || db_fail_memory(&to->base)) && pg_read_address(to, c->url, &here);
    for (size_t i = 0; i < s->n_shards && is_good; i++)
        is_good = pg_read_address(to, urls[i], &workers[i]);
    is_good = is_good && (print || pg_run(to, "COMMIT")) &&
              citus_set_up(c->to, &here, workers, s->n_shards, print, context);
    free(workers);
    return is_good || fail_at(s, c);
}

/* Connects to a coordinator with Citus. */
static bool open_citus(setup *s, const char *url, tby_failure *failure)
{
    bool has_citus;
    if (!begin(s, 0, failure) || !connect(s, &s->list[0], url, TBY_DB_WRITE))
        return false;
    if (!citus_look(s->list[0].to, &has_citus))
        return fail_at(s, &s->list[0]);
    return has_citus ||
           failure_keep(s->failure, TBY_IO_ERROR,
                        "the coordinator does not have Citus, and without it the number of shards cannot change;"
                        " to grow, move whole shards to other machines");
}

tby_status tby_cluster_add(const char *coordinator, const char *worker, tby_failure *failure)
{
    setup s;
    pg_address at;
    const bool is_good =
        open_citus(&s, coordinator, failure) &&
        ((pg_read_address(&s.list[0].to->to, worker, &at) && citus_add(s.list[0].to, &at)) || fail_at(&s, &s.list[0]));
    return finish(&s, is_good);
}

tby_status tby_cluster_rebalance(const char *coordinator, tby_failure *failure)
{
    setup s;
    const bool is_good = open_citus(&s, coordinator, failure) &&
                         (citus_rebalance(s.list[0].to) || fail_at(&s, &s.list[0]));
    return finish(&s, is_good);
}

tby_status tby_cluster_init(const char *coordinator, const char *const *servers, size_t n, tby_sink print,
                            void *context, tby_failure *failure)
{
    setup s;
    bool has_citus = false, is_good = begin(&s, n, failure);
    s.is_printed = print != NULL;
    is_good = is_good && look_at_coordinator(&s, coordinator, &has_citus) &&
              (has_citus ? set_up_citus(&s, servers, print, context) : set_up_shards(&s, servers, print, context));
    return finish(&s, is_good);
}

/* ---- State ------------------------------------------------------------------------------------------------------ */

/* Texts of a member. */
typedef struct state {
    char server[64], extension[64];
} state;

/* Reads the columns from `first` on. */
static void take_state(tby_cluster_member *out, state *texts, const connection *row, int first)
{
    enum { GAMES, BYTES, SERVER, EXTENSION, STANDBYS, LAG };
    out->n_games = pg_number(row, first + GAMES);
    out->n_bytes = pg_number(row, first + BYTES);
    keep_text(texts->server, pg_text(row, first + SERVER));
    keep_text(texts->extension, pg_text(row, first + EXTENSION));
    out->server_version = texts->server;
    out->extension_version = texts->extension;
    out->n_standbys = pg_number(row, first + STANDBYS);
    out->lag = pg_text(row, first + LAG).s ? pg_number(row, first + LAG) : -1;
}

static const char how_it_is[] =
    "SELECT (SELECT count(*) FROM tabiya.game), (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE"
    " relnamespace = 'tabiya'::regnamespace AND relkind = 'r'), current_setting('server_version'),"
    " (SELECT extversion FROM pg_extension WHERE extname = 'tabiya'), (SELECT count(*) FROM pg_stat_replication),"
    " (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint FROM pg_stat_replication"
    " WHERE NOT pg_is_in_recovery())";

static bool ask_shard(cluster *c, size_t index, tby_cluster_visit visit, void *context)
{
    shard *it = &c->shards[index];
    char place[256];
    state texts;
    tby_cluster_member out = {
        .number = it->number, .place = place, .lag = -1, .server_version = "", .extension_version = ""};
    snprintf(place, sizeof place, "%.*s", (int)place_length(it->options), it->options);
    if (!cluster_connect_to(c, index)) {
        out.error = it->failure.text;
        return visit(context, &out);
    }
    connection *to = &it->to->to;
    for (pg_send(to, how_it_is, NULL); pg_next(to); out.is_reachable = true)
        take_state(&out, &texts, to, 0);
    out.error = !pg_is_good(to) ? to->base.failure.text : !out.is_reachable ? "it does not report its status" : NULL;
    return visit(context, &out);
}

static bool ask_workers(setup *s, tby_cluster_visit visit, void *context)
{
    enum { NUMBER, PLACE, REACHABLE, ERROR, STATE };
    connection *row = &s->list[0].to->to;
    bool goes_on = true;
    pg_send(row, citus_nodes, NULL);
    while (pg_next(row)) {
        char place[64], error[64];
        state texts;
        tby_cluster_member out = {.number = (int)pg_number(row, NUMBER),
                                  .place = place,
                                  .is_reachable = pg_number(row, REACHABLE) != 0,
                                  .error = error};
        keep_text(place, pg_text(row, PLACE));
        keep_text(error, pg_text(row, ERROR));
        take_state(&out, &texts, row, STATE);
        goes_on = goes_on && visit(context, &out);
    }
    return pg_is_good(row) || fail_at(s, &s->list[0]);
}

tby_status tby_cluster_status(const char *coordinator, tby_cluster_visit visit, void *context, tby_failure *failure)
{
    setup s;
    cluster known = {.mode = TBY_DB_READ};
    bool is_good = begin(&s, 0, failure) && connect(&s, &s.list[0], coordinator, TBY_DB_READ);
    candidate *c = s.list;
    is_good = is_good && ((server_look(c->to, &c->has) && citus_find_tables(c->to)) || fail_at(&s, c));
    if (is_good && c->to->has_citus)
        return finish(&s, ask_workers(&s, visit, context));
    is_good = is_good &&
              (c->has.is_coordinator ||
               failure_keep(s.failure, TBY_IO_ERROR,
                            "the database is not a coordinator; tabiya cluster init makes it one")) &&
              (cluster_list(&known, &c->to->to) || fail_at(&s, c));
    for (size_t i = 0; is_good && i < known.n_shards; i++)
        if (!ask_shard(&known, i, visit, context))
            break;
    cluster_forget(&known);
    return finish(&s, is_good);
}
