/*
 * clusters.c - setting up clusters and querying their status while servers or memory fail: every statement and
 * allocation in turn, with a server (cluster.sh).
 *
 * A failure is reported, and running the same command again does the rest.
 */
#include "places.h"

#include "failing_libpq.h"
#include "unit/failing_memory.h"

/* ---- Databases --------------------------------------------------------------------------------------------------- */

/* centre, west and east: a coordinator and its two shards. fresh, fresh_a and fresh_b: empty databases. */
static void make_databases(void)
{
    static const char *const databases[] = {"centre", "west", "east", "fresh", "fresh_a", "fresh_b"};
    for (size_t i = 0; i < sizeof databases / sizeof *databases; i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "CREATE DATABASE %s", databases[i]);
        sql_run("postgres", sql);
    }
    make_shards("centre", "west", "east");
    fill("centre");
}

static void leave_centre(void) {}

static void restore_fresh(void)
{
    static const char *const databases[] = {"fresh", "fresh_a", "fresh_b"};
    for (size_t i = 0; i < 3; i++)
        sql_run(databases[i], "SET client_min_messages = error; DROP SCHEMA IF EXISTS tabiya CASCADE;"
                              "DROP EXTENSION IF EXISTS tabiya CASCADE; DROP EXTENSION IF EXISTS postgres_fdw CASCADE");
}

/* ---- Work ---------------------------------------------------------------------------------------------------------
 */

static tby_status run_init(tby_failure *failure)
{
    const char *const shards[] = {url_of("fresh_a", "postgres"), url_of("fresh_b", "postgres")};
    return tby_cluster_init(url_of("fresh", "postgres"), shards, 2, NULL, NULL, failure);
}

static bool take_nothing(void *context, const char *s, size_t n)
{
    *(size_t *)context += s ? n : 0;
    return true;
}

static tby_status run_print(tby_failure *failure)
{
    char first[300];
    size_t n = 0;
    snprintf(first, sizeof first, "%s&password=it\\'s", url_of("fresh_a", "postgres"));
    const char *const shards[] = {first, url_of("fresh_b", "postgres")};
    return tby_cluster_init(url_of("fresh", "postgres"), shards, 2, take_nothing, &n, failure);
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
    const char *databases[4];
    unsigned
        harms; /* bits of the harms that are always tried; all are if TABIYA_EVERY_FAULT is set in the environment */
} job;

static const job jobs[] = {
    {"status", run_status, leave_centre, {"centre", "west", "east"}, 0xffff},
    {"print", run_print, restore_fresh, {"fresh", "fresh_a", "fresh_b"}, 1 << HARM_NULLS},
    {"init", run_init, restore_fresh, {"fresh", "fresh_a", "fresh_b"}, 1 << HARM_REFUSED | 1 << HARM_CONNECT},
};

/* ---- Trials ------------------------------------------------------------------------------------------------------ */

static void judge(const job *j, const char *name, tby_status status, const char *error)
{
    tby_failure again;
    if (status != TBY_OK && error[0] == '\0')
        fail_msg("%s: nothing is said", name);
    if (j->run(&again) != TBY_OK)
        fail_msg("%s, the next try: %s", name, again.text);
}

static bool fails_well(const job *j, harm kind, const char *database, long number)
{
    tby_failure failure = {.status = TBY_OK};
    char name[200];
    snprintf(name, sizeof name, "%s, %s at %ld to %s", j->name, harm_names[kind], number, database);
    j->prepare();
    const long n_before = n_live;
    harm_set(kind, database, number);
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
        for (size_t i = 0; j->databases[i] && (getenv("TABIYA_EVERY_FAULT") || j->harms >> kind & 1); i++)
            for (long n = 0; fails_well(j, (harm)kind, j->databases[i], n);)
                n++;
}

static void test_clusters__servers_fail(void **state)
{
    (void)state;
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
static void test_clusters__memory_runs_out(void **state)
{
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clusters__servers_fail),
        cmocka_unit_test(test_clusters__memory_runs_out),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, set_up, NULL);
}
