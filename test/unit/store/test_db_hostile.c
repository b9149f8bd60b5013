/*
 * test_db_hostile.c - files that are damaged or malicious: every operation on them ends soon and cleanly.
 */
#include "db_support.h"

#include <sqlite3.h>
#include <sys/wait.h>

static bool take_hit(void *context, const tby_db_hit *hit)
{
    (void)context;
    (void)hit;
    return true;
}

static void ignore_fault(void *context, tby_game_id id, const char *text)
{
    (void)context;
    (void)id;
    assert_non_null(text);
}

static void expect_told(const tby_db *db, tby_status status)
{
    assert_true(status == TBY_OK || tby_db_failure(db)->text[0]);
}

/* The library asks its watch every thousand steps of SQLite, and in its own loops: a count of its work that does not depend on
   the machine. Intact files need about ten times. */
enum { ASKED_MOST = 1000 };
static int n_asked;
static bool count_asked(void *context)
{
    (void)context;
    return ++n_asked <= ASKED_MOST;
}

/* Everything that can be done with a database, whatever the outcome; every failure has a message. */
static void use_all(const char *path, tby_db_mode mode)
{
    static tby_db_moves moves;
    tby_failure failure;
    tby_db *db;
    if (tby_db_open(&db, path, mode, &failure) != TBY_OK) {
        assert_true(failure.text[0]);
        return;
    }
    tby_db_set_watch(db, count_asked, NULL);
    tby_game *game = new_game();
    tby_position pos;
    tby_row row;
    tby_db_summary summary;
    int64_t n;
    tby_query *start = db_query("initial fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\""),
              *there = db_query("fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\""),
              *tags = db_query("player a or eco A00..E99 or date ..2019 or tag Round 3 or speed blitz or title GM");
    tby_order order;
    tby_db_facts facts;
    tby_text fault;
    assert_true(tby_order_read(&order, "-elo,date", &fault));
    const tby_db_search searches[] = {{.query = start},
                                      {.query = there},
                                      {.query = there, .ignores_index = true},
                                      {.query = tags},
                                      {.query = NULL},
                                      {.where = "plies > 3"},
                                      {.where = "plies > 3", .order = &order, .limit = 2}};
    tby_position_start(&pos);
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        expect_told(db, tby_db_find(db, &searches[i], take_hit, NULL));
        expect_told(db, tby_db_count(&n, db, &searches[i]));
        expect_told(db, tby_db_explore(&moves, db, &pos, &searches[i]));
    }
    tby_query_free(start);
    tby_query_free(there);
    tby_query_free(tags);
    expect_told(db, tby_db_explore(&moves, db, &pos, NULL));
    expect_told(db, tby_db_summarize(&summary, db));
    expect_told(db, tby_db_verify(&n, db, ignore_fault, NULL, NULL));
    for (tby_game_id id = -1; id < 12; id++) {
        expect_told(db, tby_db_game(game, db, id));
        expect_told(db, tby_db_row(&row, db, id));
    }
    for (tby_game_id id = -9000; id < 9000; id += 1000)
        expect_told(db, tby_db_facts_of(&facts, db, id));
    if (mode != TBY_DB_READ) {
        const tby_game_id ids[] = {-5, 0, 3, 4, INT64_MAX};
        tby_batch *batch = tby_batch_new();
        tby_db_added added = {0, 0};
        tby_game *more = db_game(77);
        assert_int_equal(tby_batch_add(batch, more), TBY_OK);
        if (tby_db_begin(db) == TBY_OK &&
            (tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP) != TBY_OK || tby_db_commit(db) != TBY_OK)) {
            assert_true(tby_db_failure(db)->text[0]);
            tby_db_rollback(db);
        }
        expect_told(db, tby_db_delete(&n, db, ids, sizeof ids / sizeof *ids));
        expect_told(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        tby_game_free(more);
        tby_batch_free(batch);
    }
    tby_game_free(game);
    tby_db_close(db);
}

static void make(const char *path)
{
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 10);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    tby_db_close(db);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *other;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    if (sqlite3_exec(other, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(other));
    sqlite3_close(other);
}

