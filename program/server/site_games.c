/*
 * site_games.c - the database of a site: reads one snapshot of it, within a time limit, and caches answers.
 *
 * Every answer is read in one transaction, so that it shows one commit however many follow meanwhile, and within
 * DATABASE_SECONDS. Answers of explore and info are cached until the database changes, which SQLite's data_version and
 * PostgreSQL's snapshots show. A server is queried for that only if there is a cached answer, to save round trips.
 *
 * If the file was replaced, this is noticed by its inode number before the next answer, and the new file is opened. If
 * that fails, the request fails too, instead of showing the old state.
 */
#include "site_games.h"
#include "log_path.h"
#include "metrics.h"
#include "os/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BUSY_MILLISECONDS = 2000,
    KEPT_ANSWERS = 1024,
    KEPT_SIZE = 1 << 15 /* longer ones are not cached */
};

/* ---- Hashes ----------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = mix(hash, (unsigned char)s[i]);
    return hash;
}

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

/* Called while the database works; false ends its work. */
static bool look_at_clock(void *context)
{
    games *g = context;
    const request *r = g->asked_by;
    g->is_left = g->is_left || (r && r->is_gone && r->is_gone(r->client));
    g->is_late = g->is_late || g->is_left || clock_milliseconds() >= g->deadline;
    g->is_cut = g->is_cut || (g->soon && g->has_found && clock_milliseconds() >= g->soon);
    return !g->is_late && !g->is_cut;
}

bool games_are_late(games *g) { return !look_at_clock(g); }

void games_start_clock(games *g, const request *asked_by)
{
    g->is_late = g->is_left = g->has_found = g->is_cut = false;
    g->soon = 0;
    g->asked_by = asked_by;
    g->deadline = clock_milliseconds() + DATABASE_SECONDS * 1000;
}

/* The file is examined first: if it is replaced meanwhile, it is reopened next time. */
static tby_status open_member(tby_db **out, member *m, tby_failure *failure)
{
    os_about about = {.kind = OS_OTHER};
    const bool is_file = !tby_db_is_server(m->path) && os_about_path(&about, m->path);
    m->log_path = log_path(m->path);
    m->file = about.identity;
    return is_file && !m->log_path ? TBY_NO_MEMORY : tby_db_open(out, m->path, TBY_DB_READ, failure);
}

static void members_free(member *members, size_t n)
{
    for (size_t i = 0; members && i < n; i++)
        free(members[i].log_path);
    free(members);
}

/* Opens all of them as one. `opened` and `names` have room for all. */
static tby_status open_each(tby_db **out, const games *g, member *members, tby_db **opened, const char **names,
                            tby_failure *failure)
{
    for (size_t i = 0; i < g->n_members; i++) {
        members[i] = (member){.path = g->members[i].path, .name = g->members[i].name};
        names[i] = members[i].name;
        const tby_status status = open_member(&opened[i], &members[i], failure);
        if (status == TBY_OK)
            continue;
        while (i-- > 0)
            tby_db_close(opened[i]);
        return status;
    }
    return tby_db_join(out, opened, names, g->n_members, failure);
}

static bool open_members(tby_db **out, const games *g, member *members, problem *p)
{
    tby_failure failure;
    const char **names = calloc(g->n_members, sizeof *names);
    tby_db **opened = calloc(g->n_members, sizeof *opened);
    const tby_status status = names && opened ? open_each(out, g, members, opened, names, &failure) : TBY_NO_MEMORY;
    size_t last = g->n_members; /* the one that failed, if there are several */
    while (last > 1 && !members[last - 1].path)
        last--;
    if (status == TBY_NO_MEMORY)
        problem_no_memory(p);
    else if (status != TBY_OK && g->n_members > 1)
        problem_set(p, PROBLEM_BROKEN, "%s: %s", members[last - 1].name, failure.text);
    else if (status != TBY_OK)
        problem_set(p, PROBLEM_BROKEN, "%s", failure.text);
    free(names);
    free(opened);
    return status == TBY_OK;
}

