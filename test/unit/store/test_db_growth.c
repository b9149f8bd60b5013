/*
 * test_db_growth.c - long use of a database takes no more memory than short use.
 *
 * The same queries run over and over, and games are added and deleted in between. Memory use after ten times as many
 * rounds must be the same: our blocks and bytes, and SQLite's bytes.
 */
#include "db_works.h"
#include "disk_plain.h"
#include "failing_memory.h"

#ifdef TBY_TEST_QUICK
enum { SOME_ROUNDS = 60, MANY_ROUNDS = 300 };
#else
enum { SOME_ROUNDS = 200, MANY_ROUNDS = 2000 };
#endif

typedef struct use {
    long n_blocks, n_bytes;
    long long of_sqlite;
} use;

/* Not counting SQLite's page cache. */
static use used_by(tby_db *db)
{
    sqlite3_db_release_memory(db_sql(db));
    return (use){n_live, n_live_bytes, (long long)sqlite3_memory_used()};
}

/* One query per round; now and then games are added, indexed and deleted. */
static void do_round(tby_db *db, int number)
{
    enum { N_WORKS = sizeof works / sizeof *works, CHANGES = 10 };
    static answer got;
    const work *w = &works[number % N_WORKS];
    if (!w->writes) {
        do_work(w, db, &got);
        db_must(db, got.status);
    }
    if (number % CHANGES != 0)
        return;
    tby_game_id last = 0;
    int64_t n = 0;
    db_add_range(db, GAMES + 1, GAMES + 2);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_must(db, tby_db_last_id(&last, db));
    const tby_game_id ids[] = {last - 1, last};
    db_must(db, tby_db_delete(&n, db, ids, 2));
    assert_int_equal(n, 2);
}

TEST(test_db_growth__long_use_takes_no_more_memory)
{
    tby_db *db = db_open(original, TBY_DB_WRITE);
    int number = 0;
    while (number < SOME_ROUNDS)
        do_round(db, number++);
    const use some = used_by(db);
    while (number < MANY_ROUNDS)
        do_round(db, number++);
    const use many = used_by(db);
    assert_int_equal(db_n_games(db), GAMES);
    tby_db_close(db);
    print_message("%ld blocks, %ld bytes, %lld of SQLite's; later %ld, %ld, %lld\n", some.n_blocks, some.n_bytes,
                  some.of_sqlite, many.n_blocks, many.n_bytes, many.of_sqlite);
    assert_true(some.of_sqlite > 0);
    assert_int_equal(some.n_blocks, many.n_blocks);
    assert_true(many.n_bytes <= some.n_bytes + 16 * some.n_blocks); /* glibc may round a block up by this much */
    assert_int_equal(some.of_sqlite, many.of_sqlite);
    assert_int_equal(sqlite3_memory_used(), 0);
}

/* A new connection for every query, as in front ends that open and close the database each time. */
TEST(test_db_growth__connections_leave_nothing_allocated)
{
    static answer got;
    const long n_blocks = n_live, n_bytes = n_live_bytes;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (works[i].writes)
            continue;
        tby_db *db = db_open(original, TBY_DB_READ);
        do_work(&works[i], db, &got);
        db_must(db, got.status);
        tby_db_close(db);
        assert_int_equal(n_live, n_blocks);
        assert_int_equal(n_live_bytes, n_bytes);
        assert_int_equal(sqlite3_memory_used(), 0);
    }
}

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1), SQLITE_OK); /* disabled in Debian's build of SQLite */
    layer_put();
    works_set_up("growth");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    works_tear_down();
    return 0;
}

int main(void) { return tests_run(set_up, tear_down); }
