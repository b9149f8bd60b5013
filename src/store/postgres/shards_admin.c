/*
 * shards_admin.c - sets up shards, adds one, and tells how they are: what `tabiya shard` does.
 *
 * The statements are those of the extension's function shardSql; all of them may be run again.
 */
#include "store/postgres/pg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Servers while they are set up. */
typedef struct setup {
    pg *coordinator;
    pg **shards;
    buffer *options;    /* of each shard */
    buffer *identities; /* of each shard, then of the coordinator */
    size_t n;
    tby_status status;
    char text[TBY_DB_ERROR_SIZE];
} setup;

static bool fail(setup *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(setup *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->text, sizeof s->text, format, args);
    va_end(args);
    s->status = TBY_IO_ERROR;
    return false;
}

static bool fail_memory(setup *s)
{
    fail(s, "out of memory");
    s->status = TBY_NO_MEMORY;
    return false;
}

/* What a server says, and which it is. */
static bool fail_server(setup *s, const pg *p, const char *url)
{
    char name[256];
    tby_db_name_write(name, sizeof name, url);
    return fail(s, "%s: %.250s", name, p->base.error);
}

static tby_status finish(setup *s, bool is_good, char error[TBY_DB_ERROR_SIZE])
{
    if (!is_good)
        snprintf(error, TBY_DB_ERROR_SIZE, "%s", s->text);
    for (size_t i = 0; i < s->n; i++) {
        if (s->shards)
            pg_close(s->shards[i]);
        if (s->options)
            buffer_free(&s->options[i]);
    }
    for (size_t i = 0; s->identities && i <= s->n; i++)
        buffer_free(&s->identities[i]);
    free(s->shards);
    free(s->options);
    free(s->identities);
    pg_close(s->coordinator);
    return is_good ? TBY_OK : s->status;
}

/* ---- Looking before anything is done ---------------------------------------------------------------------------- */

static pg *open_server(setup *s, const char *url)
{
    char error[TBY_DB_ERROR_SIZE], name[256];
    pg *p = pg_open(url, pg_first_statements(TBY_DB_WRITE), &s->status, error);
    tby_db_name_write(name, sizeof name, url);
    if (p)
        p->mode = TBY_DB_WRITE;
    else
        fail(s, "%s: %.250s", name, error);
    return p;
}

/* What the database has: no table tabiya.game, one of its own, a shard's (its number, from 1), a coordinator's. */
enum { ROLE_NONE = 0, ROLE_SINGLE = -1, ROLE_COORDINATOR = -2 };

static bool find_role(pg *p, int64_t *role)
{
    static const char kind[] =
        "SELECT CASE WHEN relkind = 'p' THEN -2 WHEN to_regclass('tabiya.state_of_shard') IS NULL THEN -1 ELSE 1 END"
        " FROM pg_class WHERE oid = to_regclass('tabiya.game')";
    if (!pg_number_of(p, kind, ROLE_NONE, role))
        return false;
    return *role != 1 || pg_number_of(p, "SELECT shard FROM tabiya.state_of_shard", ROLE_NONE, role);
}

/* Up to the name of the database: the same place. */
static size_t place_length(const char *options)
{
    const char *name = strstr(options, "dbname='"), *end = name ? strchr(name + strlen("dbname='"), '\'') : NULL;
    return end ? (size_t)(end + 1 - options) : strlen(options);
}

static bool is_same_place(const char *a, const char *b)
{
    const size_t n = place_length(a);
    return n == place_length(b) && memcmp(a, b, n) == 0;
}

/* A server may be known by several names. */
static bool is_new_place(setup *s, size_t index, int number)
{
    const buffer *it = &s->identities[index];
    for (size_t i = 0; i <= s->n; i++) {
        const buffer *other = &s->identities[i];
        if (i == index || other->n != it->n || memcmp(other->s, it->s, it->n) != 0)
            continue;
        return i == s->n ? fail(s, "the coordinator and shard %d are the same database", number)
                         : fail(s, "shards %d and %d are the same database", number - (int)(index - i), number);
    }
    return true;
}