/* Replaces the old connection, which stays if this fails. */
static bool connect(games *g, problem *p)
{
    member *members = calloc(g->n_members, sizeof *members);
    tby_db *db;
    if (!members)
        return problem_no_memory(p);
    if (!open_members(&db, g, members, p)) {
        members_free(members, g->n_members);
        return false;
    }
    tby_db_set_patience(db, BUSY_MILLISECONDS);
    tby_db_set_watch(db, look_at_clock, g);
    tby_db_close(g->db);
    members_free(g->members, g->n_members);
    g->db = db;
    g->members = members;
    g->must_reopen = false;
    return true;
}

/* The last part of a path; a server's URL may have a password, and is not shown. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return tby_db_is_server(path) ? "PostgreSQL" : slash ? slash + 1 : path;
}

/* The paths of the options. */
static bool list_members(games *g, const site_options *o)
{
    size_t n = 1;
    while (o->others && o->others[n - 1])
        n++;
    if (!(g->members = calloc(n, sizeof *g->members)))
        return false;
    g->n_members = n;
    for (size_t i = 0; i < n; i++) {
        g->members[i].path = i ? o->others[i - 1] : o->database;
        g->members[i].name = name_of(g->members[i].path);
        g->is_of_server |= tby_db_is_server(g->members[i].path);
    }
    return true;
}

games *games_open(const site_options *o, problem *p)
{
    games *g = calloc(1, sizeof *g);
    if (!g) {
        problem_no_memory(p);
        return NULL;
    }
    g->patterns = o->patterns;
    g->metrics = o->metrics;
    g->path = o->database;
    g->game = tby_game_new(NULL);
    g->answers = calloc(KEPT_ANSWERS, sizeof *g->answers);
    games_start_clock(g, NULL);
    const bool has_memory = g->game && g->answers && list_members(g, o);
    if (has_memory ? connect(g, p) : problem_no_memory(p))
        return g;
    games_close(g);
    return NULL;
}

static void count_kept(const games *g, int more)
{
    if (g->metrics && more)
        g->metrics->n_kept += (unsigned long long)more;
}

static void forget_answers(games *g)
{
    g->speeds = SPEEDS_UNKNOWN;
    for (size_t i = 0; g->answers && i < KEPT_ANSWERS; i++) {
        count_kept(g, g->answers[i].asked ? -1 : 0);
        free(g->answers[i].asked);
        g->answers[i].asked = NULL;
        buffer_free(&g->answers[i].text);
    }
}

void games_close(games *g)
{
    if (!g)
        return;
    forget_answers(g);
    free(g->answers);
    tby_game_free(g->game);
    tby_db_close(g->db);
    members_free(g->members, g->n_members);
    free(g);
}

/* Reopens the database and drops the answers cached from the old connection. */
static bool connect_anew(games *g, problem *p)
{
    if (!connect(g, p))
        return false;
    forget_answers(g);
    g->has_version = false;
    return true;
}

void games_reopen(games *g)
{
    problem ignored = {0};
    games_start_clock(g, NULL);
    g->must_reopen = !connect_anew(g, &ignored);
}

/* ---- Answers that are kept -------------------------------------------------------------------------------------- */

static kept *place_of(games *g, const char *asked)
{
    return &g->answers[mix_text(0, asked, strlen(asked)) % KEPT_ANSWERS];
}

/* NULL if it is not cached. */
static const kept *find_kept(games *g, const char *asked)
{
    const kept *k = place_of(g, asked);
    return k->asked && strcmp(k->asked, asked) == 0 ? k : NULL;
}

static bool answer_kept(games *g, const char *asked, buffer *out)
{
    const kept *k = find_kept(g, asked);
    if (g->metrics)
        (k ? &g->metrics->n_kept_hits : &g->metrics->n_kept_misses)[0]++;
    if (k)
        buffer_add(out, k->text.s, k->text.n);
    return k != NULL;
}

