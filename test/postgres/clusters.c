/*
 * clusters.c - setting up clusters and querying their status while servers or memory fail: every statement and
 * allocation in turn, with a server (cluster.sh) on which a stand-in (fake_citus) replaces Citus.
 *
 * A failure is reported and changes nothing, and running the same command again succeeds.
 */
#include "places.h"

#include "failing_libpq.h"
#include "unit/failing_memory.h"

/* ---- Databases --------------------------------------------------------------------------------------------------- */

static const char *const workers[] = {"postgresql://a/games", "postgresql://b:5433/games"};

static tby_status set_up_cluster(const char *database, tby_sink print, void *context, tby_failure *failure)
{
    return tby_cluster_init(url_of(database, "postgres"), workers, 2, 0, print, context, failure);
}

/* centre: a coordinator. before: a plain server with games and counts, to which Citus was added; fresh is a copy. */
static void make_databases(void)
{
    tby_failure failure;
    sql_run("postgres", "CREATE DATABASE before");
    fill("before");
    sql_run("before",
            "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags')");
    sql_run("before", "SELECT tabiya.game_played_refresh(1)");
    sql_run("before", "CREATE EXTENSION citus");
    PQfinish(connection_to("before"));
    sql_run("postgres", "CREATE DATABASE centre TEMPLATE before");
    if (set_up_cluster("centre", NULL, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
}

static void leave_centre(void) {}

static void restore_fresh(void)
{
    sql_run("postgres", "DROP DATABASE IF EXISTS fresh WITH (FORCE)");
    sql_run("postgres", "CREATE DATABASE fresh TEMPLATE before");
}

/* How far a database is set up. After a failed attempt, triggers had been dropped, so that later games were not counted.
   */
typedef enum progress { NOTHING_IS_DONE = 410, ALL_IS_DONE = 62 } progress;

static int64_t progress_of(const char *database)
{
    PGconn *db = PQconnectdb(url_of(database, "postgres"));
    PGresult *r =
        PQexec(db, "SELECT 100 * (SELECT count(*) FROM pg_trigger WHERE tgrelid = 'tabiya.game'::regclass AND NOT"
                   " tgisinternal) + 10 * (SELECT count(*) FROM pg_dist_partition) + (SELECT cardinality(conkey) FROM"
                   " pg_constraint WHERE conrelid = 'tabiya.game'::regclass AND contype = 'p') * (CASE WHEN"
                   " EXISTS (SELECT 1 FROM pg_dist_node) THEN 1 ELSE 10 END)");
    const int64_t number = PQntuples(r) ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : -1;
    PQclear(r);
    PQfinish(db);
    return number;
}

/* ---- Work ---------------------------------------------------------------------------------------------------------
 */

static tby_status run_init(tby_failure *failure) { return set_up_cluster("fresh", NULL, NULL, failure); }

static bool take_nothing(void *context, const char *s, size_t n)
{
    *(size_t *)context += s ? n : 0;
    return true;
}

static tby_status run_print(tby_failure *failure)
{
    size_t n = 0;
    return set_up_cluster("fresh", take_nothing, &n, failure);
}

static bool take_status(void *context, const tby_cluster_member *s)
{
    *(int64_t *)context += s->is_reachable ? s->n_games : 0;
    return s->is_reachable || s->error[0];
}

static tby_status run_status(tby_failure *failure)
{
    int64_t n = 0;
    return tby_cluster_status(url_of("centre", "postgres"), take_status, &n, failure);
}

typedef struct job {
    const char *name;
    tby_status (*run)(tby_failure *failure);
    void (*prepare)(void);
    const char *database;
    int64_t after; /* the progress of the database */
    unsigned
        harms; /* bits of the harms that are always tried; all are if TABIYA_EVERY_FAULT is set in the environment */
} job;

static const job jobs[] = {
    {"status", run_status, leave_centre, "centre", ALL_IS_DONE, 0xffff},
    {"print", run_print, restore_fresh, "fresh", NOTHING_IS_DONE, 1 << HARM_NULLS},
    {"init", run_init, restore_fresh, "fresh", ALL_IS_DONE, 1 << HARM_REFUSED | 1 << HARM_LOST | 1 << HARM_CONNECT},
};

/* ---- Trials ------------------------------------------------------------------------------------------------------ */

static void judge(const job *j, const char *name, tby_status status, const char *error)
{
    tby_failure again;
    const int64_t is_at = progress_of(j->database);
    if (status != TBY_OK && error[0] == '\0')
        fail_msg("%s: nothing is said", name);
    if (is_at != j->after && (status == TBY_OK || is_at != NOTHING_IS_DONE))
        fail_msg("%s: it is half done: %d", name, (int)is_at);
    if (j->run(&again) != TBY_OK)
        fail_msg("%s, the next try: %s", name, again.text);
    if (progress_of(j->database) != j->after)
        fail_msg("%s, the next try: not done", name);
}

static bool fails_well(const job *j, harm kind, long number)
{
    tby_failure failure = {.status = TBY_OK};
    char name[200];
    snprintf(name, sizeof name, "%s, %s at %ld", j->name, harm_names[kind], number);
    j->prepare();
    const long n_before = n_live;
    harm_set(kind, j->database, number);
    const tby_status status = j->run(&failure);
    const bool is_struck = harm_end();
    if (n_live != n_before)
        fail_msg("%s: %ld blocks of memory leak", name, n_live - n_before);
    if (!is_struck && status != TBY_OK)
        fail_msg("%s: %s", name, failure.text);
    if (kind == HARM_LOST || kind == HARM_CUT)
        wait_for_servers();
    if (is_struck && (kind < HARM_NULLS || kind > HARM_EMPTY))
        judge(j, name, status, failure.text);
    return is_struck;
}

static void try_harms(const job *j)
{
    for (int kind = HARM_REFUSED; kind < N_HARMS; kind++)
        for (long n = 0; (getenv("TABIYA_EVERY_FAULT") || j->harms >> kind & 1) && fails_well(j, (harm)kind, n);)
            n++;
}

TEST(test_clusters__servers_fail)
{
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        try_harms(&jobs[i]);
}

static bool memory_fails_well(const job *j, long number)
{
    tby_failure failure = {.status = TBY_OK};
    char name[200];
    snprintf(name, sizeof name, "%s, allocation %ld", j->name, number);
    j->prepare();
    const long n_before = n_live;
    n_failed = 0;
    left = number;
    const tby_status status = j->run(&failure);
    left = -1;
    if (n_live != n_before)
        fail_msg("%s: %ld blocks of memory leak", name, n_live - n_before);
    if (status != TBY_OK && !strstr(failure.text, "memory"))
        fail_msg("%s: %s", name, failure.text);
    if (n_failed)
        judge(j, name, status, failure.text);
    return n_failed > 0;
}

/* Setting up is slow on a server, and most allocations are alike there. */
TEST(test_clusters__memory_runs_out)
{
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        for (long n = 0; memory_fails_well(&jobs[i], n);)
            n += getenv("TABIYA_EVERY_FAULT") ? 1 : 1 + n;
}

static int set_up(void **state)
{
    (void)state;
    make_databases();
    return 0;
}

int main(int argc, char **argv)
{
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return tests_run(set_up, NULL);
}