/* Impossible numbers that once made the program access memory out of bounds or run forever. */
TEST(test_db_hostile__numbers_in_tables_are_checked)
{
    static const char *const changes[] = {
        "UPDATE counter SET value = -2 WHERE name = 'last_game'",
        "UPDATE counter SET value = 1 << 62 WHERE name = 'last_game'",
        "UPDATE counter SET value = 3 WHERE name = 'last_game'",
        "UPDATE counter SET value = -9223372036854775808",
        "UPDATE counter SET value = 9223372036854775807",
        "UPDATE counter SET value = 'x'",
        "DELETE FROM counter",
        "DELETE FROM counter WHERE name = 'deleted'",
        "UPDATE run SET first = 0",
        "UPDATE run SET first = -5",
        "UPDATE run SET first = 1 << 62",
        "UPDATE run SET last = 1 << 62",
        "UPDATE run SET last = 0",
        "UPDATE run SET first = -9223372036854775808, last = 9223372036854775807",
        "UPDATE run SET plies = -1",
        "UPDATE run SET row_bits = -1",
        "UPDATE run SET row_bits = 22",
        "UPDATE run SET row_bits = 23",
        "UPDATE run SET row_bits = 1 << 40",
        "UPDATE run SET id = 1 << 60",
        "UPDATE run SET id = -1",
        "INSERT INTO run VALUES(2, 1, 10, 10000, 3)",
        "UPDATE counter SET value = 1 << 62 WHERE name = 'last_run'; DELETE FROM run",
        "UPDATE game SET id = 1 << 40 WHERE id = 10",
        "UPDATE game SET id = 4294967295 WHERE id = 10",
        "UPDATE game SET id = -3 WHERE id = 10",
        "UPDATE game SET id = -5000 WHERE id = 10",
        "UPDATE game SET id = 0 WHERE id = 10",
        "UPDATE game SET date = -1, white_elo = -1, black_elo = 1 << 40, plies = -7, result = 'x'",
        "UPDATE game SET date = 9223372036854775807, plies = 1 << 40, hash = 'x'",
        "UPDATE game SET moves = x'', annotated = x''",
        "UPDATE game SET moves = 17, tags = 18, round = 19, eco = 20",
        "UPDATE game SET moves = zeroblob(100000)",
        "UPDATE game SET shape = 99, white = 99, event = 99",
        "UPDATE player SET id = 9223372036854775807 WHERE id = 1",
        "UPDATE player SET id = -9223372036854775808 WHERE id = 1",
        "UPDATE sketch SET records = x''",
        "UPDATE sketch SET records = zeroblob(10000000)",
        "UPDATE sketch SET records = x'0102'",
        "UPDATE fact SET records = x''",
        "UPDATE fact SET records = zeroblob(10000000)",
        "UPDATE sketch SET block = 1 << 50",
        "UPDATE fact SET block = -9223372036854775808",
        "UPDATE position SET entries = x''",
        "UPDATE position SET entries = x'ffffffffffffffffffff'",
        "UPDATE position SET entries = substr(entries, 1, 6) || x'ffffffff0f' || substr(entries, 8)",
        "UPDATE position SET entries = substr(entries, 1, 7) || x'ffffff7f' || substr(entries, 9)",
        "UPDATE position SET entries = substr(entries, 1, 8) || x'ffffff7f' || substr(entries, 10)",
        "UPDATE shape SET names = id",
        "UPDATE game SET tags = '{\"a\":'",
    };
    const char *path = db_path("hostile");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        n_asked = 0;
        make(path);
        run_sql(path, changes[i]);
        use_all(path, TBY_DB_READ);
        use_all(path, TBY_DB_WRITE);
        if (n_asked > ASKED_MOST)
            fail_msg("%s: takes too long", changes[i]);
    }
    db_remove(path);
}