static void keep(games *g, const char *asked, const buffer *text)
{
    kept *k = place_of(g, asked);
    if (text->n > KEPT_SIZE || text->has_failed)
        return;
    count_kept(g, k->asked ? -1 : 0);
    free(k->asked);
    buffer_clear(&k->text);
    buffer_add(&k->text, text->s, text->n);
    k->asked = k->text.has_failed ? NULL : strdup(asked);
    count_kept(g, k->asked ? 1 : 0);
}

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

/* Why the database did not answer, and whether it may answer soon: a server, or a worker of a cluster, may come back. */
bool games_fail(games *g, const question *q, tby_status status)
{
    const bool is_away = status == TBY_IO_ERROR && g->is_of_server;
    const bool is_passing = status == TBY_BUSY || status == TBY_NO_MEMORY || is_away;
    if (g->is_left)
        return problem_set(q->problem, PROBLEM_NOT_NOW, CLIENT_GONE);
    if (g->is_late)
        return problem_set(q->problem, PROBLEM_NOT_NOW, "this takes more than %d seconds", DATABASE_SECONDS);
    return problem_set(q->problem, is_passing ? PROBLEM_NOT_NOW : PROBLEM_BROKEN, "%s", tby_db_failure(g->db)->text);
}

bool games_are_read(games *g, const question *q, tby_status status)
{
    return (status == TBY_OK && !g->is_late) || games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
}

/* The transaction begins to read here, so what follows belongs to this version, or a later one. */
static tby_status try_to_read(games *g, bool wants_version)
{
    int64_t version = -1;
    const tby_status status = tby_db_begin_reading(wants_version ? &version : NULL, g->db);
    if (status != TBY_OK || !wants_version)
        return status;
    if (version != g->data_version)
        forget_answers(g);
    g->data_version = version;
    g->has_version = true;
    return TBY_OK;
}

/* Without memory even this may fail; games_begin tries again. */
void games_end(games *g)
{
    g->asked_by = NULL;
    tby_db_end_reading(g->db);
}

/* A writer that was killed may have left a journal that is rolled back when the file is opened again. */
static tby_status read_anew(games *g)
{
    problem p = {0};
    tby_db_end_reading(g->db);
    return connect_anew(g, &p) ? try_to_read(g, true) : TBY_IO_ERROR;
}

/* Is there another file at a path now? If there is none, a new one may be about to appear. */
static bool is_replaced(const games *g)
{
    os_about about;
    for (const member *m = g->members; m < g->members + g->n_members; m++)
        if (!tby_db_is_server(m->path) && os_about_path(&about, m->path) && !os_is_same(&about.identity, &m->file))
            return true;
    return false;
}

static bool begin(games *g, const question *q, bool wants_version)
{
    games_end(g);
    games_start_clock(g, q->request);
    if ((g->must_reopen || is_replaced(g)) && !connect_anew(g, q->problem))
        return false;
    tby_status status = try_to_read(g, wants_version);
    if (status == TBY_IO_ERROR)
        status = read_anew(g);
    if (status == TBY_OK)
        return true;
    games_fail(g, q, status);
    games_end(g);
    return false;
}

bool games_begin(games *g, const question *q) { return begin(g, q, true); }

bool games_begin_one(games *g, const question *q, const char *asked)
{
    return begin(g, q, !g->has_version || !g->is_of_server || (asked && find_kept(g, asked)));
}

bool games_check(games *g, const question *q)
{
    if (!games_begin(g, q))
        return false;
    games_end(g);
    return true;
}

