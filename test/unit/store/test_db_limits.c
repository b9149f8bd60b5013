/*
 * test_db_limits.c - the limits of a database: the last game number, the last name number, the longest game, memory.
 */
#include "db_support.h"

static void run(tby_db *db, const char *sql)
{
    if (sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db_sql(db)));
}

static tby_status add_status(tby_db *db, const tby_game *game)
{
    tby_db_added added = {0, 0};
    tby_batch *batch = tby_batch_new();
    tby_status status = tby_batch_add(batch, game);
    if (status == TBY_OK && tby_db_begin(db) == TBY_OK) {
        status = tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP);
        if (status == TBY_OK)
            status = tby_db_commit(db);
        else
            tby_db_rollback(db);
    }
    tby_batch_free(batch);
    return status;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

static bool note_last(void *context, const tby_db_hit *hit)
{
    *(tby_game_id *)context = hit->id;
    return true;
}

/* The next number of this database was set high: the last number is assigned, and then no more. */
TEST(test_db_limits__the_last_game_number)
{
    const char *path = db_path("last-game");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 10);
    run(db, "UPDATE counter SET value = 4294967293 WHERE name = 'last_game'");
    tby_db_close(db);
    db = db_open(path, TBY_DB_WRITE);
    db_add_range(db, 11, 12);
    tby_game *more = db_game(13);
    assert_int_equal(add_status(db, more), TBY_TOO_MANY);
    assert_non_null(strstr(tby_db_failure(db)->text, "at most 4294967295 games"));
    tby_game_free(more);
    tby_game_id last = 0;
    db_must(db, tby_db_last_id(&last, db));
    assert_int_equal(last, UINT32_MAX);
    assert_int_equal(db_count(db, "id 1.."), 12);
    assert_int_equal(db_count(db, "id 4294967294..4294967295"), 2);

    /* The indexes, and queries that use them. */
    db_must(db, tby_db_want_index(db, NULL));
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    tby_position start;
    tby_position_start(&start);
    tby_db_moves *moves = malloc(sizeof *moves);
    db_must(db, tby_db_explore(moves, db, &start, NULL));
    assert_int_equal(moves->games, 12);
    free(moves);
    tby_query *query = db_query("fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"");
    const tby_db_search search = {.query = query};
    last = 0;
    db_must(db, tby_db_find(db, &search, note_last, &last));
    assert_int_equal(last, UINT32_MAX);
    tby_query_free(query);
    tby_game *game = tby_game_new(NULL);
    db_must(db, tby_db_game(game, db, UINT32_MAX));
    assert_string_equal(tby_game_tag(game, "Round"), "12");
    tby_game_free(game);
    tby_db_close(db);
    db_remove(path);
}

/* The number of a deleted game is not reused. */
TEST(test_db_limits__the_last_number_is_not_reused)
{
    const char *path = db_path("last-deleted");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 2);
    run(db, "UPDATE counter SET value = 4294967294 WHERE name = 'last_game'");
    tby_db_close(db);
    db = db_open(path, TBY_DB_WRITE);
    db_add_range(db, 3, 3);
    const tby_game_id last = UINT32_MAX;
    assert_int_equal(db_delete(db, &last, 1), 1);
    tby_game *more = db_game(4);
    assert_int_equal(add_status(db, more), TBY_TOO_MANY);
    assert_int_equal(db_count(db, "id 1.."), 2);
    tby_game_free(more);
    tby_db_close(db);
    db_remove(path);
}

/* ---- Names ---------------------------------------------------------------------------------------------- */

TEST(test_db_limits__the_last_name_number)
{
    const char *path = db_path("last-name");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    db_add_range(db, 1, 20);
    run(db, "INSERT INTO player(id, name) VALUES(2147483647, 'the last one')");
    tby_db_close(db);
    db = db_open(path, TBY_DB_WRITE);
    db_add_range(db, 21, 30); /* players that exist already */
    assert_int_equal(db_n_games(db), 30);
    tby_game *game = db_game(31);
    add_tag(game, "White", "a new one");
    assert_int_equal(add_status(db, game), TBY_TOO_MANY);
    assert_non_null(strstr(tby_db_failure(db)->text, "at most 2147483647 names"));
    assert_int_equal(db_n_games(db), 30);
    tby_game_free(game);
    tby_db_close(db);
    db_remove(path);
}

