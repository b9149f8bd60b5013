/*
 * db_support.h - shared by the tests of databases: a database in a separate file, and games that have positions in
 * common.
 */
#ifndef TBY_TEST_DB_SUPPORT_H
#define TBY_TEST_DB_SUPPORT_H

#include "support.h"

#include "codec_support.h"
#include "store/sqlite/db.h"

#include <unistd.h>

/* A path for this process and test, where no file exists yet. */
static inline const char *db_path(const char *name)
{
    static char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tabiya-test-%ld-%s.db", folder ? folder : "/tmp", (long)getpid(), name);
    return path;
}

static inline void db_remove(const char *path)
{
    char other[300];
    unlink(path);
    snprintf(other, sizeof other, "%s-wal", path);
    unlink(other);
    snprintf(other, sizeof other, "%s-shm", path);
    unlink(other);
}

static inline tby_db *db_open(const char *path, tby_db_mode mode)
{
    tby_failure failure;
    tby_db *db;
    if (tby_db_open(&db, path, mode, &failure) != TBY_OK)
        fail_msg("%s: %s", path, failure.text);
    return db;
}

/* Creates a database; db_finish closes and removes it. */
static inline tby_db *db_fresh(const char *name)
{
    db_remove(db_path(name));
    return db_open(db_path(name), TBY_DB_CREATE);
}

static inline void db_finish(tby_db *db, const char *name)
{
    tby_db_close(db);
    db_remove(db_path(name));
}

static inline void db_must(const tby_db *db, tby_status status)
{
    if (status != TBY_OK)
        fail_msg("%s", tby_db_failure(db)->text);
}

/* The SQLite connection. */
static inline sqlite3 *db_sql(tby_db *db) { return ((lite *)db)->sql; }

/* Functions that return a number, or -1 on failure. */
static inline int64_t db_n_games(tby_db *db)
{
    int64_t n = 0;
    return tby_db_n_games(&n, db) == TBY_OK ? n : -1;
}

static inline int64_t db_delete(tby_db *db, const tby_game_id *ids, size_t n_ids)
{
    int64_t n = 0;
    return tby_db_delete(&n, db, ids, n_ids) == TBY_OK ? n : -1;
}

static inline int64_t db_verify(tby_db *db, tby_db_fault fault, void *context)
{
    int64_t n = 0;
    return tby_db_verify(&n, db, fault, NULL, context) == TBY_OK ? n : -1;
}

static inline int64_t db_count_search(tby_db *db, const tby_db_search *search)
{
    int64_t n = 0;
    return tby_db_count(&n, db, search) == TBY_OK ? n : -1;
}

static inline tby_query *db_query(const char *asked)
{
    tby_query_error err;
    tby_query *query = tby_query_new(asked, strlen(asked), NULL, NULL, &err);
    if (!query)
        fail_msg("%s: %s", asked, err.text);
    return query;
}

static inline int64_t db_count(tby_db *db, const char *asked)
{
    tby_query *query = db_query(asked);
    const tby_db_search search = {.query = query};
    const int64_t n = db_count_search(db, &search);
    tby_query_free(query);
    return n;
}

static inline tby_db_added db_add(tby_db *db, tby_game *const *games, size_t n, tby_duplicates duplicates)
{
    tby_db_added added = {0, 0};
    tby_batch *batch = tby_batch_new();
    assert_non_null(batch);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(tby_batch_add(batch, games[i]), TBY_OK);
    db_must(db, tby_db_begin(db));
    db_must(db, tby_db_add(&added, db, batch, duplicates));
    db_must(db, tby_db_commit(db));
    tby_batch_free(batch);
    return added;
}

/* Moves chosen among a few, so that games share openings and transpose. */
static inline void db_random_line(tby_game *game, uint64_t *random, unsigned n_plies, unsigned n_choices)
{
    tby_node node = TBY_ROOT;
    for (unsigned i = 0; i < n_plies; i++) {
        tby_position pos;
        tby_move moves[TBY_MOVES_MAX];
        tby_game_position(game, node, &pos);
        const size_t n = tby_moves_list(moves, &pos);
        if (n == 0)
            break;
        tby_moves_sort(moves, n);
        node = tby_game_add(game, node,
                            moves[random_below(random, n_choices < n ? n_choices : (unsigned)n) * n / n_choices % n]);
    }
}

/* Game `number` of a fixed set, with varying players, dates, ratings and results. */
static inline tby_game *db_game(unsigned number)
{
    static const char *const players[] = {"Adams, Anna", "Brown, Bob", "O'Hara_100%", "M\xc3\xbcller, Max"};
    static const char *const dates[] = {"2019.05.31", "2019.??.??", "2020.02.??", "????.??.??"};
    tby_game *game = new_game();
    uint64_t random = 7919 + number * 104729ULL;
    char round[16], elo[16];
    snprintf(round, sizeof round, "%u", number);
    snprintf(elo, sizeof elo, "%u", 2000 + number % 800);
    add_tag(game, "Event", number % 2 ? "Club" : "Cup");
    add_tag(game, "Site", "?");
    add_tag(game, "Date", dates[number % 4]);
    add_tag(game, "Round", round);
    add_tag(game, "White", players[number % 4]);
    add_tag(game, "Black", players[number / 4 % 4]);
    tby_game_set_result(game, (tby_result)(number % 4));
    add_tag(game, "Result", tby_result_text((tby_result)(number % 4)));
    if (number % 3)
        add_tag(game, "WhiteElo", elo);
    db_random_line(game, &random, number % 60, 2 + number % 3);
    return game;
}

static inline void db_add_range(tby_db *db, unsigned first, unsigned last)
{
    enum { STEP = 256 };
    tby_game *games[STEP];
    while (first <= last) {
        unsigned n = 0;
        for (; n < STEP && first <= last; n++)
            games[n] = db_game(first++);
        db_add(db, games, n, TBY_DUPLICATES_SKIP);
        while (n > 0)
            tby_game_free(games[--n]);
    }
}

#endif
