/*
 * test_db_recovery.c - databases whose writer was killed or stopped.
 */
#include "db_support.h"

#include <sqlite3.h>
#include <sys/wait.h>

/* A child process starts to change the database without WAL, enough to write some pages, and dies. */
static void die_while_writing(const char *path)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *sql = NULL;
        sqlite3_open(path, &sql);
        sqlite3_exec(sql,
                     "PRAGMA cache_size = 1; BEGIN; CREATE TABLE much(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                     "SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO much SELECT zeroblob(5000) FROM n",
                     NULL, NULL, NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

TEST(test_db_recovery__a_reader_can_open_it_after_a_writer_died)
{
    const char *path = db_path("died");
    char journal[300];
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 100);
    tby_db_close(db);
    die_while_writing(path);
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_int_equal(access(journal, F_OK), 0);
    db = db_open(path, TBY_DB_READ);
    assert_int_equal(db_n_games(db), 100);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
    db_remove(path);
}

/* An interrupted import has not built the indexes; deleting then searched all games for every player. */
TEST(test_db_recovery__deleting_looks_for_names_without_indexes)
{
    const char *path = db_path("stopped");
    tby_game_id ids[990];
    for (int i = 0; i < 990; i++)
        ids[i] = i + 1;
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 1000);
    assert_int_equal(db_delete(db, ids, 990), 990);
    assert_int_equal(db_n_games(db), 10);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
    db_remove(path);
}

int main(void) { return tests_run(NULL, NULL); }