/* ---- Plies ---------------------------------------------------------------------------------------------- */

static tby_game *shuffle(unsigned n_plies)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    tby_game *game = new_game();
    tby_node node = TBY_ROOT;
    tby_position pos;
    tby_position_start(&pos);
    for (unsigned i = 0; i < n_plies; i++) {
        tby_move m;
        assert_int_equal(tby_uci_read(&m, &pos, moves[i % 4], 4, NULL), TBY_OK);
        tby_position_play(&pos, m, NULL);
        node = tby_game_add(game, node, m);
    }
    return game;
}

TEST(test_db_limits__the_longest_game)
{
    const char *path = db_path("longest");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    tby_game *longest = shuffle(TBY_PLIES_MAX), *longer = shuffle(TBY_PLIES_MAX + 1), *back = tby_game_new(NULL);
    assert_int_equal(add_status(db, longest), TBY_OK);
    assert_int_equal(add_status(db, longer), TBY_TOO_LONG);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_must(db, tby_db_game(back, db, 1));
    assert_int_equal(tby_game_main_line(back, NULL, 0), TBY_PLIES_MAX);
    assert_int_equal(db_count(db, "plies 17697"), 1);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_game_free(longest);
    tby_game_free(longer);
    tby_game_free(back);
    tby_db_close(db);
    db_remove(path);
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

enum { MANY = 2600 }; /* more hashes than fit into the minimum memory, so that some are stored in between */

typedef struct digest {
    tby_db *db;
    uint64_t sum;
} digest;

static bool add_hit(void *context, const tby_db_hit *hit)
{
    digest *d = context;
    tby_row row;
    db_must(d->db, tby_db_row(&row, d->db, hit->id));
    d->sum = (d->sum ^ row.hash ^ (uint64_t)hit->id ^ (uint64_t)hit->ply << 40) * 0x100000001b3;
    return true;
}

static uint64_t digest_of(tby_db *db, const char *asked)
{
    tby_query *query = db_query(asked);
    const tby_db_search search = {.query = query};
    digest d = {db, 0xcbf29ce484222325};
    db_must(db, tby_db_find(db, &search, add_hit, &d));
    tby_query_free(query);
    return d.sum;
}

static tby_db *import(const char *path, bool is_little)
{
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    if (is_little) {
        db_must(db, tby_db_limit_memory(db, 0));
        tby_db_limit_threads(db, 1);
    }
    db_must(db, tby_db_want_index(db, NULL));
    db_add_range(db, 1, MANY);
    db_add_range(db, MANY / 2, MANY + 100); /* most of them exist already */
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    return db;
}

TEST(test_db_limits__little_memory_results_in_the_same_database)
{
    static const char *const asked[] = {
        "id 1..",    "player \"Adams, Anna\"", "elo 2300..", "opening \"1. a3\"", "Na3", "KQRP*vKRP*", "mate",
        "result 1-0"};
    char paths[2][256];
    snprintf(paths[0], sizeof paths[0], "%s", db_path("much"));
    snprintf(paths[1], sizeof paths[1], "%s", db_path("little"));
    tby_db *much = import(paths[0], false), *little = import(paths[1], true);
    assert_int_equal(db_n_games(much), MANY + 100);
    assert_int_equal(db_n_games(little), MANY + 100);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_int_equal(digest_of(much, asked[i]), digest_of(little, asked[i]));
    assert_int_equal(db_verify(little, NULL, NULL), 0);
    tby_db_close(much);
    tby_db_close(little);
    db_remove(paths[0]);
    db_remove(paths[1]);
}

int main(void) { return tests_run(NULL, NULL); }
