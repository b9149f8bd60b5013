/*
 * test_db_verify.c - the check of a database compares each stored number and text with the games, or with what else they
 * must agree with.
 */
#include "db_support.h"

enum { GAMES = 300 };

static tby_db *db;
static char path[256];
static char found[1 << 18]; /* what was reported, a line each */

static int set_up(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s", db_path("verify"));
    db_remove(path);
    db = db_open(path, TBY_DB_CREATE);
    db_must(db, tby_db_want_index(db, NULL));
    db_add_range(db, 1, GAMES);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    int64_t n;
    db_must(db, tby_db_collect(&n, db, "mine", (const tby_game_id[]){3, 5}, 2));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tby_db_close(db);
    db_remove(path);
    return 0;
}

/* For tests that leave damage. */
static void renew(void)
{
    tear_down(NULL);
    set_up(NULL);
}

static void do_sql(const char *sql)
{
    if (sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db_sql(db)));
}

static void keep(void *context, tby_game_id id, const char *text)
{
    const size_t n = strlen(found);
    (void)context;
    snprintf(found + n, sizeof found - n, "%lld %s\n", (long long)id, text);
}

static int64_t verify(void)
{
    int64_t n = 0;
    *found = '\0';
    db_must(db, tby_db_verify(&n, db, keep, NULL, NULL));
    return n;
}

/* The change is reported as a fault with this text. */
static void expect_fault(const char *change, const char *text)
{
    do_sql("BEGIN");
    do_sql(change);
    const int64_t n = verify();
    do_sql("ROLLBACK");
    if (n == 0 || !strstr(found, text))
        fail_msg("%s: %s", change, *found ? found : "not found");
}

typedef struct change {
    const char *sql, *text;
} change;

static void expect_all(const change *changes, size_t n)
{
    assert_int_equal(verify(), 0);
    assert_string_equal(found, "");
    for (size_t i = 0; i < n; i++)
        expect_fault(changes[i].sql, changes[i].text);
}

#define EXPECT_ALL(changes) expect_all(changes, sizeof(changes) / sizeof *(changes))

/* ---- Counters ------------------------------------------------------------------------------------------- */

TEST(test_db_verify__each_counter_is_compared)
{
    static const change changes[] = {
        {"UPDATE counter SET value = -1 WHERE name = 'player_words'", "counter player_words is wrong"},
        {"UPDATE counter SET value = -1 WHERE name = 'site_words'", "counter site_words is wrong"},
        {"UPDATE counter SET value = 1 WHERE name = 'player_words'", "index of words is damaged"},
        {"UPDATE counter SET value = -1 WHERE name = 'hashes'", "counter hashes is wrong"},
        {"UPDATE counter SET value = -1 WHERE name = 'stood'", "counter stood is wrong"},
        {"UPDATE counter SET value = -1 WHERE name = 'eco'", "counter eco is wrong"},
        {"UPDATE counter SET value = -1 WHERE name = 'opening_texts'", "counter opening_texts is missing or wrong"},
        {"UPDATE counter SET value = 'x' WHERE name = 'common'", "counter has values of the wrong kind"},
        {"UPDATE counter SET value = 300.5 WHERE name = 'stood'", "counter has values of the wrong kind"},
        {"UPDATE counter SET name = 'deletions' WHERE name = 'events'", "unknown counter: deletions"},
        {"INSERT INTO counter VALUES('', 0)", "unknown counter"},
    };
    EXPECT_ALL(changes);
}

TEST(test_db_verify__a_table_needs_its_counter)
{
    static const char *const names[] = {"common", "hashes", "eco",    "opening",  "opening_texts", "material",
                                        "pawns",  "stood",  "events", "last_run", "player_words"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char sql[100], text[100];
        snprintf(sql, sizeof sql, "DELETE FROM counter WHERE name = '%s'", names[i]);
        snprintf(text, sizeof text, "the counter %s is missing", names[i]);
        expect_fault(sql, text);
    }
}

