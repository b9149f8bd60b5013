/*
 * games.c - what is asked of the database: info, explore, find, game.
 *
 * Every answer is read in one transaction, so that it is that of one commit however many follow meanwhile, and within
 * DATABASE_SECONDS. Answers of explore and info are kept until the database changes, which SQLite tells with its
 * data_version.
 */
#include "explore.h"
#include "info.h"
#include "line.h"
#include "listing.h"
#include "query.h"
#include "server.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    BUSY_MILLISECONDS = 2000,
    PROGRESS_STEPS = 1000,
    KEPT_ANSWERS = 1024,
    KEPT_SIZE = 1 << 15, /* longer ones are not kept */
    FIND_LIMIT = 50,
    FIND_LIMIT_MAX = 1000
};

/* An answer and what it was asked with. */
typedef struct kept {
    char *asked; /* NULL: none */
    buffer text;
} kept;

/* To the file, and what is prepared for it. */
typedef struct connection {
    tby_db *db;
    sqlite3_stmt *begin, *end, *version;
} connection;

struct games {
    char *path, *log_path;
    connection to;
    tby_game *game;       /* to read one into */
    tby_db_moves *moves;  /* the same */
    int64_t data_version; /* of the answers kept */
    kept *answers;
    struct timespec deadline;
    bool is_late;
};

static sqlite3 *sql(const games *g) { return tby_db_sqlite(g->to.db); }

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