static bool check_role(pg *p, int number)
{
    int64_t role;
    if (!find_role(p, &role))
        return false;
    return role == ROLE_NONE || role == number ||
           pg_fail(p, role == ROLE_SINGLE        ? "the database has games that are not of a shard; take another"
                      : role == ROLE_COORDINATOR ? "the database is a coordinator; take another"
                                                 : "the database is another shard already");
}

static bool open_shard(setup *s, size_t index, const char *url, int number)
{
    if (!(s->shards[index] = open_server(s, url)))
        return false;
    pg *p = s->shards[index];
    if (!pg_write_options(p, url, &s->options[index]) || !pg_write_identity(p, &s->identities[index]))
        return fail_server(s, p, url);
    if (!is_new_place(s, index, number))
        return false;
    return (check_role(p, number) && pg_check_shard_extension(p, s->coordinator)) || fail_server(s, p, url);
}

static bool open_shards(setup *s, const char *const *urls, size_t n, int first)
{
    s->shards = calloc(n, sizeof *s->shards);
    s->options = calloc(n, sizeof *s->options);
    s->identities = calloc(n + 1, sizeof *s->identities);
    s->n = n;
    if (!s->shards || !s->options || !s->identities)
        return fail_memory(s);
    if (!pg_write_identity(s->coordinator, &s->identities[n]))
        return fail(s, "%s", s->coordinator->base.error);
    for (size_t i = 0; i < n; i++)
        if (!open_shard(s, i, urls[i], first + (int)i))
            return false;
    return true;
}

