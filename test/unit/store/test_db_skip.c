/*
 * test_db_skip.c - the indexes of what occurred in games: they change no answer, stay up to date, and are verified.
 */
#include "db_support.h"

enum { GAMES = 5000, QUERIES = 150 };

static struct {
    tby_db *db;
    char path[256];
} opened;

/* A long game of random moves, with promotions, castling, en passant and mates. */
static tby_game *long_game(unsigned number)
{
    tby_game *game = new_game();
    uint64_t random = 31 + number * 7919ULL;
    char round[16];
    snprintf(round, sizeof round, "%u", number);
    add_tag(game, "Round", round);
    db_random_line(game, &random, 40 + number % 300, 40);
    return game;
}

static void add_long_games(tby_db *db, unsigned first, unsigned last)
{
    for (; first <= last; first++) {
        tby_game *game = long_game(first);
        db_add(db, &game, 1, TBY_DUPLICATES_KEEP);
        tby_game_free(game);
    }
}

static int set_up(void **state)
{
    (void)state;
    snprintf(opened.path, sizeof opened.path, "%s", db_path("skip"));
    db_remove(opened.path);
    opened.db = db_open(opened.path, TBY_DB_CREATE);
    db_add_range(opened.db, 1, GAMES);
    add_long_games(opened.db, 1, 200);
    db_must(opened.db, tby_db_want_index(opened.db, NULL));
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tby_db_close(opened.db);
    db_remove(opened.path);
    return 0;
}

/* ---- Answers -------------------------------------------------------------------------------------------- */

typedef struct answer {
    size_t n;
    tby_db_hit hits[2 * GAMES];
} answer;

static bool take(void *context, const tby_db_hit *hit)
{
    answer *a = context;
    a->hits[a->n++] = *hit;
    return true;
}

static void expect_same(const char *text)
{
    static answer with, without;
    tby_query *query = db_query(text);
    tby_db_search search = {.query = query};
    with.n = without.n = 0;
    db_must(opened.db, tby_db_find(opened.db, &search, take, &with));
    search.ignores_index = true;
    search.n_threads = 1;
    db_must(opened.db, tby_db_find(opened.db, &search, take, &without));
    bool is_same = with.n == without.n;
    for (size_t i = 0; i < with.n && is_same; i++)
        is_same = with.hits[i].id == without.hits[i].id && with.hits[i].ply == without.hits[i].ply;
    if (!is_same)
        fail_msg("%s: %zu games by the indexes, %zu without", text, with.n, without.n);
    tby_query_free(query);
}

static const char *const facts[] = {
    "Nd5",
    "n{c-f4-6}",
    "M{7}",
    "[QR]{8}",
    "Q",
    "q>=2",
    "Q+R>q+r",
    "K{4-8}",
    "B=1",
    "b=1",
    "[NBRQnbrq]<4",
    "KR*P*vK",
    "KQ+P*vKP*",
    "O-O",
    "o-o-o",
    "e.p.",
    "N-g5",
    "Px{5}",
    "RxN",
    "Mxp",
    "pxPe3",
    "P-{8}=[RBN]",
    "p-{1}=q",
    "M-#",
    "m-+",
    "mate",
    "stalemate",
    "check",
    "N:g1-f3-g5",
    "p:e7-e5",
    "initial",
    "terminal",
    "R attacks q",
    "Q attacks _e5",
    "iqp",
    "points>3",
    "opposite-bishops",
    "result 1-0",
    "result 1/2-1/2",
    "white-elo 2300..",
    "any-elo ..2500",
    "mean-elo 2400..2500",
    "not mean-elo 2400.. speed ultrabullet",
    "elo 2000..",
    "black-elo ..9999",
    "date 2019",
    "date 2020.02..",
    "date ..2019.06",
    "id 100..3000",
    "plies ..30",
    "P{d}>=3",
    "P{d}=3",
    "p{a}>2",
    "[Pp]=0",
    "P{c-f}=0",
    "P{c}=1 p{c}=0",
    "P{c-e}>=5",
    "Pd4 P{c}=0 P{e}=0 p{d}=0",
    "pd5 P{e2-6}=0",
    "carlsbad",
    "P=2",
    "[Pp]{e}>2",
    "Q{d}=2",
    "M{e4 d4}>1",
    "P{c}=0",
    "opening \"Opening\"",
    "opening \"=Sicilian Defense\"",
    "not opening \"Attack\"",
    "isolated-pawn",
    "passed-pawn",
    "doubled-pawns",
    "hedgehog",
    "player brown",
    "K-g1",
};

