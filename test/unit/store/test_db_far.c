/*
 * test_db_far.c - games whose numbers are far apart: working with them takes no longer than with others and gives the
 * same answers; and the sets of games behind that.
 */
#include "store/sqlite/game_set.h"

#include "db_support.h"

/* ---- Sets ------------------------------------------------------------------------------------------------ */

enum { ROOM = 3 * GAME_PAGE_GAMES, LAST = ROOM - 100 };

/* The same set without pages. */
typedef struct plain_set {
    bool has[ROOM];
} plain_set;

static void put_some(game_set *set, plain_set *plain, uint64_t *random)
{
    const unsigned page = random_below(random, 3);
    for (int i = 0; i < 200; i++) {
        const tby_game_id id = (tby_game_id)page * GAME_PAGE_GAMES + random_below(random, GAME_PAGE_GAMES);
        const uint64_t word = random_next(random);
        if (id + 64 > LAST)
            continue;
        game_set_put(set, id);
        plain->has[id] = true;
        game_set_put_word(set, id, i % 8 ? 0 : word);
        for (int k = 0; i % 8 == 0 && k < 64; k++)
            plain->has[id + k] |= word >> k & 1;
    }
    if (random_below(random, 3) == 0) {
        const tby_game_id rest = random_below(random, LAST + 2);
        for (tby_game_id id = rest; id <= LAST; id++) {
            game_set_put(set, id);
            plain->has[id] = true;
        }
    }
}

static void assert_same(const game_set *set, const plain_set *plain)
{
    int64_t n = 0;
    tby_game_id next = 1;
    for (tby_game_id id = 0; id < ROOM; id++) {
        n += plain->has[id];
        if (game_set_has(set, id) != plain->has[id])
            fail_msg("game %lld", (long long)id);
        if (id % 61 == 0)
            for (int k = 0; k < 64 && id + k < ROOM; k++)
                assert_int_equal(game_set_word(set, id) >> k & 1, plain->has[id + k]);
    }
    assert_int_equal(game_set_count(set), n);
    for (tby_game_id id = 1; id < ROOM; id++)
        if (plain->has[id]) {
            assert_int_equal(game_set_next(set, next), id);
            next = id + 1;
        }
    assert_int_equal(game_set_next(set, next), 0);
}

TEST(test_db_far__sets_are_those_without_pages)
{
    uint64_t random = 3;
    plain_set *plain = calloc(2, sizeof *plain);
    for (int round = 0; round < 30; round++) {
        game_set a = {.pages = NULL}, b = {.pages = NULL};
        memset(plain, 0, 2 * sizeof *plain);
        assert_true(game_set_init(&a, LAST) && game_set_init(&b, LAST));
        put_some(&a, &plain[0], &random);
        put_some(&b, &plain[1], &random);
        assert_same(&a, &plain[0]);
        if (round % 2) {
            game_set_add(&a, &b);
            for (size_t i = 0; i < ROOM; i++)
                plain[0].has[i] |= plain[1].has[i];
            assert_same(&a, &plain[0]);
        }
        game_set_keep(&a, &b, true);
        for (size_t i = 0; i < ROOM; i++)
            plain[0].has[i] &= plain[1].has[i];
        assert_null(b.pages);
        assert_same(&a, &plain[0]);
        game_set_free(&a);
    }
    free(plain);
}

/* Such numbers can come from a damaged file. */
TEST(test_db_far__numbers_outside_of_a_set_are_not_in_it)
{
    static const tby_game_id ids[] = {-1, -64, INT64_MIN, INT64_MAX, 1LL << 40, 1LL << 32, LAST + 64};
    game_set set = {.pages = NULL};
    assert_true(game_set_init(&set, LAST));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        game_set_put(&set, ids[i]);
        assert_false(game_set_has(&set, ids[i]));
    }
    assert_int_equal(game_set_count(&set), 0);
    game_set_free(&set);
}

/* ---- Databases ------------------------------------------------------------------------------------------- */

enum { NEAR_GAMES = 40, INDEXED = 80, GAMES = 90 };
static const tby_game_id far_ids = 4294967200;

static void run(tby_db *db, const char *sql)
{
    if (sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db_sql(db)));
}

/* The first games have the numbers from 1 on. The others continue from there, or have far higher numbers. The last are
   in no index. */
static tby_db *make(const char *path, bool is_far, const char *index)
{
    char sql[200];
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, NEAR_GAMES);
    if (is_far) {
        snprintf(sql, sizeof sql,
                 "UPDATE counter SET value = %lld WHERE name = 'last_game';"
                 "UPDATE counter SET value = %lld WHERE name = 'deleted'",
                 (long long)far_ids, (long long)far_ids - NEAR_GAMES);
        run(db, sql);
        tby_db_close(db);
        db = db_open(path, TBY_DB_WRITE);
    }
    db_add_range(db, NEAR_GAMES + 1, INDEXED);
    if (index)
        db_must(db, tby_db_want_index(db, strcmp(index, "all") == 0 ? NULL : index));
    db_must(db, tby_db_index(db, index ? TBY_INDEX_ALL : TBY_INDEX_NONE, NULL, NULL));
    db_add_range(db, INDEXED + 1, GAMES);
    return db;
}