/* With the extension, which printing takes back; `*n` says how many shards it has. */
static bool open_coordinator(setup *s, const char *url, size_t *n)
{
    int64_t role;
    *n = 0;
    if (!(s->coordinator = open_server(s, url)))
        return false;
    pg *p = s->coordinator;
    if (!pg_run(p, "BEGIN") || !pg_add_extension(p) || !pg_find_extension(p) || !pg_check_coordinator_extension(p) ||
        !find_role(p, &role) || (role == ROLE_COORDINATOR && !pg_shards_find(p)))
        return fail_server(s, p, url);
    *n = p->n_shards;
    if (role != ROLE_NONE && role != ROLE_COORDINATOR) {
        pg_fail(p, role == ROLE_SINGLE ? "the database has games of its own; take another for the coordinator"
                                       : "the database is a shard; take another for the coordinator");
        return fail_server(s, p, url);
    }
    return true;
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* The statements for each shard, then those for the coordinator. */
typedef struct statements {
    buffer *list;
    size_t n, next;
} statements;

static bool take_statement(void *context, pg *p)
{
    statements *to = context;
    const tby_text sql = pg_text(p, 1);
    if (to->next < to->n)
        buffer_add(&to->list[to->next++], sql.s, sql.n);
    return true;
}

static bool make_statements(setup *s, int first, bool is_shown, statements *out)
{
    pg *p = s->coordinator;
    pg_values values = {.n = 0};
    buffer sql = {0};
    buffer_printf(&sql, "SELECT server, sql FROM %sshardSql(ARRAY[", p->ext);
    for (size_t i = 0; i < s->n; i++) {
        buffer shown = {0};
        if (is_shown)
            pg_put_shown_options(&shown, s->options[i].s);
        const char *options = !is_shown ? s->options[i].s : shown.has_failed ? "" : shown.s;
        buffer_printf(&sql, "%s$%zu", i ? ", " : "", pg_value(&values, options));
        values.texts.has_failed |= shown.has_failed;
        buffer_free(&shown);
    }
    buffer_printf(&sql, "]::text[], current_user::text, %d::integer)", first);
    bool is_good = pg_query(p, sql.has_failed ? NULL : sql.s, &values, take_statement, out) &&
                   (out->next == out->n || pg_fail(p, "shardSql has not answered for every server"));
    for (size_t i = 0; i < out->n && is_good; i++)
        is_good = !out->list[i].has_failed || db_fail_memory(&p->base);
    pg_values_free(&values);
    buffer_free(&sql);
    return is_good;
}

static bool print_statements(setup *s, const statements *all, const char *url, tby_sink print, void *context)
{
    buffer text = {0}, options = {0};
    bool is_good = pg_write_options(s->coordinator, url, &options) || fail_server(s, s->coordinator, url);
    pg_put_script_head(&text);
    for (size_t i = 0; i < s->n && is_good; i++) {
        char name[256];
        snprintf(name, sizeof name, "the shard %.*s", (int)place_length(s->options[i].s), s->options[i].s);
        pg_put_script_part(&text, name, s->options[i].s, &all->list[i]);
    }
    if (is_good)
        pg_put_script_part(&text, "the coordinator", options.s, &all->list[s->n]);
    is_good = is_good &&
              (text.has_failed ? fail_memory(s) : print(context, text.s, text.n) || fail(s, "writing failed"));
    buffer_free(&text);
    buffer_free(&options);
    return is_good;
}

static bool run_statements(setup *s, const statements *all, const char *coordinator, const char *const *urls)
{
    for (size_t i = 0; i < s->n; i++)
        if (!pg_run(s->shards[i], all->list[i].s))
            return fail_server(s, s->shards[i], urls[i]);
    if (!pg_run(s->coordinator, all->list[s->n].s) || !pg_run(s->coordinator, "COMMIT"))
        return fail_server(s, s->coordinator, coordinator);
    return true;
}

static bool set_up(setup *s, const char *coordinator, const char *const *urls, int first, tby_sink print, void *context)
{
    statements all = {.list = calloc(s->n + 1, sizeof *all.list), .n = s->n + 1};
    bool is_good = all.list || fail_memory(s);
    if (is_good && !make_statements(s, first, print != NULL, &all))
        is_good = fail_server(s, s->coordinator, coordinator);
    if (is_good && print)
        is_good = print_statements(s, &all, coordinator, print, context);
    else if (is_good)
        is_good = run_statements(s, &all, coordinator, urls);
    for (size_t i = 0; all.list && i < all.n; i++)
        buffer_free(&all.list[i]);
    free(all.list);
    return is_good;
}

/* ---- Making ----------------------------------------------------------------------------------------------------- */

/* Those that are there are those that are given. */
static bool are_known(setup *s, size_t n_known)
{
    const pg *p = s->coordinator;
    if (n_known && n_known != s->n)
        return fail(s, "the coordinator has %zu shards already; tabiya shard add adds one", n_known);
    for (size_t i = 0; i < n_known; i++)
        if (!is_same_place(p->shards[i].options, s->options[i].s))
            return fail(s, "shard %d is another database already: %.*s", p->shards[i].number,
                        (int)place_length(p->shards[i].options), p->shards[i].options);
    return true;
}

/* A new coordinator would spread games by a map of its own: those that are stored would be looked for, and stored
   again, on other shards. */
static bool has_map_of_games(setup *s, size_t n_known)
{
    int64_t n_slots = 0, has_games = 0;
    pg *p = s->coordinator;
    if (n_known)
        return true;
    if (!pg_number_of(p, "SELECT (to_regclass('tabiya.slot') IS NOT NULL)::integer", 0, &n_slots) ||
        (n_slots && !pg_number_of(p, "SELECT count(*) FROM tabiya.slot", 0, &n_slots)))
        return fail(s, "%s", p->base.error);
    for (size_t i = 0; n_slots != PG_SLOTS && i < s->n && !has_games; i++) {
        pg *shard = s->shards[i];
        int64_t role;
        if (!find_role(shard, &role) ||
            (role != ROLE_NONE && !pg_number_of(shard, "SELECT 1 FROM tabiya.game LIMIT 1", 0, &has_games)))
            return fail(s, "shard %zu: %.250s", i + 1, shard->base.error);
        if (has_games)
            fail(s,
                 "shard %zu has games that another coordinator has stored; use that one, or restore its table"
                 " tabiya.slot here first",
                 i + 1);
    }
    return !has_games;
}

tby_status tby_shards_init(const char *coordinator, const char *const *shards, size_t n, tby_sink print, void *context,
                           char error[TBY_DB_ERROR_SIZE])
{
    setup s = {.status = TBY_OK};
    size_t n_known;
    const bool is_good = open_coordinator(&s, coordinator, &n_known) && open_shards(&s, shards, n, 1) &&
                         are_known(&s, n_known) && has_map_of_games(&s, n_known) &&
                         set_up(&s, coordinator, shards, 1, print, context);
    return finish(&s, is_good, error);
}

/* ---- Moving ----------------------------------------------------------------------------------------------------- */

static bool count_slots(pg *p, int shard, int64_t *out)
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tabiya.slot WHERE shard = %d", shard);
    return pg_number_of(p, sql, 0, out);
}