/* Searches started counting from these numbers, and never ended. */
TEST(test_db_hostile__counters_of_indexes_are_checked)
{
    static const char *const names[] = {"eco", "material", "pawns", "stood"};
    static const char *const asked[] = {"eco A00..B99 or eco C01", "KRvKR", "iqp", "Ra4"};
    const char *path = db_path("counters");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_must(db, tby_db_want_index(db, NULL));
    db_add_range(db, 1, 10);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int k = 0; k < 2; k++) {
            char sql[128];
            snprintf(sql, sizeof sql, "UPDATE counter SET value = %s WHERE name = '%s'",
                     k ? "-7" : "9223372036854775807", names[i]);
            assert_int_equal(sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL), SQLITE_OK);
            assert_int_equal(db_count(db, asked[i]), -1);
            assert_non_null(strstr(tby_db_failure(db)->text, names[i]));
            assert_true(db_verify(db, NULL, NULL) >= 1); /* the counter, and what it makes of the index */
            snprintf(sql, sizeof sql, "UPDATE counter SET value = 10 WHERE name = '%s'", names[i]);
            assert_int_equal(sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL), SQLITE_OK);
            assert_true(db_count(db, asked[i]) >= 0);
            assert_int_equal(db_verify(db, NULL, NULL), 0);
        }
    tby_db_close(db);
    db_remove(path);
}

/* A trigger that never ended blocked import, which then ignored signals; a deleting trigger made `delete` remove all
   games; and a view in place of ours hid games from conditions. */
TEST(test_db_hostile__a_foreign_schema_is_refused)
{
    static const char *const changes[] = {
        ("CREATE TRIGGER z AFTER INSERT ON game BEGIN INSERT INTO fact SELECT x, 'x' FROM"
         " (WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x FROM t) SELECT x FROM t); END"),
        "CREATE TRIGGER z AFTER DELETE ON game BEGIN DELETE FROM game; END",
        "DROP VIEW games; CREATE VIEW games AS SELECT * FROM game WHERE id > 5",
        "CREATE VIEW z AS SELECT 1",
        "CREATE TABLE z(x)",
        "CREATE INDEX z ON game(abs(hash))",
        "CREATE UNIQUE INDEX z ON game(hash)",
        "DROP TABLE hash; CREATE TABLE hash(hash INTEGER, game INTEGER)",
        "DROP TABLE hash; CREATE VIEW hash AS SELECT 1 AS hash, 1 AS game",
        "ALTER TABLE game ADD COLUMN z",
        "ALTER TABLE game ADD COLUMN z INTEGER GENERATED ALWAYS AS (abs(id))",
        "ALTER TABLE player RENAME COLUMN name TO title",
        "DROP INDEX game_white; CREATE INDEX game_white ON game(black)",
        "DROP INDEX game_white; CREATE INDEX game_white ON game(white) WHERE id < 3",
        "CREATE VIRTUAL TABLE z USING fts5(x)",
        "ALTER TABLE run DROP COLUMN row_bits",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('trigger', 'z', 'game', 0, NULL)",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('table', 'sqlite_stat1', 'sqlite_stat1', 2,"
        " 'CREATE TABLE sqlite_stat1(tbl, idx, stat AS (abs(tbl)))')",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('table', 'sqlite_stat1', 'sqlite_stat1', 2,"
        " 'CREATE TRIGGER z AFTER INSERT ON game BEGIN DELETE FROM game; END')",
    };
    static const tby_db_mode modes[] = {TBY_DB_READ, TBY_DB_WRITE, TBY_DB_CREATE};
    const char *path = db_path("schema");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make(path);
        run_sql(path, changes[i]);
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
            tby_failure failure;
            tby_db *db;
            if (tby_db_open(&db, path, modes[k], &failure) != TBY_INVALID_DATABASE || !strstr(failure.text, "schema"))
                fail_msg("%s: not refused, or without a word: %s", changes[i], failure.text);
        }
    }
    db_remove(path);
}

