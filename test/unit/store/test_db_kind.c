/*
 * test_db_kind.c - what all kinds of databases have in common: names, unsupported operations, how failures are
 * reported.
 */
#include "db_support.h"

/* ---- A kind that can do little -------------------------------------------------------------------------- */

static bool find_one_row(tby_db *db, tby_game_id id, tby_row *out)
{
    static const char MOVES[] = "not a game";
    *out = (tby_row){.moves = {MOVES, 10}, .elo = {2100, 2200}, .date = 20190531, .result = TBY_DRAW};
    return id == 1 || db_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
}

static db_plan *make_plan(tby_db *db, const tby_db_search *search, const tby_position *pos, query_members *members)
{
    (void)members;
    static db_plan plan;
    plan = (db_plan){.search = search, .pos = pos};
    return tby_db_failure(db)->text[0] ? NULL : &plan;
}

static void free_plan(tby_db *db, db_plan *plan)
{
    (void)db;
    (void)plan;
}

/* Fails without a message. */
static bool count_nothing(tby_db *db, db_plan *plan, int64_t *out)
{
    (void)db;
    (void)plan;
    *out = 0;
    return false;
}

static bool tell_little(tby_db *db, db_plan *plan, buffer *out)
{
    (void)db;
    buffer_string(out, plan->pos ? "by counts\nlooks at every game\n" : "looks at every game\n");
    return true;
}

static const db_access little = {
    .row = find_one_row, .plan = make_plan, .plan_free = free_plan, .count = count_nothing, .describe = tell_little};

TEST(test_db_kind__a_game_that_cannot_be_read_is_reported)
{
    tby_db db = {.kind = &little};
    tby_row row;
    tby_game *game = new_game();
    assert_int_equal(tby_db_row(&row, &db, 1), TBY_OK);
    const tby_db_facts facts = db_facts_of_row(&row);
    assert_int_equal(facts.elo[TBY_BLACK], 2200);
    assert_int_equal(facts.date, 20190531);
    assert_int_equal(facts.result, TBY_DRAW);
    assert_int_equal(tby_db_game(game, &db, 2), TBY_NOT_FOUND);
    assert_int_equal(tby_db_game(game, &db, 1), TBY_INVALID_DATABASE);
    assert_non_null(strstr(tby_db_failure(&db)->text, "game 1 is damaged: "));
    tby_game_free(game);
}

TEST(test_db_kind__a_failure_without_a_message_is_still_a_failure)
{
    tby_db db = {.kind = &little};
    const tby_db_search search = {.limit = 1};
    int64_t n;
    assert_int_equal(tby_db_count(&n, &db, &search), TBY_IO_ERROR);
}

TEST(test_db_kind__an_explanation_that_cannot_be_written_is_a_failure)
{
    tby_db db = {.kind = &little};
    tby_position pos;
    const tby_db_search all = {.query = NULL};
    memory m = {0};
    tby_position_start(&pos);
    assert_int_equal(tby_db_explain(&db, &all, memory_sink, &m), TBY_OK);
    assert_memory_equal(m.data, "looks at every game\n", m.n);
    memory_clear(&m);
    assert_int_equal(tby_db_explain_explore(&db, &pos, NULL, memory_sink, &m), TBY_OK);
    assert_memory_equal(m.data, "by counts\nlooks at every game\n", m.n);
    memory_clear(&m);
    assert_int_equal(tby_db_explain(&db, &all, refusing_sink, NULL), TBY_IO_ERROR);
    assert_string_equal(tby_db_failure(&db)->text, "writing failed");
    assert_int_equal(tby_db_explain_explore(&db, &pos, NULL, memory_sink, &m), TBY_IO_ERROR);
    memory_clear(&m);
}

/* ---- Every kind ----------------------------------------------------------------------------------------- */

TEST(test_db_kind__no_primitive_is_missing)
{
    void (*functions[offsetof(db_access, most_bytes) / sizeof(void (*)(void))])(void);
    tby_db *db = db_fresh("kind");
    memcpy(functions, db->kind, sizeof functions);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        assert_true(functions[i] != NULL || i == offsetof(db_access, reach_many) / sizeof *functions);
    db_finish(db, "kind");
}

/* ---- Names ---------------------------------------------------------------------------------------------- */

static void expect_name(const char *name, const char *shown)
{
    char text[256];
    assert_int_equal(tby_db_name_write(text, sizeof text, name), strlen(shown));
    assert_string_equal(text, shown);
}

/* Is this built with libpq, and can it be loaded? */
static bool has_libpq(void)
{
    char text[64];
    tby_db_name_write(text, sizeof text, "host=a");
    return strcmp(text, "host='a'") == 0;
}