static bool is_past(const struct timespec *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

/* SQLite calls it while it works; anything but 0 ends its work. */
static int look_at_clock(void *context)
{
    games *g = context;
    g->is_late = g->is_late || is_past(&g->deadline);
    return g->is_late;
}

static sqlite3_stmt *prepare(tby_db *db, const char *text)
{
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v3(tby_db_sqlite(db), text, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL);
    return s;
}

static void disconnect(connection *c)
{
    sqlite3_finalize(c->begin);
    sqlite3_finalize(c->end);
    sqlite3_finalize(c->version);
    tby_db_close(c->db);
}

static void set_deadline(games *g)
{
    g->is_late = false;
    clock_gettime(CLOCK_MONOTONIC, &g->deadline);
    g->deadline.tv_sec += DATABASE_SECONDS;
}

/* In place of the connection there was, which stays if this fails. */
static bool connect(games *g, problem *p)
{
    char error[TBY_DB_ERROR_SIZE];
    connection c = {.db = tby_db_open(g->path, TBY_DB_READ, error)};
    if (!c.db)
        return problem_tell(p, PROBLEM_BROKEN, "%s", error);
    sqlite3_busy_timeout(tby_db_sqlite(c.db), BUSY_MILLISECONDS);
    sqlite3_progress_handler(tby_db_sqlite(c.db), PROGRESS_STEPS, look_at_clock, g);
    c.begin = prepare(c.db, "BEGIN");
    c.end = prepare(c.db, "COMMIT");
    c.version = prepare(c.db, "PRAGMA data_version");
    if (!c.begin || !c.end || !c.version) {
        problem_tell(p, PROBLEM_BROKEN, "%s", sqlite3_errmsg(tby_db_sqlite(c.db)));
        disconnect(&c);
        return false;
    }
    disconnect(&g->to);
    g->to = c;
    return true;
}

games *games_open(const char *path, problem *p)
{
    games *g = calloc(1, sizeof *g);
    if (!g) {
        problem_no_memory(p);
        return NULL;
    }
    g->path = strdup(path);
    g->log_path = malloc(strlen(path) + sizeof "-wal");
    if (g->log_path)
        strcat(strcpy(g->log_path, path), "-wal");
    g->game = tby_game_new(NULL);
    g->moves = calloc(1, sizeof *g->moves);
    g->answers = calloc(KEPT_ANSWERS, sizeof *g->answers);
    set_deadline(g);
    const bool has_memory = g->path && g->log_path && g->game && g->moves && g->answers;
    if (has_memory ? connect(g, p) : problem_no_memory(p))
        return g;
    games_close(g);
    return NULL;
}

static void forget_answers(games *g)
{
    for (size_t i = 0; g->answers && i < KEPT_ANSWERS; i++) {
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
    free(g->moves);
    tby_game_free(g->game);
    disconnect(&g->to);
    free(g->path);
    free(g->log_path);
    free(g);
}

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

static bool step(sqlite3_stmt *s)
{
    sqlite3_step(s);
    return sqlite3_reset(s) == SQLITE_OK;
}

/* Why the database did not answer, and whether it may a moment later. */
static bool database_fails(games *g, const question *q, const char *why)
{
    const int code = sqlite3_errcode(sql(g));
    const bool is_passing = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_NOMEM;
    if (g->is_late)
        return problem_tell(q->problem, PROBLEM_NOT_NOW, "this takes more than %d seconds", DATABASE_SECONDS);
    return problem_tell(q->problem, is_passing ? PROBLEM_NOT_NOW : PROBLEM_BROKEN, "%s", why);
}

/* The transaction begins to read here, so what follows is of this version. */
static bool read_version(games *g)
{
    int64_t version = -1;
    if (sqlite3_step(g->to.version) == SQLITE_ROW)
        version = sqlite3_column_int64(g->to.version, 0);
    if (sqlite3_reset(g->to.version) != SQLITE_OK)
        return false;
    if (version != g->data_version)
        forget_answers(g);
    g->data_version = version;
    return true;
}

static void end_reading(games *g)
{
    if (!sqlite3_get_autocommit(sql(g)))
        step(g->to.end);
}

static bool try_to_read(games *g) { return step(g->to.begin) && read_version(g); }

/* A writer that was killed may have left a journal that is rolled back when the file is opened anew. */
static bool read_anew(games *g)
{
    problem p = {0};
    if (sqlite3_errcode(sql(g)) != SQLITE_READONLY)
        return false;
    end_reading(g);
    if (!connect(g, &p))
        return false;
    forget_answers(g);
    return try_to_read(g);
}

static bool begin_reading(games *g, const question *q)
{
    set_deadline(g);
    if (try_to_read(g) || read_anew(g))
        return true;
    database_fails(g, q, sqlite3_errmsg(sql(g)));
    end_reading(g);
    return false;
}

/* ---- The state of the file -------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

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

/* By the file and its log. What was written within the last seconds may be written again within the same tick of the
   file system's clock, so there is no tag then. It is asked for before the database is read: an answer may be newer than
   its tag, never older. */
bool games_etag(const games *g, char out[RESPONSE_ETAG_SIZE])
{
    enum { QUIET_SECONDS = 3 };
    int64_t newest = 0;
    uint64_t hash = mix_file(0, g->path, &newest);
    hash = mix_file(hash, g->log_path, &newest);
    for (const char *s = tby_version(); *s; s++)
        hash = mix(hash, (unsigned char)*s);
    snprintf(out, RESPONSE_ETAG_SIZE, "W/\"%016" PRIx64 "\"", hash);
    return newest + QUIET_SECONDS < (int64_t)time(NULL);
}

/* ---- Answers that are kept -------------------------------------------------------------------------------------- */

static kept *place_of(games *g, const char *asked)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *s = asked; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 0x100000001b3;
    return &g->answers[(hash ^ hash >> 32) % KEPT_ANSWERS];
}

static bool find_kept(games *g, const char *asked, buffer *out)
{
    const kept *k = place_of(g, asked);
    if (!k->asked || strcmp(k->asked, asked) != 0)
        return false;
    buffer_add(out, k->text.s, k->text.n);
    return true;
}

static void keep(games *g, const char *asked, const buffer *text)
{
    kept *k = place_of(g, asked);
    if (text->n > KEPT_SIZE || text->has_failed)
        return;
    free(k->asked);
    buffer_clear(&k->text);
    buffer_add(&k->text, text->s, text->n);
    k->asked = k->text.has_failed ? NULL : strdup(asked);
}

/* ---- Info ------------------------------------------------------------------------------------------------------- */

bool answer_info(games *g, const question *q)
{
    buffer *out = &q->response->body;
    bool with_tables;
    if (!params_switch(&with_tables, q->params, "tables", q->problem) || !begin_reading(g, q))
        return false;
    const char *name = with_tables ? "info tables" : "info";
    bool is_good = find_kept(g, name, out);
    if (!is_good) {
        is_good = info_write(out, g->to.db, true, with_tables);
        if (is_good)
            keep(g, name, out);
        else
            database_fails(g, q, tby_db_error(g->to.db));
    }
    end_reading(g);
    return is_good;
}

/* ---- Explore ---------------------------------------------------------------------------------------------------- */

static bool read_position(tby_position *pos, const question *q)
{
    const char *fen = params_value(q->params, "fen"), *moves = params_value(q->params, "moves");
    bool is_chess960;
    fen = fen ? fen : "startpos";
    return params_switch(&is_chess960, q->params, "chess960", q->problem) &&
           fen_position(pos, fen_named(fen, strlen(fen)), is_chess960 ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE,
                        q->problem) &&
           (!moves || line_read(pos, NULL, "moves", moves, q->problem));
}

static bool explore(games *g, const question *q, const tby_position *pos, uint64_t limit)
{
    char name[TBY_FEN_SIZE + 16];
    buffer *out = &q->response->body;
    const size_t n = tby_fen_write_position(name, TBY_FEN_SIZE, pos, 0);
    snprintf(name + n, sizeof name - n, " %" PRIu64, limit);
    if (find_kept(g, name, out))
        return true;
    if (!tby_db_explore(g->to.db, pos, false, g->moves))
        return database_fails(g, q, tby_db_error(g->to.db));
    explore_write_json(out, pos, g->moves, limit < g->moves->n_moves ? limit : g->moves->n_moves);
    keep(g, name, out);
    return true;
}

bool answer_explore(games *g, const question *q)
{
    const char *value = params_value(q->params, "limit");
    uint64_t limit = TBY_MOVES_MAX;
    tby_position pos;
    if ((value && !problem_number(&limit, "limit", value, 1, TBY_MOVES_MAX, q->problem)) || !read_position(&pos, q) ||
        !begin_reading(g, q))
        return false;
    const bool is_good = explore(g, q, &pos, limit);
    end_reading(g);
    return is_good;
}

/* ---- Find ------------------------------------------------------------------------------------------------------- */

/* The conditions of the command, by the names of its options. SQL is not for those whom the server does not know. */
bool find_takes(const char *name)
{
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (i != QUERY_WHERE && i != QUERY_THREADS && strcmp(query_names[i], name) == 0)
            return true;
    return false;
}

static bool read_conditions(query *out, const question *q, tby_db *db)
{
    query_values values = {.who = "", .dashes = ""};
    bool is_chess960;
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (find_takes(query_names[i]))
            values.of[i] = params_value(q->params, query_names[i]);
    if (!params_switch(&is_chess960, q->params, query_names[QUERY_CHESS960], q->problem))
        return false;
    if (!is_chess960)
        values.of[QUERY_CHESS960] = NULL;
    return query_read(out, &values, query_check_where, db, q->problem);
}

typedef struct finding {
    games *games;
    buffer *out;
    int64_t n_found, limit;
    bool has_failed;
} finding;

static bool write_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    if (f->n_found++ == f->limit || look_at_clock(f->games))
        return false;
    buffer_string(f->out, f->n_found > 1 ? "," : "");
    tby_row row;
    f->has_failed = !tby_db_row(f->games->to.db, hit->id, &row);
    if (f->has_failed)
        return false;
    listing_write(f->out, LISTING_JSON, hit, &row);
    f->out->n -= f->out->n && f->out->s[f->out->n - 1] == '\n'; /* it is a line */
    return true;
}

