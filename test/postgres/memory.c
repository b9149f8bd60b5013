/*
 * memory.c - databases on PostgreSQL servers when memory runs out: the program's allocations fail in turn, with a
 * server (cluster.sh).
 *
 * The answer must be an error or the right one; games are stored and deleted completely or not at all, and nothing
 * leaks.
 */
#include "places.h"

#include "unit/failing_memory.h"

static void pause_failing(bool is_paused)
{
    static long before;
    if (is_paused)
        before = left;
    left = is_paused ? -1 : before;
}

static void begin_failing(long number)
{
    n_failed = 0;
    left = number;
}

static bool end_failing(void)
{
    left = -1;
    return n_failed > 0;
}

static const failing one_fails = {.begin = begin_failing, .end = end_failing, .what = "allocation"};
static const failing all_fail = {.begin = begin_failing, .end = end_failing, .what = "allocation and all after it"};

/* All of the first ones, then fewer and fewer; every one if TABIYA_EVERY_FAULT is set in the environment. */
static long next_number(long number, bool writes)
{
    return number + 1 + (getenv("TABIYA_EVERY_FAULT") ? 0 : number / (writes ? 4 : 8));
}

static void try_work(const place *p, const work *w)
{
    static session s;
    if (!session_begin(&s, p, w))
        return;
    for (int i = 0; i < 2; i++) {
        long n = 0;
        for_ever = i;
        while (session_try(&s, i ? &all_fail : &one_fails, n))
            n = next_number(n, w->writes);
    }
    session_end(&s);
}

static void try_place(const char *name)
{
    const long n_before = n_live;
    for (size_t i = 0; i < N_PLACES; i++) {
        if (strcmp(places[i].name, name) != 0)
            continue;
        for_ever = false;
        for (long n = 0; opening_try(&places[i], TBY_DB_READ, &one_fails, n);)
            n++;
        for (size_t k = 0; work_at(k); k++)
            try_work(&places[i], work_at(k));
    }
    assert_int_equal(n_live, n_before);
}

TEST(test_memory__one_server)
{
    try_place("one");
    try_place("counted");
}

static int set_up(void **state)
{
    (void)state;
    works_pause = pause_failing;
    make_places();
    return 0;
}

int main(int argc, char **argv)
{
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return tests_run(set_up, NULL);
}