bool games_answer(games *g, const question *q, const char *asked, bool is_one, games_writer *write, const void *context)
{
    buffer *out = &q->response->body;
    if (!(is_one ? games_begin_one(g, q, asked) : games_begin(g, q)))
        return false;
    bool is_good = asked && answer_kept(g, asked, out);
    const size_t n_headers = q->response->n_headers;
    if (!is_good && (is_good = write(g, q, context)) && asked && q->response->n_headers == n_headers)
        keep(g, asked, out); /* headers are not kept */
    games_end(g);
    return is_good;
}

/* ---- Speeds ----------------------------------------------------------------------------------------------------- */

static bool has_found(void *context, const tby_db_hit *hit)
{
    (void)hit;
    *(bool *)context = true;
    return false;
}

tby_status games_have_speeds(bool *out, games *g, const question *q)
{
    static const char any[] = "speed bullet or speed blitz or speed rapid or speed classical or speed correspondence";
    const query_values values = {.who = "", .dashes = "", .facts = {any, sizeof any - 1}};
    query of_speeds = {0};
    bool is_found = false;
    if (g->speeds == SPEEDS_UNKNOWN) {
        if (!query_read(&of_speeds, &values, NULL, q->problem))
            return TBY_NO_MEMORY;
        of_speeds.search.limit = 1;
        of_speeds.search.n_threads = 1;
        const tby_status status = tby_db_find(g->db, &of_speeds.search, has_found, &is_found);
        query_free(&of_speeds);
        if (status != TBY_OK || g->is_late)
            return status;
        g->speeds = is_found ? SPEEDS_SOME : SPEEDS_NONE;
    }
    *out = g->speeds == SPEEDS_SOME;
    return TBY_OK;
}

/* ---- The state of the file -------------------------------------------------------------------------------------- */

/* The newest of the files' times becomes *newest. */
static uint64_t mix_file(uint64_t hash, const char *path, int64_t *newest)
{
    os_about about;
    if (!os_about_path(&about, path))
        return mix(hash, 1);
    hash = mix(mix(mix(hash, about.identity.device), about.identity.file[0]), about.identity.file[1]);
    *newest = *newest > about.seconds ? *newest : about.seconds;
    return mix(mix(mix(hash, about.size), (uint64_t)about.seconds), (uint64_t)about.nanoseconds);
}

/* The files and their logs, and who answers from them: another program or other patterns may answer otherwise. */
static uint64_t state_of(const games *g, int64_t *newest)
{
    uint64_t hash = 0;
    for (const member *m = g->members; m < g->members + g->n_members; m++)
        hash = mix_file(mix_file(hash, m->path, newest), m->log_path, newest);
    hash = mix_text(hash, tby_version(), strlen(tby_version()));
    return g->patterns ? mix_text(hash, g->patterns->text.s, g->patterns->text.n) : hash;
}

/* A file that was written within the last seconds may change again within the same tick of the file system's clock, so
   it has no tag. The tag is computed before the database is read: an answer may be newer than its tag, never older. A
   server's database has none. */
bool games_etag(const games *g, const char *target, char out[RESPONSE_ETAG_SIZE])
{
    enum { QUIET_SECONDS = 3 };
    int64_t newest = 0;
    if (g->is_of_server)
        return false;
    const uint64_t hash = mix_text(state_of(g, &newest), target, strlen(target));
    snprintf(out, RESPONSE_ETAG_SIZE, "W/\"%016" PRIx64 "\"", hash);
    return newest + QUIET_SECONDS < (int64_t)time(NULL);
}

void games_write_metrics(const games *g, const char *name, buffer *out)
{
    int64_t newest = 0;
    if (g->is_of_server)
        return;
    const uint64_t state = state_of(g, &newest);
    metrics_write_head(out, "database_info", "gauge", "The file that is served; version changes with its contents.");
    buffer_string(out, "tabiya_database_info{name=");
    buffer_json_string(out, name);
    buffer_printf(out, ",version=\"%016" PRIx64 "\"} 1\n", state);
    metrics_write_one(out, "database_modified_seconds", "gauge", "When the file last changed, in seconds since 1970.",
                      (uint64_t)newest);
}
