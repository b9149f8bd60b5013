/*
 * readings.c - how queries reach PostgreSQL servers: in how many statements, on which shards, and in which transaction;
 * with a server (cluster.sh).
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

static void test_readings__a_question_is_one_statement(void **state)
{
    static const struct {
        const char *database, *counted;
    } at[] = {{"counted", "counted"}, {"hub", "second"}};
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        tby_db *db = db_open(url_of(at[i].database, "postgres"), TBY_DB_READ);
        for (int what = 0; what < N_ASKED; what++) {
            if (what == ASK_MOVES && strcmp(at[i].database, "hub") == 0) /* its shards do not all have counts */
                continue;
            for (int k = 0; k < 3; k++) /* until frequent statements are prepared */
                ask(db, (asking)what);
            count_statements(at[i].counted);
            ask(db, (asking)what);
            const int n = n_statements();
            if (n != 1)
                fail_msg("%s, question %d: %d statements, not 1", at[i].counted, what, n);
        }
        tby_db_close(db);
    }
}

/* ---- Where a game is --------------------------------------------------------------------------------------------- */

/* A game of that shard, which the program has already read there. */
static tby_game_id see_game(tby_db *db, const char *shard)
{
    const tby_game_id id = sql_run(shard, "SELECT min(id) FROM tabiya.game");
    tby_row row;
    db_must(db, tby_db_row(&row, db, id));
    return id;
}

static void test_readings__a_game_that_was_seen_is_asked_of_its_shard(void **state)
{
    tby_db *db = db_open(url_of("hub", "postgres"), TBY_DB_READ);
    const tby_db_search all = {.wanted = TBY_WANTED_IDS};
    tby_game_id last;
    tby_row row;
    (void)state;
    db_must(db, tby_db_find(db, &all, take_any, &last));
    const tby_game_id first = sql_run("first", "SELECT max(id) FROM tabiya.game");
    count_statements("second");
    db_must(db, tby_db_row(&row, db, first));
    assert_int_equal(n_statements(), 0);
    count_statements("first");
    db_must(db, tby_db_row(&row, db, see_game(db, "second")));
    assert_true(n_statements() <= 1);
    tby_db_close(db);
}

/* The answer of a shard that does not have the game is irrelevant; the one that has it must answer. */
static void test_readings__a_lost_shard_that_had_a_game(void **state)
{
    tby_db *db = db_open(url_of("hub", "postgres"), TBY_DB_READ);
    const tby_game_id first = see_game(db, "first"), second = see_game(db, "second");
    tby_row row;
    (void)state;
    harm_set(HARM_LOST, "first", 0);
    db_must(db, tby_db_row(&row, db, second));
    assert_false(harm_end());
    harm_set(HARM_LOST, "first", 0);
    assert_int_equal(tby_db_row(&row, db, first), TBY_IO_ERROR);
    assert_true(harm_end());
    db_must(db, tby_db_row(&row, db, first));
    assert_int_equal(tby_db_row(&row, db, 999), TBY_NOT_FOUND);
    tby_db_close(db);
}

/* ---- Transactions ------------------------------------------------------------------------------------------------ */

/* The next reading showed the old snapshot. */
static void test_readings__an_end_that_could_not_be_sent(void **state)
{
    static const char *const at[][2] = {{"one", "one"}, {"hub", "first"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        tby_db *db = db_open(url_of(at[i][0], "postgres"), TBY_DB_READ);
        int64_t before, after;
        db_must(db, tby_db_begin_reading(&before, db));
        assert_int_equal(db_n_games(db), GAMES);
        harm_set(HARM_REFUSED, at[i][1], 0);
        tby_db_end_reading(db);
        assert_true(harm_end());
        sql_run(at[i][1], "DELETE FROM tabiya.game WHERE id = (SELECT max(id) FROM tabiya.game)");
        db_must(db, tby_db_begin_reading(&after, db));
        assert_int_equal(db_n_games(db), GAMES - 1);
        assert_true(before != after);
        tby_db_end_reading(db);
        assert_int_equal(db_n_games(db), GAMES - 1);
        tby_db_close(db);
        restore_database(at[i][1]);
    }
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
static void test_readings__games_that_were_taken_back_stay_away(void **state)
{
    tby_db *db = db_open(url_of("one", "postgres"), TBY_DB_WRITE);
    (void)state;
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
static void test_readings__questions_do_not_end_an_import(void **state)
{
    static const char *const at[] = {"one", "counted", "hub"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
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

/* The program opened a new connection to the shard, outside the transaction; the games added before were lost
   silently. */
static void test_readings__a_count_in_an_import_whose_shard_is_lost(void **state)
{
    tby_db *db = db_open(url_of("hub", "postgres"), TBY_DB_WRITE);
    int64_t n;
    (void)state;
    begin_adding(db);
    harm_set(HARM_LOST, "second", 0);
    assert_int_equal(tby_db_n_games(&n, db), TBY_IO_ERROR);
    assert_true(harm_end());
    assert_int_equal(tby_db_n_games(&n, db), TBY_IO_ERROR);
    assert_int_equal(tby_db_commit(db), TBY_IO_ERROR);
    assert_non_null(strstr(tby_db_failure(db)->text, "shard 2: "));
    tby_db_rollback(db);
    restore(&places[2]); /* the other shard has stored its part */
    begin_adding(db);
    db_must(db, tby_db_commit(db));
    assert_int_equal(db_n_games(db), GAMES + 20);
    tby_db_close(db);
    restore(&places[2]);
}

static int set_up(void **state)
{
    (void)state;
    make_places();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings__a_question_is_one_statement),
        cmocka_unit_test(test_readings__a_game_that_was_seen_is_asked_of_its_shard),
        cmocka_unit_test(test_readings__a_lost_shard_that_had_a_game),
        cmocka_unit_test(test_readings__an_end_that_could_not_be_sent),
        cmocka_unit_test(test_readings__games_that_were_taken_back_stay_away),
        cmocka_unit_test(test_readings__questions_do_not_end_an_import),
        cmocka_unit_test(test_readings__a_count_in_an_import_whose_shard_is_lost),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, set_up, NULL);
}