/* One more than is shown, to know whether more follow. */
static bool find_games(games *g, const question *q, query *conditions)
{
    finding f = {.games = g, .out = &q->response->body, .limit = conditions->db.limit};
    conditions->db.limit++;
    buffer_string(f.out, "{\"games\":[");
    const bool is_found = tby_db_find(g->to.db, &conditions->db, write_hit, &f);
    if (f.has_failed || g->is_late || (!is_found && f.n_found <= f.limit))
        return database_fails(g, q, tby_db_error(g->to.db));
    buffer_printf(f.out, "],\"more\":%s}\n", f.n_found > f.limit ? "true" : "false");
    return true;
}

static bool count_games(games *g, const question *q, query *conditions)
{
    conditions->db.limit = conditions->db.offset = 0;
    const int64_t n = tby_db_count(g->to.db, &conditions->db);
    if (n < 0)
        return database_fails(g, q, tby_db_error(g->to.db));
    buffer_printf(&q->response->body, "{\"count\":%" PRId64 "}\n", n);
    return true;
}

bool answer_find(games *g, const question *q)
{
    query conditions;
    bool is_count;
    if (!params_switch(&is_count, q->params, "count", q->problem) || !read_conditions(&conditions, q, g->to.db))
        return false;
    conditions.db.n_threads = 1; /* the others have requests of their own */
    conditions.db.limit = conditions.db.limit ? conditions.db.limit : FIND_LIMIT;
    bool is_good = conditions.db.limit <= FIND_LIMIT_MAX ||
                   problem_tell(q->problem, PROBLEM_ASKED, "limit must be a number from 1 to %d", FIND_LIMIT_MAX);
    if (is_good && (is_good = begin_reading(g, q))) {
        is_good = (is_count ? count_games : find_games)(g, q, &conditions);
        end_reading(g);
    }
    query_free(&conditions);
    return is_good;
}