/* To the shard from those that have more than their share. */
static bool balance(pg *p, int to)
{
    for (size_t i = 0; i < p->n_shards; i++) {
        const int from = p->shards[i].number;
        const int64_t share = PG_SLOTS / (int64_t)p->n_shards + (i < PG_SLOTS % p->n_shards);
        int64_t has = 0;
        if (!count_slots(p, from, &has))
            return false;
        if (from != to && has > share && !pg_shards_move(p, from, to, (size_t)(has - share)))
            return false;
    }
    return true;
}

static bool begin_moving(pg *p)
{
    return pg_shards_find(p) && pg_shards_connect(p) && pg_run(p, PG_LOCK_SLOTS) && pg_shards_mend(p) &&
           pg_run(p, "COMMIT");
}

/* What has come to a shard is found there by the indexes and counts that the other shards have, and what has gone
   leaves no room behind. A shard without games gets them with its first import, which is faster without. */
static bool index_moved(pg *p, int to)
{
    int64_t deepest = TBY_INDEX_NONE, has_games = 0;
    for (size_t i = 0; i < p->n_shards; i++) {
        pg *shard = p->shards[i].to;
        int64_t depth;
        if (!pg_index_depth(shard, &depth) ||
            (p->shards[i].number == to && !pg_number_of(shard, "SELECT 1 FROM tabiya.game LIMIT 1", 0, &has_games)))
            return pg_shards_tell(p, i);
        deepest = depth > deepest ? depth : deepest;
    }
    return !has_games || pg_shards_index(&p->base, (int)deepest, NULL, NULL);
}

/* Those who ask the shards look once a second which there are: they are to know of the new one before it has games. */
static const char wait_for_readers[] =
    "SELECT pg_sleep(2.5) WHERE EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND coalesce(application_name, 'tabiya') = 'tabiya')";

tby_status tby_shards_add(const char *coordinator, const char *shard, tby_sink print, void *context, tby_db_watch watch,
                          void *watch_context, char error[TBY_DB_ERROR_SIZE])
{
    setup s = {.status = TBY_OK};
    size_t n_known;
    int number = 1;
    bool is_good = open_coordinator(&s, coordinator, &n_known) &&
                   (n_known || fail(&s, "the database is not a coordinator yet; tabiya shard init makes it one"));
    pg *p = s.coordinator, *there = is_good ? open_server(&s, shard) : NULL;
    buffer options = {0};
    is_good = there && (pg_write_options(there, shard, &options) || fail_server(&s, there, shard));
    pg_close(there);
    for (size_t i = 0; is_good && i < n_known; i++) {
        const bool is_it = is_same_place(p->shards[i].options, options.s); /* the second call goes on */
        number = is_it ? p->shards[i].number : number > p->shards[i].number ? number : p->shards[i].number + 1;
        if (is_it)
            break;
    }
    buffer_free(&options);
    is_good = is_good && open_shards(&s, &shard, 1, number) && set_up(&s, coordinator, &shard, number, print, context);
    if (is_good && !print) {
        tby_db_set_watch(&p->base, watch, watch_context);
        is_good = (pg_run(p, wait_for_readers) && begin_moving(p) && balance(p, number) && index_moved(p, number)) ||
                  fail(&s, "%s", p->base.error);
    }
    return finish(&s, is_good, error);
}