TEST(test_db_kind__names_are_shown_without_passwords)
{
    char text[8];
    expect_name("games.db", "games.db");
    expect_name("a:b@c.db", "a:b@c.db");
    if (!has_libpq()) { /* which knows what is a password: nothing of an address is shown */
        expect_name("postgresql://host/games", "postgresql://***");
        expect_name("postgres://ada:secret@host/games", "postgresql://***");
        expect_name("POSTGRESQL://ada:secret@host/games", "POSTGRESQL:***");
        expect_name("host=a dbname=games password=secret user=ada", "***");
        return;
    }
    expect_name("postgresql://host/games", "postgresql://host/games");
    expect_name("postgres://ada@host/games", "postgres://ada@host/games");
    expect_name("postgres://ada:secret@host/games", "postgres://ada:***@host/games");
    expect_name("postgresql://ada:p@ss:word@host:5432?x=1", "postgresql://ada:***@host:5432?x=1");
    expect_name("postgresql://host/games?password=secret", "postgresql://host/games?password=***");
    expect_name("postgresql://host/games?password=a&x=1&sslpassword=b",
                "postgresql://host/games?password=***&x=1&sslpassword=***");
    /* characters that people forget to encode */
    expect_name("postgresql://ada:p@s/s:wo?rd@host/games", "postgresql://ada:***@host/games");
    expect_name("postgresql://ada:p/ss@host/games?user=a@b", "postgresql://ada:***@host/games?user=a@b");
    expect_name("postgresql://ada:p?ss@host/games", "postgresql://ada:***@host/games");
    expect_name("postgresql://ada:secret", "postgresql://ada:***");
    expect_name("postgresql://ada:se/cret", "postgresql://ada:***");
    expect_name("postgresql://host:5432/games", "postgresql://host:5432/games");
    expect_name("postgresql://[::1]:5432/games", "postgresql://[::1]:5432/games");
    expect_name("postgresql://a:1,b:2/games", "postgresql://a:1,b:2/games");
    /* what only libpq recognises, and what nobody does */
    expect_name("postgresql://host/games?pass%77ord=secret", "postgresql://host/games?pass%77ord=***");
    expect_name("postgresql://host/games?PASSWORD=secret&user=a", "postgresql://host/games?PASSWORD=***&user=a");
    expect_name("postgresql://host/games?ssl%70assword=secret", "postgresql://host/games?ssl%70assword=***");
    expect_name("POSTGRESQL://ada:secret@host/games", "POSTGRESQL:***");
    expect_name("PostGres://ada:secret@host/games", "PostGres:***");
    expect_name("postgresql:/ada:secret@host/games", "postgresql:***");
    expect_name("postgresql:ada:secret@host", "postgresql:***");
    expect_name("postgres:ada:secret@host", "postgres:***");
    expect_name("password = secret nonsense", "***");
    expect_name("HOST=a PassWord=secret", "***");
    expect_name("scram_client_key=secret", "***");
    expect_name("oauth_client_secret=secret", "***");
    expect_name("host=a dbname=games password=secret user=ada", "user='ada' password='***' dbname='games' host='a'");
    expect_name("host=a password = 'se cret'", "password='***' host='a'");
    assert_int_equal(tby_db_name_write(text, sizeof text, "games-of-the-world.db"), 21);
    assert_string_equal(text, "games-o");
    assert_true(tby_db_is_server("postgres://x"));
    assert_true(tby_db_is_server("postgresql://x"));
    assert_false(tby_db_is_server("postgresql"));
    assert_false(tby_db_is_server("postgres: a text"));
    assert_true(tby_db_is_server("host=a dbname=games"));
    assert_false(tby_db_is_server("hosts=a.db"));
    assert_false(tby_db_is_server("white=a"));
}

/* SQLite does not treat these as file names. */
TEST(test_db_kind__names_that_are_not_files_are_refused)
{
    static const char *const names[] = {"", ":memory:", "file:x.db"};
    tby_failure failure;
    tby_db *db;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(tby_db_open(&db, names[i], TBY_DB_CREATE, &failure), TBY_NOT_FOUND);
        assert_null(db);
        assert_true(failure.text[0]);
    }
    assert_int_equal(access("x.db", F_OK), -1);
}

/* ---- Waiting -------------------------------------------------------------------------------------------- */

static bool count_looks(void *context) { return --*(int *)context > 0; }