/* A file of an earlier version may lack columns and has another view; anything foreign is still refused. */
TEST(test_db_hostile__a_foreign_schema_of_an_earlier_version_is_refused)
{
    static const char former[] = "DROP VIEW games; ALTER TABLE game DROP COLUMN speed; ALTER TABLE run DROP COLUMN "
                                 "row_bits; CREATE VIEW games AS SELECT id FROM game; PRAGMA user_version = 2;";
    const char *path = db_path("former-schema");
    for (int i = 0; i < 2; i++) {
        tby_failure failure;
        tby_db *db = NULL;
        make(path);
        run_sql(path, former);
        if (i)
            run_sql(path, "CREATE TRIGGER z AFTER UPDATE ON game BEGIN DELETE FROM game; END");
        assert_int_equal(tby_db_open(&db, path, TBY_DB_WRITE, &failure), i ? TBY_INVALID_DATABASE : TBY_OK);
        if (i)
            assert_non_null(strstr(failure.text, "\"z\" is unexpected"));
        else
            assert_int_equal(db_verify(db, NULL, NULL), 0);
        tby_db_close(db);
    }
    db_remove(path);
}

/* SQLite parses the whole schema before its first statement: 12 seconds for the first of these. What makes them too large is
   a number of steps and of bytes. */
TEST(test_db_hostile__a_huge_schema_is_refused_soon)
{
    static const char *const changes[] = {
        "PRAGMA writable_schema = ON; WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT"
        " INTO sqlite_schema SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || '(x)' FROM n",
        "PRAGMA writable_schema = ON; WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT"
        " INTO sqlite_schema SELECT 'view', 't' || i, 't' || i, 0, 'CREATE VIEW t' || i || ' AS SELECT 1' FROM n",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT 'view', 't', 't', 0, 'CREATE VIEW t AS SELECT 1'"
        " || replace(hex(zeroblob(5000000)), '00', ',1+1')",
        "ANALYZE; WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) INSERT"
        " INTO sqlite_stat1 SELECT 'game', 'x' || i, '10 1' FROM n",
    };
    const char *path = db_path("huge");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int mode = TBY_DB_READ; mode <= TBY_DB_CREATE; mode++) {
            tby_failure failure;
            tby_db *db;
            if (mode == TBY_DB_READ) {
                make(path);
                run_sql(path, changes[i]);
            }
            assert_int_equal(tby_db_open(&db, path, (tby_db_mode)mode, &failure), TBY_INVALID_DATABASE);
            assert_non_null(strstr(failure.text, "too large"));
        }
    db_remove(path);
}

/* The tables of ANALYZE are SQLite's own, and harmless. */
TEST(test_db_hostile__the_statistics_of_sqlite_are_accepted)
{
    const char *path = db_path("analyzed");
    make(path);
    run_sql(path, "ANALYZE");
    tby_db *db = db_open(path, TBY_DB_WRITE);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
    db_remove(path);
}

/* Random bytes of the file are changed. */
TEST(test_db_hostile__bytes_of_the_file_may_be_anything)
{
    const char *path = db_path("bytes");
#ifdef TBY_TEST_QUICK
    enum { ROUNDS = 40 };
#else
    enum { ROUNDS = 150 };
#endif
    uint64_t random = 5;
    static char bytes[1 << 20];
    make(path);
    FILE *file = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (int i = 0; i < ROUNDS; i++) {
        file = fopen(path, "wb");
        fwrite(bytes, 1, n, file);
        for (int k = 0; k < 20; k++) {
            fseek(file, (long)random_below(&random, (unsigned)(n - 100)) + 100, SEEK_SET);
            fputc((int)random_below(&random, 256), file);
        }
        fclose(file);
        use_all(path, i % 2 ? TBY_DB_READ : TBY_DB_WRITE);
    }
    db_remove(path);
}

/* The file was mapped into memory: reading the missing part killed the program with SIGBUS. */
TEST(test_db_hostile__a_file_truncated_under_a_reader_is_an_error)
{
    const char *path = db_path("cut");
    make(path);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tby_db *db = db_open(path, TBY_DB_READ);
        if (db_n_games(db) != 10 || truncate(path, 9000) != 0)
            _exit(1);
        _exit(db_count(db, "plies 3..") == -1 && tby_db_failure(db)->text[0] ? 0 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    db_remove(path);
}

int main(void) { return tests_run(NULL, NULL); }
