/*
 * readings.c - how queries reach a PostgreSQL server: in how many statements, and in which transaction; with a server
 * (cluster.sh).
 */
#include "places.h"

#include "failing_libpq.h"
#include "unit/failing_memory.h"

/* ---- Statements are counted -------------------------------------------------------------------------------------- */

enum { FAR = 1000 };

/* Starts counting the statements to this database. */
static void count_statements(const char *database) { harm_set(HARM_REFUSED, database, FAR); }

static int n_statements(void)
{
    const int n = FAR - (int)harm_left;
    harm_end();
    return n;
}

static void explore_start(tby_db *db)
{
    static tby_db_moves moves;
    tby_position start;
    tby_position_start(&start);
    db_must(db, tby_db_explore(&moves, db, &start, NULL));
    assert_true(moves.n_moves > 0);
}

typedef enum asking { ASK_GAME, ASK_COUNT, ASK_DATES, ASK_FIRST, ASK_MOVES, N_ASKED } asking;

static bool take_any(void *context, const tby_db_hit *hit)
{
    *(tby_game_id *)context = hit->id;
    return true;
}

static void ask(tby_db *db, asking what)
{
    const tby_db_search first = {.limit = 3, .wanted = TBY_WANTED_ROWS};
    tby_game_id id;
    tby_row row;
    db_must(db, tby_db_begin_reading(NULL, db));
    switch (what) {
    case ASK_GAME: assert_int_equal(tby_db_row(&row, db, 999), TBY_NOT_FOUND); break;
    case ASK_COUNT: assert_int_equal(db_count(db, "plies 0.."), GAMES); break;
    case ASK_DATES: db_count(db, "date 2000.."); break;
    case ASK_FIRST: db_must(db, tby_db_find(db, &first, take_any, &id)); break;
    default: explore_start(db);
    }
    tby_db_end_reading(db);
}

TEST(test_readings__a_question_is_one_statement)
{
    tby_db *db = db_open(url_of("counted", "postgres"), TBY_DB_READ);
    for (int what = 0; what < N_ASKED; what++) {
        for (int k = 0; k < 3; k++) /* until frequent statements are prepared */
            ask(db, (asking)what);
        count_statements("counted");
        ask(db, (asking)what);
        const int n = n_statements();
        if (n != 1)
            fail_msg("question %d: %d statements, not 1", what, n);
    }
    tby_db_close(db);
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

/* The next reading showed the old snapshot. */
TEST(test_readings__an_end_that_could_not_be_sent)
{
    int64_t before, after;
    tby_db *db = db_open(url_of("one", "postgres"), TBY_DB_READ);
    db_must(db, tby_db_begin_reading(&before, db));
    assert_int_equal(db_n_games(db), GAMES);
    harm_set(HARM_REFUSED, "one", 0);
    tby_db_end_reading(db);
    assert_true(harm_end());
    sql_run("one", "DELETE FROM tabiya.game WHERE id = (SELECT max(id) FROM tabiya.game)");
    db_must(db, tby_db_begin_reading(&after, db));
    assert_int_equal(db_n_games(db), GAMES - 1);
    assert_true(before != after);
    tby_db_end_reading(db);
    assert_int_equal(db_n_games(db), GAMES - 1);
    tby_db_close(db);
    restore_database("one");
}

static void begin_adding(tby_db *db)
{
    tby_db_added added = {0, 0};
    tby_batch *batch = tby_batch_new();
    for (unsigned i = 1; i <= 20; i++) {
        tby_game *game = db_game(GAMES + i);
        assert_int_equal(tby_batch_add(batch, game), TBY_OK);
        tby_game_free(game);
    }
    db_must(db, tby_db_begin(db));
    db_must(db, tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP));
    assert_int_equal(added.stored, 20);
    tby_batch_free(batch);
}

/* The next transaction stored them. */
TEST(test_readings__games_that_were_taken_back_stay_away)
{
    tby_db *db = db_open(url_of("one", "postgres"), TBY_DB_WRITE);
    begin_adding(db);
    harm_set(HARM_REFUSED, "one", 0);
    tby_db_rollback(db);
    assert_true(harm_end());
    db_must(db, tby_db_begin(db));
    db_must(db, tby_db_commit(db));
    assert_int_equal(db_n_games(db), GAMES);
    tby_db_close(db);
}

/* Exploring started its own transaction, failed, and rolled both back. */
TEST(test_readings__questions_do_not_end_an_import)
{
    static const char *const at[] = {"one", "counted"};
    for (size_t i = 0; i < 2; i++) {
        tby_db *db = db_open(url_of(at[i], "postgres"), TBY_DB_WRITE);
        begin_adding(db);
        explore_start(db);
        db_count(db, "date 2000..");
        assert_int_equal(db_n_games(db), GAMES + 20);
        tby_db_rollback(db);
        assert_int_equal(db_n_games(db), GAMES);
        tby_db_close(db);
    }
}

static int set_up(void **state)
{
    (void)state;
    make_places();
    return 0;
}

int main(int argc, char **argv)
{
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return tests_run(set_up, NULL);
}
