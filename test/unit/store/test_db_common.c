/*
 * test_db_common.c - stored counts for common positions: they equal those of the games, whatever is added and deleted,
 * and are verified.
 */
#include "db_support.h"

enum { GAMES = 4000 };

static tby_db *db;
static char path[256];

static int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s", db_path("common"));
    db_remove(path);
    db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, GAMES);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tby_db_close(db);
    db_remove(path);
    return 0;
}

static int64_t n_rows(void)
{
    int64_t n = -1;
    assert_true(lite_number((lite *)db, "SELECT count(*) FROM common", &n));
    return n;
}

static void explore(const tby_position *pos, bool ignores_index, tby_db_moves *out)
{
    const tby_db_search search = {.ignores_index = ignores_index};
    db_must(db, tby_db_explore(out, db, pos, &search));
}

/* Compares the counts with and without the index, from this position down to `depth` half-moves, where many games
   go. */
static void compare(const tby_position *pos, unsigned depth)
{
    static tby_db_moves kept, counted;
    tby_move moves[TBY_MOVES_MAX];
    size_t n = 0;
    memset(&kept, 0, sizeof kept);
    memset(&counted, 0, sizeof counted);
    explore(pos, false, &kept);
    explore(pos, true, &counted);
    assert_memory_equal(&kept, &counted, sizeof kept);
    for (size_t i = 0; i < kept.n_moves; i++)
        if (kept.moves[i].games > 100 && kept.moves[i].move != TBY_MOVE_NULL)
            moves[n++] = kept.moves[i].move;
    for (size_t i = 0; i < n && depth > 0; i++) {
        tby_position after = *pos;
        tby_position_play(&after, moves[i], NULL);
        compare(&after, depth - 1);
    }
}

static void compare_all(void)
{
    tby_position start;
    tby_position_start(&start);
    compare(&start, 4);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
}

TEST(test_db_common__equal_the_counts_of_the_games)
{
    tby_game_id ids[700];
    assert_true(n_rows() > 5);
    compare_all();
    for (int i = 0; i < 700; i++)
        ids[i] = (i * 37) % GAMES + 1;            /* in no particular order */
    assert_int_equal(db_delete(db, ids, 40), 40); /* few enough that only the affected counts are rebuilt */
    compare_all();
    assert_int_equal(db_delete(db, ids + 40, 660), 660);
    compare_all();
    db_add_range(db, GAMES + 1, GAMES + 50);
    compare_all();
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_add_range(db, GAMES + 51, 2 * GAMES);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL)); /* one run is merged into another */
    compare_all();
}

/* The last date is corrected when its game is deleted. */
TEST(test_db_common__forget_a_deleted_latest_game)
{
    static tby_db_moves moves;
    tby_position start;
    tby_game *game = new_game();
    add_tag(game, "Date", "2024.01.01");
    tby_game_add(game, TBY_ROOT, TBY_MOVE(12, 28, 0));
    db_add(db, &game, 1, TBY_DUPLICATES_KEEP);
    tby_game_free(game);
    db_must(db, tby_db_index(db, TBY_INDEX_NONE, NULL, NULL));
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    tby_position_start(&start);
    tby_game_id last = 0;
    db_must(db, tby_db_last_id(&last, db));
    for (int i = 0; i < 2; i++) {
        int date = 0;
        explore(&start, false, &moves);
        for (size_t k = 0; k < moves.n_moves; k++)
            date = moves.moves[k].last_date > date ? moves.moves[k].last_date : date;
        assert_int_equal(date == 20240101, i == 0);
        db_delete(db, &last, 1);
    }
    compare_all();
}

TEST(test_db_common__are_optional)
{
    db_must(db, tby_db_index(db, 10, NULL, NULL)); /* runs without whole games have no counts */
    assert_int_equal(n_rows(), 0);
    compare_all();
    assert_true(lite_run((lite *)db, "DROP TABLE common; DELETE FROM counter WHERE name = 'common'"));
    tby_db_close(db);
    db = db_open(path, TBY_DB_WRITE);
    compare_all();
    const tby_game_id id = 5;
    db_delete(db, &id, 1);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_true(n_rows() > 5);
    compare_all();
}

TEST(test_db_common__are_verified)
{
    static const char *const damages[] = {
        "UPDATE common SET counts = x'' WHERE key = (SELECT max(key) FROM common)",
        "UPDATE common SET counts = x'ffffffffff' WHERE key = (SELECT max(key) FROM common)",
        "UPDATE common SET counts = zeroblob(7) WHERE key = (SELECT max(key) FROM common)",
        "UPDATE common SET counts = counts || x'00' WHERE key = (SELECT max(key) FROM common)",
        "UPDATE common SET run = 77 WHERE key = (SELECT max(key) FROM common)",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_true(lite_run((lite *)db, damages[i]));
        assert_true(db_verify(db, NULL, NULL) > 0);
        db_must(db, tby_db_index(db, 10, NULL, NULL));
        assert_true(lite_run((lite *)db, "DELETE FROM common"));
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        assert_int_equal(db_verify(db, NULL, NULL), 0);
    }
}

/* An error, never a wrong answer: wherever the bytes end, and with more moves than are possible. */
TEST(test_db_common__that_are_damaged_are_an_error)
{
    static tby_db_moves moves;
    tby_position start;
    char sql[256];
    int64_t n = 0;
    bool is_verified = false;
    tby_position_start(&start);
    sqlite3_snprintf(sizeof sql, sql, "SELECT length(counts) FROM common WHERE key = %lld",
                     (long long)tby_position_key(&start));
    assert_true(lite_number((lite *)db, sql, &n));
    assert_true(n > 40);
    assert_true(lite_run((lite *)db, "CREATE TEMP TABLE kept AS SELECT * FROM common"));
    for (int64_t i = 0; i < n; i++) {
        sqlite3_snprintf(sizeof sql, sql, "UPDATE common SET counts = substr(counts, 1, %lld)", (long long)i);
        assert_true(lite_run((lite *)db, sql));
        const tby_status status = tby_db_explore(&moves, db, &start, NULL);
        if (status == TBY_OK) { /* cut between two moves: only `verify` notices; it is slow, so it runs once */
            assert_true(is_verified || db_verify(db, NULL, NULL) > 0);
            is_verified = true;
        } else {
            assert_int_equal(status, TBY_INVALID_DATABASE);
            assert_non_null(strstr(tby_db_failure(db)->text, "the counts of positions are damaged"));
        }
        assert_true(lite_run((lite *)db, "DELETE FROM common; INSERT INTO common SELECT * FROM temp.kept"));
    }
    assert_true(lite_run((lite *)db, "UPDATE common SET counts = counts || zeroblob(14 * 257)"));
    assert_int_equal(tby_db_explore(&moves, db, &start, NULL), TBY_INVALID_DATABASE);
    assert_true(lite_run((lite *)db, "UPDATE common SET counts = x'80'"));
    assert_int_equal(tby_db_explore(&moves, db, &start, NULL), TBY_INVALID_DATABASE);
}

int main(void) { return tests_run(set_up, tear_down); }
