/*
 * places.h - databases on a separate PostgreSQL server (cluster.sh) for tests in which something fails, and every kind
 * of work on them.
 *
 *     one        a database
 *     counted    the same games, and counts of their moves
 */
#ifndef TBY_TEST_PLACES_H
#define TBY_TEST_PLACES_H

#include "unit/db_works.h"

#include <libpq-fe.h>

/* ---- The server, without any fault ------------------------------------------------------------------------------ */

static inline const char *url_of(const char *database, const char *user)
{
    static char urls[8][256];
    static size_t next;
    char *url = urls[next++ % 8];
    snprintf(url, sizeof urls[0], "postgresql:///%s?host=%s&user=%s", database, getenv("PGHOST"), user);
    return url;
}

/* One connection per database, which stays open. */
static inline PGconn *connection_to(const char *database)
{
    static struct {
        char name[16];
        PGconn *db;
    } list[16];
    size_t i = 0;
    while (list[i].db && strcmp(list[i].name, database) != 0)
        i++;
    assert_true(i + 1 < sizeof list / sizeof *list);
    if (!list[i].db) {
        snprintf(list[i].name, sizeof list[i].name, "%s", database);
        list[i].db = PQconnectdb(url_of(database, "postgres"));
        PQclear(PQexec(list[i].db, "SET lock_timeout = '60s'")); /* a lock that is held longer was never released */
    }
    return list[i].db;
}

/* Runs statements, which must succeed. Returns the first column of the first row of the last result, or 0. */
static inline int64_t sql_run(const char *database, const char *sql)
{
    PGconn *db = connection_to(database);
    PGresult *r = PQexec(db, sql);
    if (PQresultStatus(r) != PGRES_TUPLES_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
        fail_msg("%s: %s: %s", database, sql, PQerrorMessage(db));
    const int64_t number = PQntuples(r) ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : 0;
    PQclear(r);
    return number;
}

/* Backends whose connection was lost may still be running. */
static inline void wait_for_servers(void)
{
    while (sql_run("postgres",
                   "SELECT 1 FROM pg_stat_activity, pg_sleep(0.002) WHERE application_name = 'tabiya' LIMIT 1"))
        ;
}

/* ---- Places ----------------------------------------------------------------------------------------------------- */

typedef struct place {
    const char *name, *database, *user;
} place;

static const place places[] = {
    {"one", "one", "postgres"},
    {"counted", "counted", "postgres"},
};
enum { N_PLACES = sizeof places / sizeof *places };

static inline int64_t n_games_at(const place *p) { return sql_run(p->database, "SELECT count(*) FROM tabiya.game"); }

#define SAVE "CREATE TABLE saved_game AS TABLE tabiya.game; CREATE TABLE saved_shape AS TABLE tabiya.shape"
#define RESTORE(empty)                                                                                                 \
    "BEGIN; " empty "; INSERT INTO tabiya.shape TABLE saved_shape; INSERT INTO tabiya.game TABLE saved_game;"          \
    "SELECT setval('tabiya.game_id_seq', (SELECT max(id) FROM saved_game)); COMMIT"

/* Deleting some rows takes a fifth of the time of truncating every index; but where moves are counted, the deletion
   would be counted too. */
static inline void restore_database(const char *database)
{
    static unsigned n_restored;
    const bool is_counted = strcmp(database, "counted") == 0;
    sql_run(database, is_counted ? RESTORE("TRUNCATE tabiya.game, tabiya.shape")
                                 : RESTORE("DELETE FROM tabiya.game; DELETE FROM tabiya.shape"));
    if (!is_counted && ++n_restored % 8 == 0)
        sql_run(database, "VACUUM tabiya.game, tabiya.shape");
}

static inline void restore(const place *p) { restore_database(p->database); }

static inline void fill(const char *database)
{
    tby_db *db = db_open(url_of(database, "postgres"), TBY_DB_CREATE);
    db_add_range(db, 1, GAMES);
    db_must(db, tby_db_index(db, 20, NULL, NULL));
    tby_db_close(db);
}

static inline void make_places(void)
{
    sql_run("postgres", "CREATE DATABASE one");
    sql_run("postgres", "CREATE DATABASE counted");
    fill("one");
    fill("counted");
    sql_run("counted",
            "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags')");
    sql_run("counted", "SELECT tabiya.game_played_refresh(1)");
    for (size_t i = 0; i < N_PLACES; i++)
        sql_run(places[i].database, SAVE);
}

/* ---- Work that only servers do, or do in a way of their own ------------------------------------------------------ */

/* In one snapshot: a game, the last one, a missing one, and the moves played. */
static tby_status run_reading(tby_db *db, const tby_db_search *search, answer *out)
{
    int64_t version, last = 0, n = 0;
    tby_row row;
    tby_status status = tby_db_begin_reading(&version, db);
    if (status != TBY_OK)
        return status;
    status = tby_db_last_id(&last, db);
    if (status == TBY_OK)
        status = tby_db_n_games(&n, db);
    if (status == TBY_OK)
        status = tby_db_row(&row, db, 7);
    if (status == TBY_OK) {
        take_number(out, row.plies);
        status = tby_db_row(&row, db, 999);
        status = status == TBY_NOT_FOUND ? TBY_OK : status == TBY_OK ? TBY_INVALID_DATABASE : status;
    }
    for (int i = 0; i < 3 && status == TBY_OK; i++)
        status = run_explore(db, search, out);
    tby_db_end_reading(db);
    take_number(out, last);
    take_number(out, n);
    return status;
}

static bool stop_at_first(void *context, const tby_db_hit *hit)
{
    take_number(context, hit->id);
    return false;
}

static tby_status run_some(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_search some = *search;
    some.limit = 5;
    some.offset = 2;
    some.wanted = TBY_WANTED_ROWS;
    const tby_status status = tby_db_find(db, &some, take_hit, out);
    return status == TBY_OK ? tby_db_find(db, search, stop_at_first, out) : status;
}

/* Sizes vary, so only whether they are positive counts. */
static void take_sized(void *context, const char *name, int64_t n_bytes)
{
    take_bytes(context, name, n_bytes > 0 ? strlen(name) : 0);
}

static tby_status run_server_sizes(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)search;
    return tby_db_sizes(db, take_sized, out);
}