tby_status tby_shards_move(const char *coordinator, int from, int to, int percent, tby_db_watch watch, void *context,
                           char error[TBY_DB_ERROR_SIZE])
{
    setup s = {.status = TBY_OK};
    size_t n_known;
    int64_t has = 0;
    bool is_good = open_coordinator(&s, coordinator, &n_known) &&
                   (n_known || fail(&s, "the database is not a coordinator yet; tabiya shard init makes it one"));
    pg *p = s.coordinator;
    if (is_good) {
        tby_db_set_watch(&p->base, watch, context);
        is_good = (pg_run(p, "COMMIT") && begin_moving(p) && count_slots(p, from, &has) &&
                   pg_shards_move(p, from, to, (size_t)((has * percent + 99) / 100)) && index_moved(p, to)) ||
                  fail(&s, "%s", p->base.error);
    }
    return finish(&s, is_good, error);
}

/* ---- How they are ----------------------------------------------------------------------------------------------- */

typedef struct state {
    tby_shard_status *out;
    char server[64], extension[64];
} state;

static void keep_text(char out[64], tby_text text) { snprintf(out, 64, "%.*s", (int)text.n, text.s ? text.s : ""); }

static bool take_state(void *context, pg *p)
{
    enum { GAMES, BYTES, SERVER, EXTENSION, STANDBYS, LAG };
    state *s = context;
    s->out->is_reachable = true;
    s->out->n_games = pg_number(p, GAMES);
    s->out->n_bytes = pg_number(p, BYTES);
    keep_text(s->server, pg_text(p, SERVER));
    keep_text(s->extension, pg_text(p, EXTENSION));
    s->out->n_standbys = pg_number(p, STANDBYS);
    s->out->lag = pg_text(p, LAG).s ? pg_number(p, LAG) : -1;
    return true;
}

static bool ask_shard(pg *p, size_t index, tby_shard_status *out, state *s)
{
    char sql[192];
    const int number = p->shards[index].number;
    int64_t is_moving;
    *out =
        (tby_shard_status){.number = number, .lag = -1, .server_version = s->server, .extension_version = s->extension};
    s->out = out;
    s->server[0] = s->extension[0] = '\0';
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tabiya.slot WHERE moving_to = %d", number);
    if (!count_slots(p, number, &out->n_slots) || !pg_number_of(p, sql, 0, &is_moving))
        return false;
    out->is_moving = is_moving > 0;
    snprintf(sql, sizeof sql,
             "SELECT games, bytes, server_version, extension_version, standbys, lag FROM tabiya.state_%d", number);
    if (!pg_query(p, sql, NULL, take_state, s))
        out->error = p->base.error;
    else if (!out->is_reachable)
        out->error = "it does not tell how it is";
    return true;
}

tby_status tby_shards_status(const char *coordinator, tby_shard_visit visit, void *context,
                             char error[TBY_DB_ERROR_SIZE])
{
    setup s = {.status = TBY_OK};
    bool is_good = (s.coordinator = open_server(&s, coordinator)) != NULL;
    pg *p = s.coordinator;
    int64_t role = ROLE_NONE;
    if (is_good && !find_role(p, &role))
        is_good = fail_server(&s, p, coordinator);
    if (is_good && role != ROLE_COORDINATOR)
        is_good = fail(&s, "the database is not a coordinator; tabiya shard init makes it one");
    if (is_good && !pg_shards_find(p))
        is_good = fail_server(&s, p, coordinator);
    for (size_t i = 0; is_good && i < p->n_shards; i++) {
        state told;
        tby_shard_status status;
        char place[256];
        snprintf(place, sizeof place, "%.*s", (int)place_length(p->shards[i].options), p->shards[i].options);
        is_good = ask_shard(p, i, &status, &told) || fail_server(&s, p, coordinator);
        status.place = place;
        if (is_good && !visit(context, &status))
            break;
    }
    return finish(&s, is_good, error);
}
