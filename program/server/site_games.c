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
#include "clock.h"
#include "metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Where SQLite keeps changes: links are followed. NULL without memory, and for a server's database. */
static char *find_log(const char *path)
{
    char *whole = tby_db_is_server(path) ? NULL : realpath(path, NULL);
    char *log = whole ? realloc(whole, strlen(whole) + sizeof "-wal") : NULL;
    if (log)
        return strcat(log, "-wal");
    free(whole);
    return NULL;
}

/* Replaces the old connection, which stays if this fails. The file is examined first: if it is replaced meanwhile, it
   is reopened next time. */
static bool connect(games *g, problem *p)
{
    tby_failure failure;
    struct stat st = {0};
    tby_db *db;
    const bool is_file = !tby_db_is_server(g->path) && stat(g->path, &st) == 0;
    char *log_path = find_log(g->path);
    const tby_status status = is_file && !log_path ? TBY_NO_MEMORY : tby_db_open(&db, g->path, TBY_DB_READ, &failure);
    if (status != TBY_OK) {
        free(log_path);
        return status == TBY_NO_MEMORY ? problem_no_memory(p) : problem_tell(p, PROBLEM_BROKEN, "%s", failure.text);
    }
    tby_db_set_patience(db, BUSY_MILLISECONDS);
    tby_db_set_watch(db, look_at_clock, g);
    tby_db_close(g->db);
    free(g->log_path);
    g->db = db;
    g->log_path = log_path;
    g->device = st.st_dev;
    g->inode = st.st_ino;
    g->must_reopen = false;
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
    const bool has_memory = g->game && g->answers;
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
    free(g->log_path);
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

/* Why the database did not answer, and whether it may answer soon: a server, or one of its shards, may come back. */
bool games_fail(games *g, const question *q, tby_status status)
{
    const bool is_away = status == TBY_IO_ERROR && tby_db_is_server(g->path);
    const bool is_passing = status == TBY_BUSY || status == TBY_NO_MEMORY || is_away;
    if (g->is_left)
        return problem_tell(q->problem, PROBLEM_NOT_NOW, CLIENT_GONE);
    if (g->is_late)
        return problem_tell(q->problem, PROBLEM_NOT_NOW, "this takes more than %d seconds", DATABASE_SECONDS);
    return problem_tell(q->problem, is_passing ? PROBLEM_NOT_NOW : PROBLEM_BROKEN, "%s", tby_db_failure(g->db)->text);
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

/* Is there another file at the path now? If there is none, a new one may be about to appear. */
static bool is_replaced(const games *g)
{
    struct stat st;
    return !tby_db_is_server(g->path) && stat(g->path, &st) == 0 && (st.st_dev != g->device || st.st_ino != g->inode);
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
    return begin(g, q, !g->has_version || !tby_db_is_server(g->path) || (asked && find_kept(g, asked)));
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
    if (!is_good && (is_good = write(g, q, context)) && asked)
        keep(g, asked, out);
    games_end(g);
    return is_good;
}

/* ---- The state of the file -------------------------------------------------------------------------------------- */

/* The newest of the files' times becomes *newest. */
static uint64_t mix_file(uint64_t hash, const char *path, int64_t *newest)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return mix(hash, 1);
    hash = mix(mix(mix(hash, (uint64_t)st.st_dev), (uint64_t)st.st_ino), (uint64_t)st.st_size);
    *newest = *newest > st.st_mtim.tv_sec ? *newest : st.st_mtim.tv_sec;
    return mix(mix(hash, (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_mtim.tv_nsec);
}

/* The file and its log, and who answers from them: another program or other patterns may answer otherwise. */
static uint64_t state_of(const games *g, int64_t *newest)
{
    uint64_t hash = mix_file(0, g->path, newest);
    hash = mix_file(hash, g->log_path, newest);
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
    if (tby_db_is_server(g->path))
        return false;
    const uint64_t hash = mix_text(state_of(g, &newest), target, strlen(target));
    snprintf(out, RESPONSE_ETAG_SIZE, "W/\"%016" PRIx64 "\"", hash);
    return newest + QUIET_SECONDS < (int64_t)time(NULL);
}

void games_write_metrics(const games *g, const char *name, buffer *out)
{
    int64_t newest = 0;
    if (tby_db_is_server(g->path))
        return;
    const uint64_t state = state_of(g, &newest);
    metrics_write_head(out, "database_info", "gauge", "The file that is served; version changes with its contents.");
    buffer_string(out, "tabiya_database_info{name=");
    buffer_json_string(out, name);
    buffer_printf(out, ",version=\"%016" PRIx64 "\"} 1\n", state);
    metrics_write_one(out, "database_modified_seconds", "gauge", "When the file last changed, in seconds since 1970.",
                      (uint64_t)newest);
}