static tby_status run_explain_explore(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_position pos;
    tby_position_start(&pos);
    return tby_db_explain_explore(db, &pos, search, take_bytes, out);
}

static tby_status run_check(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)out;
    return tby_db_check_where(db, search->where);
}

/* The index of positions exists already: a deeper one replaces it. */
static tby_status run_deepen(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)search;
    (void)out;
    return tby_db_index(db, 30, NULL, NULL);
}

static const work server_works[] = {
    {"match", run_match, "either (iqp result 1-0)", NULL, 1, false},
    {"reading", run_reading, NULL, NULL, 1, false},
    {"reading", run_reading, "date 2019..2020", NULL, 1, false},
    {"some", run_some, NULL, NULL, 1, false},
    {"some", run_some, "tag Round 1* player adams", NULL, 1, false},
    {"sizes", run_server_sizes, NULL, NULL, 1, false},
    {"explore", run_explore, "elo 2000.. date 2019..", NULL, 1, false},
    {"explore", run_explore, "elo 2000..", NULL, 1, false},
    {"explore", run_explore, "tag Round 1*", NULL, 1, false},
    {"explore", run_explore, "date 2019", NULL, 1, false},
    {"explain explore", run_explain_explore, "date 2019", NULL, 1, false},
    {"explain explore", run_explain_explore, "tag Round 1*", NULL, 1, false},
    {"count", run_count, "tag Round 1*", NULL, 1, false},
    {"count", run_count, "date ..2019 white m\xc3\xbcller", "plies > 3", 1, false},
    {"check", run_check, NULL, "plies > 3", 1, false},
    {"deepen", run_deepen, NULL, NULL, 1, true},
};
enum { N_SERVER_WORKS = sizeof server_works / sizeof *server_works };

static inline const work *work_at(size_t i)
{
    return i < N_COMMON_WORKS                    ? &works[i]
           : i < N_COMMON_WORKS + N_SERVER_WORKS ? &server_works[i - N_COMMON_WORKS]
                                                 : NULL;
}

/* Work that builds indexes starts with none or with shallow ones. */
static inline void prepare(const place *p, const work *w)
{
    if (w->run == run_index || w->run == run_deepen)
        sql_run(
            p->database,
            "SET client_min_messages = warning; DROP INDEX IF EXISTS tabiya.game_positions, tabiya.game_positions_new, "
            "tabiya.game_positions_old, tabiya.game_words");
    if (w->run == run_deepen)
        sql_run(p->database,
                "CREATE INDEX game_positions ON tabiya.game USING gin (moves chessgame_gin_ops (max_ply = 10))");
    if (w->writes)
        restore(p);
}