/* Such an index is not used, and the next import makes it again; but its rows must be those of some version. */
TEST(test_db_verify__names_of_openings_of_another_version_are_mentioned)
{
    static const char other[] = "BEGIN; UPDATE counter SET value = value / 2 WHERE name = 'opening_texts'";
    do_sql(other);
    assert_int_equal(verify(), 0);
    assert_non_null(strstr(found, "warning: the names in the index of openings are those of another version"));
    do_sql("ROLLBACK");
    expect_fault("UPDATE counter SET value = value / 2 WHERE name = 'opening_texts';"
                 "DELETE FROM opening WHERE id = (SELECT max(id) FROM opening)",
                 "index of opening does not match");
}

/* ---- Values --------------------------------------------------------------------------------------------- */

/* SQLite stores any value in any column, but SQL does not find it then. */
TEST(test_db_verify__each_value_is_of_its_kind)
{
    static const change changes[] = {
        {"UPDATE game SET result = CAST(result AS BLOB) WHERE id = 7", "7 its columns do not match"},
        {"UPDATE game SET hash = CAST(hash AS TEXT) || 'x' WHERE id = 7", "7 its columns do not match"},
        {"UPDATE game SET plies = plies + 0.5 WHERE id = 7", "7 its columns do not match"},
        {"UPDATE player SET name = CAST(name AS BLOB) WHERE id = 1", "player has values of the wrong kind"},
        {"UPDATE shape SET names = CAST(names AS BLOB) WHERE id = 1", "shape has values of the wrong kind"},
        {"UPDATE run SET first = 1.5", "run has values of the wrong kind"},
        {"UPDATE collection SET name = CAST(name AS BLOB)", "collection has values of the wrong kind"},
    };
    EXPECT_ALL(changes);
}

TEST(test_db_verify__names_belong_to_games)
{
    static const change changes[] = {
        {"INSERT INTO player VALUES(1000, 'Nobody')", "player has names without a game: 1"},
        {"INSERT INTO event VALUES(-1, 'Nowhere')", "event has names without a game: 1"},
        {"INSERT INTO shape VALUES(1 << 40, 'White')", "shape has names without a game: 1"},
        {"INSERT INTO collection VALUES(9, 'empty')", "without a valid name, or without games"},
        {"UPDATE collection SET name = ''", "without a valid name, or without games"},
        {"UPDATE collection SET name = ' mine'", "without a valid name, or without games"},
    };
    EXPECT_ALL(changes);
}

/* ---- Indexes -------------------------------------------------------------------------------------------- */

TEST(test_db_verify__lists_have_no_rows_beyond_their_games)
{
    static const change changes[] = {
        {"INSERT INTO eco VALUES(-1, x'01')", "index of eco is damaged"},
        {"INSERT INTO eco VALUES(2 << 32, x'01')", "index of eco is damaged"},
        {"INSERT INTO material VALUES(1 << 45, x'01')", "index of material is damaged"},
        {"INSERT INTO pawns VALUES(-1 << 60, x'01')", "index of pawns is damaged"},
        {"INSERT INTO opening VALUES(1 << 40, x'01')", "index of opening is damaged"},
        {"INSERT INTO word VALUES(2 << 32, x'01')", "index of words is damaged"},
        {"INSERT INTO stood VALUES(-1, zeroblob(8))", "the table stood has records"},
    };
    EXPECT_ALL(changes);
}

TEST(test_db_verify__runs_are_of_games)
{
    static const change changes[] = {
        {"UPDATE run SET last = last + 1", "impossible range"},
        {"UPDATE run SET plies = plies + (1 << 40)", "impossible range"},
        {"UPDATE run SET row_bits = row_bits + (1 << 40)", "impossible range"},
    };
    EXPECT_ALL(changes);
}