static void put_query(char *out, size_t cap, uint64_t *random, int depth)
{
    char a[512], b[512];
    static const char *const two[] = {"(%s) (%s)", "(%s) or (%s)", "(%s) ; (%s)", "(%s) , (%s)", "(%s) ;9 (%s)"};
    static const char *const one[] = {"not (%s)",  "either (%s)", "mirror (%s)", "shift (%s)",
                                      "ever (%s)", "never (%s)",  "(%s) for 3",  "always (%s)"};
    if (depth == 0) {
        snprintf(out, cap, "%s", facts[random_below(random, sizeof facts / sizeof *facts)]);
        return;
    }
    put_query(a, sizeof a, random, depth - 1);
    put_query(b, sizeof b, random, (int)random_below(random, (unsigned)depth));
    if (random_below(random, 3)) {
        const char *form = two[random_below(random, 5)];
        snprintf(out, cap, form, a, b);
    } else {
        const char *form = one[random_below(random, 8)];
        snprintf(out, cap, form, a);
    }
}

TEST(test_db_skip__every_fact_gives_the_same_answer)
{
    char text[600];
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        expect_same(facts[i]);
        snprintf(text, sizeof text, "either mirror (%s)", facts[i]);
        expect_same(text);
    }
}

TEST(test_db_skip__random_queries_give_the_same_answer)
{
    uint64_t random = 14;
    char text[600];
    for (unsigned i = 0; i < QUERIES; i++) {
        put_query(text, sizeof text, &random, 1 + (int)(i % 3));
        expect_same(text);
    }
}

/* SQL is not used for what the records decide; it is used for a date without a year. */
TEST(test_db_skip__records_give_the_same_answer)
{
    static const char *const questions[] = {
        "white-elo 2300.. date 2019",
        "white-elo 2300.. or date 2020.02..",
        "not (date 2019) result 1-0",
        "not (result 1-0 or white-elo 2100..)",
        "date 2019.05 id 1..99",
        "either (white-elo 2500.. result 1-0)",
        "ever (date 2019)",
        "never (result 0-1)",
        "always (white-elo 2200..) Nf3",
        "(date 2019 for 3) result 1-0",
        "date 2019 ; mate",
        "white-elo 2750.. round 800",
        "date 2019 eco A00",
        "eco A00",
        "eco B",
        "eco C..",
        "eco A40..C20 white-elo 2300..",
        "eco \"\"",
        "eco \"*0\"",
        "eco \"B20 x\"",
        "not (eco A..B) result 1-0",
        "eco =B90 or eco odd",
        "white-elo 2750.. event cup",
        "opening \"Opening\" white-elo 2300..",
        "not opening \"Gambit\" date 2019",
        "opening \"Defense\" or round 800",
        "id 9999999..",
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        expect_same(questions[i]);
}

/* ---- Keeping -------------------------------------------------------------------------------------------- */

TEST(test_db_skip__games_that_are_not_yet_indexed_are_found)
{
    add_long_games(opened.db, 201, 230);
    expect_same("mate");
    expect_same("q>=2");
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    expect_same("opening \"Opening\"");
    expect_same("not opening \"Opening\" result 1-0");
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    expect_same("mate");
    expect_same("q>=2");
    expect_same("opening \"Opening\"");
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

/* With the names of another version, lists of openings are not used, and the next import makes them again. */
TEST(test_db_skip__names_of_another_version_are_not_used)
{
    static const char harm[] = "DELETE FROM opening WHERE id = (SELECT min(id) FROM opening);"
                               "UPDATE counter SET value = value + 1 WHERE name = 'opening_texts'";
    assert_int_equal(sqlite3_exec(db_sql(opened.db), harm, NULL, NULL, NULL), SQLITE_OK);
    expect_same("opening \"Opening\"");
    db_must(opened.db, tby_db_index(opened.db, TBY_INDEX_NONE, NULL, NULL));
    expect_same("opening \"Opening\"");
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
}

TEST(test_db_skip__deleted_games_are_erased)
{
    static const tby_game_id ids[] = {1, 17, 4096, 4097, 5003, 5100};
    assert_int_equal(db_delete(opened.db, ids, 6), 6);
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    expect_same("Nd5 or q>=2");
}

static void expect_fault(const char *harm)
{
    assert_int_equal(sqlite3_exec(db_sql(opened.db), harm, NULL, NULL, NULL), SQLITE_OK);
    assert_true(db_verify(opened.db, NULL, NULL) > 0);
}

TEST(test_db_skip__wrong_rows_are_reported)
{
    assert_int_equal(db_verify(opened.db, NULL, NULL), 0);
    expect_fault("BEGIN; UPDATE stood SET records = zeroblob(32768) WHERE id = 3");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    expect_fault("BEGIN; DELETE FROM material WHERE id = (SELECT max(id) FROM material)");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    expect_fault("BEGIN; UPDATE material SET games = x'00' WHERE id = (SELECT min(id) FROM material)");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    expect_fault("BEGIN; DELETE FROM pawns WHERE id = (SELECT max(id) FROM pawns)");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    expect_fault("BEGIN; UPDATE eco SET id = id + 1 WHERE id = (SELECT max(id) FROM eco)");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    expect_fault("BEGIN; UPDATE opening SET id = id + 1 WHERE id = (SELECT max(id) FROM opening)");
    assert_int_equal(sqlite3_exec(db_sql(opened.db), "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
}

int main(void) { return tests_run(set_up, tear_down); }