/* ---- Trials ----------------------------------------------------------------------------------------------------- */

/* How a test makes something fail: `begin` lets the call after `number` others fail, and `end` returns whether one
   did. */
typedef struct failing {
    void (*begin)(long number);
    bool (*end)(void);
    const char *what; /* a description, for failures of the test */
    bool is_lie;      /* the server's answer was false, so any result is acceptable, but there must be one */
    bool is_lost;     /* the connection was lost, and the database has to be reopened */
} failing;

/* An open database, and work that is repeated on it. */
typedef struct session {
    const place *place;
    const work *work;
    tby_db *db;
    answer right;
    int64_t n_after; /* the number of games after the work */
} session;

static inline const char *session_name(const session *s, const failing *f, long number)
{
    static char name[400];
    snprintf(name, sizeof name, "%s, %s %s, %s %ld", s->place->name, s->work->name,
             s->work->query ? s->work->query : "", f->what, number);
    return name;
}

static inline void session_open(session *s)
{
    s->db = db_open(url_of(s->place->database, s->place->user), s->work->writes ? TBY_DB_WRITE : TBY_DB_READ);
}

/* Returns false for work that is not possible there. */
static inline bool session_begin(session *s, const place *p, const work *w)
{
    s->place = p;
    s->work = w;
    if (w->writes && strcmp(p->user, "postgres") != 0)
        return false;
    prepare(p, w);
    session_open(s);
    do_work(w, s->db, &s->right);
    if (s->right.status != TBY_OK || s->right.is_too_long)
        fail_msg("%s, %s %s: %s", p->name, w->name, w->query ? w->query : "", tby_db_failure(s->db)->text);
    s->n_after = n_games_at(p);
    return true;
}

static inline void session_end(session *s)
{
    tby_db_close(s->db);
    if (s->work->writes)
        restore(s->place);
}

/* The next attempt must succeed. */
static inline void session_go_on(session *s, const failing *f, long number)
{
    static answer got;
    do_work(s->work, s->db, &got);
    const bool is_right = s->work->writes ? got.status == TBY_OK && n_games_at(s->place) == s->n_after
                                          : is_same(&got, &s->right);
    if (!is_right)
        fail_msg("%s, the next try: status %d (%s), %.*s", session_name(s, f, number), (int)got.status,
                 tby_db_failure(s->db)->text, got.n > 200 ? 200 : (int)got.n, got.bytes);
}

/* The answer must be an error with a message or the right one, and games are stored and deleted completely or not at
   all. Returns whether something failed. */
static inline bool session_try(session *s, const failing *f, long number)
{
    static answer got;
    prepare(s->place, s->work);
    f->begin(number);
    do_work(s->work, s->db, &got);
    const bool is_struck = f->end(), is_good = got.status == TBY_OK;
    if (f->is_lie)
        return is_struck;
    if (is_good ? !is_same(&got, &s->right) : got.status != TBY_NO_MEMORY && tby_db_failure(s->db)->text[0] == '\0')
        fail_msg("%s: status %d (%s), %.*s", session_name(s, f, number), (int)got.status, tby_db_failure(s->db)->text,
                 got.n > 200 ? 200 : (int)got.n, got.bytes);
    if (is_struck && f->is_lost) {
        tby_db_close(s->db);
        wait_for_servers();
        session_open(s);
    }
    const int64_t n = s->work->writes ? n_games_at(s->place) : s->n_after;
    if (n != s->n_after && (is_good || n != GAMES))
        fail_msg("%s: %lld games", session_name(s, f, number), (long long)n);
    if (is_struck)
        session_go_on(s, f, number);
    return is_struck;
}

/* Opening must fail cleanly or succeed. */
static inline bool opening_try(const place *p, tby_db_mode mode, const failing *f, long number)
{
    tby_failure failure;
    tby_db *db;
    f->begin(number);
    const tby_status status = tby_db_open(&db, url_of(p->database, p->user), mode, &failure);
    const bool is_struck = f->end();
    if ((status == TBY_OK) != (db != NULL) || (status != TBY_OK && (failure.text[0] == '\0' || !is_struck)))
        fail_msg("%s, %s %ld: status %d (%s)", p->name, f->what, number, (int)status, failure.text);
    tby_db_close(db);
    return is_struck;
}

#endif
