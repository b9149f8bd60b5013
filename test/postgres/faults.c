/*
 * faults.c - databases on failing PostgreSQL servers: every statement of every kind of work fails in turn, with a
 * server (cluster.sh).
 *
 * A connection is lost, libpq has no memory, or the server returns an error or nonsense. The answer must be an error
 * with a message or the right one; games are stored and deleted completely or not at all; the next attempt succeeds;
 * nothing leaks.
 */
#include "places.h"

#include "failing_libpq.h"
#include "unit/failing_memory.h"

#include <sys/wait.h>

/* ---- Trials ----------------------------------------------------------------------------------------------------- */

static harm kind;
static const char *database;

static void begin_harm(long number) { harm_set(kind, database, number); }

static failing harm_of(void)
{
    static char what[64];
    snprintf(what, sizeof what, "%s: %s at statement", database, harm_names[kind]);
    return (failing){.begin = begin_harm,
                     .end = harm_end,
                     .what = what,
                     .is_lie = kind == HARM_NULLS || kind == HARM_NONSENSE || kind == HARM_EMPTY,
                     .is_lost = kind == HARM_COPY || kind == HARM_LOST || kind == HARM_CUT};
}

/* With TABIYA_EVERY_FAULT in the environment, every harm is tried with every kind of work. */
static bool is_tried(const work *w)
{
    if (kind == HARM_COPY || kind == HARM_CUT)
        return w->writes;
    if (kind == HARM_LOST)
        return getenv("TABIYA_EVERY_FAULT");
    return kind != HARM_CONNECT && (getenv("TABIYA_EVERY_FAULT") || !w->writes || kind <= HARM_NULLS);
}

static void try_work(const place *p, const work *w)
{
    static session s;
    if (!session_begin(&s, p, w))
        return;
    for (int i = HARM_REFUSED; i < N_HARMS; i++) {
        kind = (harm)i;
        database = p->database;
        const failing f = harm_of();
        for (long n = 0; is_tried(w) && session_try(&s, &f, n);)
            n++;
        if (f.is_lie) { /* the program may have cached the wrong answer */
            tby_db_close(s.db);
            session_open(&s);
        }
    }
    session_end(&s);
}

static void try_opening(const place *p, tby_db_mode mode)
{
    for (int i = HARM_REFUSED; i < N_HARMS; i++) {
        kind = (harm)i;
        database = p->database;
        const failing f = harm_of();
        for (long n = 0; opening_try(p, mode, &f, n);)
            n++;
    }
}

static void try_place(const char *name)
{
    const long n_before = n_live;
    for (size_t i = 0; i < N_PLACES; i++) {
        if (strcmp(places[i].name, name) != 0)
            continue;
        try_opening(&places[i], TBY_DB_READ);
        for (size_t k = 0; work_at(k); k++)
            try_work(&places[i], work_at(k));
    }
    assert_int_equal(n_live, n_before);
}

TEST(test_faults__one_server)
{
    try_place("one");
    try_opening(&places[0], TBY_DB_CREATE);
}

TEST(test_faults__counts_of_moves) { try_place("counted"); }

/* ---- By name ---------------------------------------------------------------------------------------------------- */

static bool stop(void *context)
{
    ++*(int *)context;
    return false;
}

TEST(test_faults__a_caller_may_stop_a_server)
{
    tby_db *db = db_open(url_of("one", "postgres"), TBY_DB_READ);
    const tby_db_search slow = {.where = "pg_sleep(60) IS NOT NULL"};
    int n_asked = 0;
    int64_t n;
    tby_db_set_watch(db, stop, &n_asked);
    assert_int_not_equal(tby_db_count(&n, db, &slow), TBY_OK);
    assert_non_null(strstr(tby_db_failure(db)->text, "canceling statement"));
    assert_true(n_asked > 0);
    tby_db_set_watch(db, NULL, NULL);
    assert_int_equal(db_n_games(db), GAMES);
    tby_db_close(db);
}

/* From ten thousand games on, an import counts moves; what fails is done by the next import. */
TEST(test_faults__counts_that_an_import_makes)
{
    static const char *const before[] = {
        "UPDATE tabiya.game_tracked SET n_games = 0 WHERE position = 0",
        "INSERT INTO tabiya.game_played SELECT n, 'a2a3', 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 10000) n",
    };
    enum { FIRST = 7 }; /* the statements that build indexes are tested elsewhere */
    sql_run("postgres", "CREATE DATABASE many");
    tby_db *db = db_open(url_of("many", "postgres"), TBY_DB_CREATE);
    db_add_range(db, 1, 1);
    sql_run("many", "INSERT INTO tabiya.game (hash, plies, shape, result, moves) SELECT n, 1, 1, '*', '1. a4' FROM"
                    " generate_series(1, 10000) n");
    db_must(db, tby_db_index(db, 1, NULL, NULL));
    for (size_t i = 0; i < 2; i++) {
        bool is_struck = true;
        for (long n = FIRST; is_struck; n++) {
            sql_run("many", before[i]);
            harm_set(HARM_REFUSED, "many", n);
            const tby_status status = tby_db_index(db, 1, NULL, NULL);
            is_struck = harm_end();
            assert_int_equal(status == TBY_OK, !is_struck);
        }
    }
    assert_int_equal(sql_run("many", "SELECT count(*) FROM tabiya.game_played WHERE NOT is_folded"), 0);
    tby_db_close(db);
}

/* In a separate process, since the library is loaded once. */
static void refuse_a_libpq_without_a_function(void)
{
    int code = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        tby_failure failure;
        tby_db *db;
        missing_function = "PQsocket";
        const tby_status status = tby_db_open(&db, url_of("one", "postgres"), TBY_DB_READ, &failure);
        exit(status == TBY_IO_ERROR && !db && strstr(failure.text, "no such function") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
}

static int set_up(void **state)
{
    (void)state;
    refuse_a_libpq_without_a_function();
    make_places();
    return 0;
}

int main(int argc, char **argv)
{
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return tests_run(set_up, NULL);
}