/* ---- Game ------------------------------------------------------------------------------------------------------- */

static const char *type_of(const tby_game_notation *to)
{
    if (to->is_binary)
        return "application/octet-stream";
    return strcmp(to->name, "json") == 0 ? "application/json" : "text/plain;charset=utf-8";
}

/* It is not there, or it cannot be read. */
static bool game_fails(games *g, const question *q, tby_game_id id)
{
    tby_row row;
    const bool is_there = tby_db_row(g->to.db, id, &row), is_read = is_there || sqlite3_errcode(sql(g)) == SQLITE_OK;
    return is_read && !is_there ? problem_tell(q->problem, PROBLEM_ABSENT, "there is no game %" PRId64, id)
                                : database_fails(g, q, tby_db_error(g->to.db));
}

static bool write_game(games *g, const question *q, tby_game_id id, const tby_game_notation *to)
{
    buffer *out = &q->response->body;
    char text[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    if (!tby_db_game(g->to.db, id, g->game))
        return game_fails(g, q, id);
    if (to->write_header)
        to->write_header(buffer_sink, out);
    if (to->write(g->game, buffer_sink, out, &err) != TBY_OK) {
        if (out->has_failed || err.status == TBY_NO_MEMORY)
            return problem_no_memory(q->problem);
        tby_error_write(text, sizeof text, &err);
        return problem_tell(q->problem, PROBLEM_ASKED, "%s: %s", to->name, text);
    }
    response_header(q->response, "Content-Type", type_of(to));
    return true;
}

bool answer_game(games *g, const question *q)
{
    const char *number = params_value(q->params, "id"), *name = params_value(q->params, "to");
    const char *wanted = name ? name : "pgn";
    const tby_game_notation *to = tby_game_notation_find(wanted, strlen(wanted));
    uint64_t id;
    if (!number)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameter id is missing");
    if (!to)
        return problem_tell(q->problem, PROBLEM_ASKED, "to: %.100s is no notation of games", wanted);
    if (!problem_number(&id, "id", number, 1, INT64_MAX, q->problem) || !begin_reading(g, q))
        return false;
    const bool is_good = write_game(g, q, (tby_game_id)id, to);
    end_reading(g);
    return is_good;
}