/* While another connection writes, a search waits until its time is up or it is stopped. */
TEST(test_db_kind__waiting_for_another_writer_ends)
{
    int looks = 1 << 20;
    tby_db *first = db_fresh("waiting"), *second = db_open(db_path("waiting"), TBY_DB_WRITE);
    db_must(first, tby_db_begin(first));
    tby_db_set_patience(second, 25);
    tby_db_set_watch(second, count_looks, &looks);
    assert_int_equal(tby_db_begin(second), TBY_BUSY);
    assert_true(tby_db_failure(second)->text[0]);
    assert_true(looks < 1 << 20); /* it did wait */
    looks = 2;
    tby_db_set_patience(second, 600000);
    assert_int_not_equal(tby_db_begin(second), TBY_OK);
    assert_int_equal(looks, 0);
    tby_db_set_watch(second, NULL, NULL);
    db_must(first, tby_db_commit(first));
    db_must(second, tby_db_begin(second));
    tby_db_rollback(second);
    tby_db_close(second);
    db_finish(first, "waiting");
}

static bool stop(void *context, double fraction)
{
    assert_true(fraction >= 0 && fraction <= 1);
    return --*(int *)context > 0;
}

static bool ignore_hit(void *context, const tby_db_hit *hit)
{
    (void)hit;
    return (*(int *)context)++ >= 0;
}

/* Searches, indexing and checks stop on request, and the next one works as if nothing had happened. */
TEST(test_db_kind__work_stops_on_request)
{
    int left = 1, n_hits = 0;
    int64_t n_faults;
    tby_db *db = db_fresh("watched");
    db_add_range(db, 1, 50);
    tby_query *query = db_query("check or Pa3");
    tby_db_search search = {.query = query, .n_threads = 1, .progress = stop, .progress_context = &left};
    assert_int_equal(tby_db_find(db, &search, ignore_hit, &n_hits), TBY_INTERRUPTED);
    left = 100;
    db_must(db, tby_db_find(db, &search, ignore_hit, &n_hits));
    search.progress = NULL;
    left = 1;
    tby_db_set_watch(db, count_looks, &left);
    assert_int_equal(tby_db_find(db, &search, ignore_hit, &n_hits), TBY_INTERRUPTED);
    assert_string_equal(tby_db_failure(db)->text, "interrupted");
    tby_db_set_watch(db, NULL, NULL);
    db_must(db,
            tby_db_begin(db)); /* other connections would not see uncommitted games, so this one does all the work */
    search.n_threads = 4;
    db_must(db, tby_db_find(db, &search, ignore_hit, &n_hits));
    assert_int_equal(db_n_games(db), 50);
    tby_db_rollback(db);
    tby_query_free(query);
    db_must(db, tby_db_want_index(db, NULL));
    left = 1;
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, stop, &left));
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    for (int i = 1; i < 60; i += 7) {
        left = i;
        db_must(db, tby_db_verify(&n_faults, db, NULL, stop, &left));
        assert_int_equal(n_faults, 0);
    }
    db_finish(db, "watched");
}

static bool visit_some(void *context, const tby_db_reaching *game)
{
    assert_true(game->id > 0);
    return --*(int *)context > 0;
}

TEST(test_db_kind__games_that_reach_a_position_are_reported_until_enough)
{
    int left = 3;
    tby_position start;
    tby_db *db = db_fresh("passing");
    db_add_range(db, 1, 20);
    tby_position_start(&start);
    assert_int_equal(tby_db_explore_games(db, &start, NULL, visit_some, &left), TBY_INTERRUPTED);
    left = 100;
    db_must(db, tby_db_explore_games(db, &start, NULL, visit_some, &left));
    assert_int_equal(left, 80);
    db_finish(db, "passing");
}

/* A single snapshot of the database, whatever other connections do; the version shows whether they changed it. */
TEST(test_db_kind__one_snapshot_is_read)
{
    int64_t before = 0, after = 0;
    tby_db *writer = db_fresh("picture");
    db_add_range(writer, 1, 5);
    tby_db_close(writer);
    writer = db_open(db_path("picture"), TBY_DB_WRITE); /* while a file is new, readers block writers */
    tby_db *reader = db_open(db_path("picture"), TBY_DB_READ);
    db_must(reader, tby_db_begin_reading(&before, reader));
    assert_int_equal(db_n_games(reader), 5);
    db_add_range(writer, 6, 9);
    assert_int_equal(db_n_games(reader), 5);
    tby_db_end_reading(reader);
    db_must(reader, tby_db_begin_reading(&after, reader));
    assert_int_equal(db_n_games(reader), 9);
    tby_db_end_reading(reader);
    tby_db_end_reading(reader); /* an extra call does no harm */
    assert_true(before != after);
    tby_db_close(reader);
    db_finish(writer, "picture");
}

int main(void) { return tests_run(NULL, NULL); }