typedef struct found {
    tby_db_hit hits[GAMES + 1];
    size_t n;
} found;

/* Stores the number that the game has in the database without gaps. */
static bool note_hit(void *context, const tby_db_hit *hit)
{
    found *f = context;
    assert_true(f->n < GAMES);
    f->hits[f->n++] = (tby_db_hit){hit->id > far_ids ? hit->id - far_ids + NEAR_GAMES : hit->id, hit->ply};
    return true;
}

static found find(tby_db *db, const char *asked, bool ignores_index)
{
    found f = {.n = 0};
    tby_query *query = db_query(asked);
    const tby_db_search search = {.query = query, .ignores_index = ignores_index};
    db_must(db, tby_db_find(db, &search, note_hit, &f));
    tby_query_free(query);
    return f;
}

static bool is_same(const found *a, const found *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->hits[i].id != b->hits[i].id || a->hits[i].ply != b->hits[i].ply)
            return false;
    return a->n == b->n;
}

static void compare_answers(tby_db *near, tby_db *far)
{
    static const char *const asked[] = {"Pe4",
                                        "mate",
                                        "K for 3",
                                        "not Pe4",
                                        "Ra4",
                                        "KRvKR",
                                        "iqp",
                                        "legal>=20 for 4",
                                        "Nf3 or Nc3",
                                        "P-e4 ; p-e5",
                                        "castling KQ",
                                        "eco A00..B99",
                                        "eco A00..B99 Pe4",
                                        "not eco C00..C99",
                                        "result 1-0",
                                        "result 1-0 Pe4",
                                        "elo 2050..",
                                        "date 2019",
                                        "player adams",
                                        "player adams Pe4",
                                        "event Cup plies 20..",
                                        "speed blitz or result 1/2-1/2 Pd4",
                                        "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" Pe4",
                                        "board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"};
    tby_position start;
    tby_db_moves *moves = calloc(2, sizeof *moves);
    tby_position_start(&start);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        for (int k = 0; k < 2; k++) {
            const found a = find(near, asked[i], k), b = find(far, asked[i], k);
            if (!is_same(&a, &b))
                fail_msg("%s: %zu and %zu games", asked[i], a.n, b.n);
            assert_int_equal(db_count(far, asked[i]), (int64_t)a.n);
            tby_query *query = db_query(asked[i]);
            const tby_db_search search = {.query = query, .ignores_index = k};
            db_must(near, tby_db_explore(&moves[0], near, &start, &search));
            db_must(far, tby_db_explore(&moves[1], far, &start, &search));
            assert_memory_equal(&moves[0], &moves[1], sizeof *moves);
            tby_query_free(query);
        }
    free(moves);
}

/* The program used to visit every number up to the last, in one place with an SQL statement for each 65,536 numbers and
   ECO code; this test took minutes. */
TEST(test_db_far__answers_are_those_of_games_without_gaps)
{
    static const char *const indexes[] = {"all", "eco", NULL};
    char paths[2][256];
    snprintf(paths[0], sizeof paths[0], "%s", db_path("near"));
    snprintf(paths[1], sizeof paths[1], "%s", db_path("far"));
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        tby_db *near = make(paths[0], false, indexes[i]), *far = make(paths[1], true, indexes[i]);
        compare_answers(near, far);
        assert_int_equal(db_verify(far, NULL, NULL), 0);
        const tby_game_id gone[] = {3, far_ids + 1, far_ids + GAMES - NEAR_GAMES}, same[] = {3, NEAR_GAMES + 1, GAMES};
        assert_int_equal(db_delete(far, gone, 3), 3);
        assert_int_equal(db_delete(near, same, 3), 3);
        compare_answers(near, far);
        db_must(far, tby_db_index(far, indexes[i] ? TBY_INDEX_ALL : TBY_INDEX_NONE, NULL, NULL));
        compare_answers(near, far);
        assert_int_equal(db_verify(far, NULL, NULL), 0);
        tby_db_close(near);
        tby_db_close(far);
    }
    db_remove(paths[0]);
    db_remove(paths[1]);
}

/* Data of a deleted game in the index `stood` is a fault, whatever the number of the game. */
TEST(test_db_far__verify_notices_what_should_not_be_there)
{
    static const char *const changes[] = {
        "DELETE FROM game WHERE id = 5",
        "DELETE FROM game WHERE id = 4294967202",
        "INSERT INTO stood SELECT id + 100 * 13, records FROM stood WHERE id < 13",
    };
    const char *path = db_path("left");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        tby_db *db = make(path, true, "all");
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        run(db, changes[i]);
        assert_true(db_verify(db, NULL, NULL) > 0);
        tby_db_close(db);
    }
    db_remove(path);
}

int main(void) { return tests_run(NULL, NULL); }
