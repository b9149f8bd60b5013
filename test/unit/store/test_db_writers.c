/*
 * test_db_writers.c - databases with more than one writer.
 */
#include "db_support.h"

#include <sqlite3.h>
#include <sys/wait.h>

static void expect_sound(tby_db *db, int64_t n_games)
{
    assert_int_equal(db_n_games(db), n_games);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
}

/* Each writer cached the last number, the names and the records, and did not notice what the other had written. */
TEST(test_db_writers__two_add_in_turn)
{
    tby_db *first = db_fresh("turns"), *second = db_open(db_path("turns"), TBY_DB_WRITE);
    for (unsigned i = 0; i < 20; i++) {
        db_add_range(first, 10 * i + 1, 10 * i + 5);
        db_add_range(second, 10 * i + 3, 10 * i + 10);
    }
    expect_sound(first, 200);
    tby_db_close(second);
    db_add_range(first, 201, 210);
    expect_sound(first, 210);
    tby_db_close(first);
    db_remove(db_path("turns"));
}

/* The next game referred to a name, by its old number, that the deletion had removed. */
TEST(test_db_writers__one_deletes_what_the_other_has_cached)
{
    tby_db *first = db_fresh("deletes"), *second = db_open(db_path("deletes"), TBY_DB_WRITE);
    tby_game *game = new_game();
    const tby_game_id id = 1;
    add_tag(game, "White", "Only One");
    db_add(first, &game, 1, TBY_DUPLICATES_SKIP);
    assert_int_equal(db_delete(second, &id, 1), 1);
    const tby_db_added added = db_add(first, &game, 1, TBY_DUPLICATES_SKIP);
    assert_int_equal(added.stored, 1);
    assert_int_equal(db_count(first, "white \"Only One\""), 1);
    expect_sound(first, 1);
    tby_game_free(game);
    tby_db_close(first);
    tby_db_close(second);
    db_remove(db_path("deletes"));
}

static void add_in_child(const char *path, unsigned first, unsigned last)
{
    tby_failure failure;
    tby_db *db;
    if (tby_db_open(&db, path, TBY_DB_CREATE, &failure) != TBY_OK) {
        fprintf(stderr, "%s\n", failure.text);
        _exit(1);
    }
    for (unsigned i = first; i <= last; i++)
        db_add_range(db, i, i);
    tby_db_close(db);
    _exit(0);
}

/* The second writer found no tables yet, created them too, and failed; or it failed to change the journal mode. */
TEST(test_db_writers__many_start_with_a_file_that_does_not_exist)
{
    enum { WRITERS = 4, GAMES = 50 };
    const char *path = db_path("new");
    for (int round = 0; round < 3; round++) {
        db_remove(path);
        for (unsigned i = 0; i < WRITERS; i++) {
            const pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0)
                add_in_child(path, i * GAMES + 1, (i + 1) * GAMES);
        }
        for (unsigned i = 0; i < WRITERS; i++) {
            int status = 0;
            wait(&status);
            assert_int_equal(status, 0);
        }
        tby_db *db = db_open(path, TBY_DB_READ);
        expect_sound(db, (int64_t)WRITERS * GAMES);
        tby_db_close(db);
    }
    db_remove(path);
}

TEST(test_db_writers__adding_needs_a_transaction)
{
    tby_db *db = db_fresh("alone");
    tby_batch *batch = tby_batch_new();
    tby_db_added added = {0, 0};
    assert_int_not_equal(tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP), TBY_OK);
    tby_batch_free(batch);
    tby_db_close(db);
    db_remove(db_path("alone"));
}

int main(void) { return tests_run(NULL, NULL); }