/* A key that is no number was found again and again. */
TEST(test_db_verify__counts_of_positions_are_all_there)
{
    static const change changes[] = {
        {"DELETE FROM common WHERE key = (SELECT min(key) FROM common)", "counts of positions do not match"},
        {"DELETE FROM common WHERE key = (SELECT max(key) FROM common)", "counts of positions do not match"},
        {"UPDATE common SET counts = counts || x'00' WHERE key = (SELECT max(key) FROM common)",
         "counts of positions do not match"},
        {"INSERT INTO common SELECT run, key + 1, counts FROM common LIMIT 1", "counts of positions do not match"},
        {"UPDATE common SET key = 'x' WHERE key = (SELECT max(key) FROM common)", "counts of positions do not match"},
        {"UPDATE common SET run = 1.5 WHERE key = (SELECT max(key) FROM common)",
         "common has values of the wrong kind"},
    };
    EXPECT_ALL(changes);
}

TEST(test_db_verify__a_damaged_key_of_counts_does_not_stop_a_deletion)
{
    renew();
    do_sql("UPDATE common SET key = 'x' WHERE key = (SELECT max(key) FROM common)");
    const tby_game_id id = 17;
    db_delete(db, &id, 1);
    assert_true(verify() > 0);
}

/* The check ended at the first game whose moves could not be read. */
TEST(test_db_verify__goes_on_after_a_damaged_game)
{
    renew();
    do_sql("UPDATE game SET moves = x'' WHERE id = 1; UPDATE game SET round = 'x' WHERE id = 9");
    do_sql("UPDATE eco SET games = x'00' WHERE id = (SELECT max(id) FROM eco)");
    assert_true(verify() > 2);
    assert_non_null(strstr(found, "9 its columns do not match"));
    assert_non_null(strstr(found, "the index of eco is damaged"));
}

/* As another program may change the file. */
static void do_plainly(const char *sql)
{
    sqlite3 *plain;
    tby_db_close(db);
    assert_int_equal(sqlite3_open(path, &plain), SQLITE_OK);
    if (sqlite3_exec(plain, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(plain));
    sqlite3_close(plain);
}

/* SQLite's own indexes are compared by sums over their entries. */
TEST(test_db_verify__indexes_of_sqlite_match_the_games)
{
    static const char *const indexes[] = {"game_white", "game_black", "game_event", "game_site", "game_moves"};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        char sql[400];
        renew();
        /* The index leaves out a game, as if it had been changed without its index. */
        snprintf(sql, sizeof sql,
                 "PRAGMA writable_schema = ON; DROP INDEX %s; CREATE INDEX %s ON game(%s) WHERE id <> 17;"
                 "UPDATE sqlite_schema SET sql = 'CREATE INDEX %s ON game(%s)' WHERE name = '%s'",
                 indexes[i], indexes[i], indexes[i] + 5, indexes[i], indexes[i] + 5, indexes[i]);
        do_plainly(sql);
        db = db_open(path, TBY_DB_READ);
        assert_true(verify() > 0);
        snprintf(sql, sizeof sql, "the index %s does not match the games", indexes[i]);
        assert_non_null(strstr(found, sql));
    }
}

/* Several threads report the faults of many games in order. */
TEST(test_db_verify__faults_come_in_the_order_of_games)
{
    int64_t before = 0;
    renew();
    db_add_range(db, GAMES + 1, 9000);
    db_must(db, tby_db_index(db, TBY_INDEX_NONE, NULL, NULL));
    do_sql("UPDATE game SET round = 'x' WHERE id % 7 = 0");
    tby_db_limit_threads(db, 4);
    assert_int_equal(verify(), 9000 / 7);
    for (const char *at = found; *at; at = strchr(at, '\n') + 1) {
        const int64_t id = strtoll(at, NULL, 10);
        if (!strchr(at, '\n'))
            break;
        assert_true(id > before);
        before = id;
    }
}

int main(void) { return tests_run(set_up, tear_down); }
