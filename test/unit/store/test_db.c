/*
 * test_db.c - databases: games are read back, duplicates are recognized, nothing is stored by halves.
 */
#include "db_support.h"
#include "store/sqlite/names.h"

#include <sqlite3.h>

static void run_sql(tby_db *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL), SQLITE_OK);
}

static void count_fault(void *context, tby_game_id id, const char *text)
{
    (void)id;
    *(int *)context += strncmp(text, "warning: ", 9) != 0;
}

static int faults(tby_db *db)
{
    int n = 0;
    const int64_t n_reported = db_verify(db, count_fault, &n);
    assert_int_equal(n_reported, n);
    return n;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

static void expect_back(tby_db *db, tby_game_id id, const tby_game *game)
{
    tby_game *back = new_game();
    db_must(db, tby_db_game(back, db, id));
    assert_true(same_game(game, back));
    tby_game_free(back);
}

TEST(test_db__random_games_are_read_back_complete)
{
    enum { GAMES = 300 };
    tby_game *games[GAMES];
    uint64_t random = 12345;
    tby_db *db = db_fresh("whole");
    for (unsigned i = 0; i < GAMES; i++) {
        games[i] = new_game();
        random_game(games[i], &random, i % 80);
    }
    assert_int_equal(db_add(db, games, GAMES, TBY_DUPLICATES_KEEP).stored, GAMES);
    assert_int_equal(db_n_games(db), GAMES);
    for (unsigned i = 0; i < GAMES; i++) {
        expect_back(db, i + 1, games[i]);
        tby_game_free(games[i]);
    }
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_int_equal(faults(db), 0);
    db_finish(db, "whole");
}

TEST(test_db__tags_that_no_column_can_hold_are_read_back_unchanged)
{
    static const char *const tags[][2] = {
        {"Date", "2019"},       {"Date", "1999.??.??"}, {"Date", "????.??.??"}, {"Date", "2019.5.1"},
        {"Date", "2019.13.01"}, {"Date", ""},           {"Date", "2019-05-01"}, {"Date", "0000.00.00"},
        {"WhiteElo", "2400"},   {"WhiteElo", "2400?"},  {"WhiteElo", "0"},      {"WhiteElo", "02400"},
        {"WhiteElo", "12345"},  {"WhiteElo", ""},       {"BlackElo", "-"},      {"Result", "1-0"},
        {"Result", "?"},        {"Result", "1/2"},      {"ECO", "B90"},         {"ECO", ""},
        {"Round", "1.2.3"},     {"White", ""},          {"White", "\"\\\x01/"}, {"Event", "'; DROP TABLE game; --"},
    };
    tby_db *db = db_fresh("tags");
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        tby_game *game = new_game();
        add_tag(game, "Annotator", "between"); /* an unusual order */
        add_tag(game, tags[i][0], tags[i][1]);
        add_tag(game, "Black", "Last");
        tby_game_set_result(game, TBY_DRAW);
        db_add(db, &game, 1, TBY_DUPLICATES_KEEP);
        expect_back(db, (tby_game_id)i + 1, game);
        tby_game_free(game);
    }
    assert_int_equal(faults(db), 0);
    db_finish(db, "tags");
}

TEST(test_db__a_game_without_tags_and_moves_is_read_back)
{
    tby_db *db = db_fresh("empty");
    tby_game *game = new_game();
    db_add(db, &game, 1, TBY_DUPLICATES_SKIP);
    expect_back(db, 1, game);
    tby_game_free(game);
    db_finish(db, "empty");
}

TEST(test_db__a_line_of_too_many_moves_is_refused)
{
    static const char *const shuffle[4] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    tby_batch *batch = tby_batch_new();
    tby_game *game = new_game();
    tby_node node = TBY_ROOT;
    for (int i = 0; i < 4; i++)
        node = add_move(game, node, shuffle[i]);
    const tby_move moves[4] = {TBY_MOVE(6, 21, 0), TBY_MOVE(62, 45, 0), TBY_MOVE(21, 6, 0), TBY_MOVE(45, 62, 0)};
    for (int i = 4; i < TBY_PLIES_MAX; i++)
        node = tby_game_add(game, node, moves[i % 4]);
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    tby_game_add(game, node, moves[0]);
    assert_int_equal(tby_batch_add(batch, game), TBY_TOO_LONG);
    assert_int_equal(tby_batch_n_games(batch), 1);
    tby_batch_free(batch);
    tby_game_free(game);
}

/* ---- Duplicates ----------------------------------------------------------------------------------------- */

TEST(test_db__equal_games_are_stored_once_and_nearly_equal_ones_are_not_lost)
{
    tby_game *games[5];
    tby_db *db = db_fresh("twice");
    for (int i = 0; i < 5; i++)
        games[i] = db_game(17);
    add_comment(games[1], TBY_ROOT, TBY_COMMENT_AFTER, "another comment");
    tby_game_set_result(games[2], TBY_RESULT_NONE);
    add_tag(games[3], "WhiteElo", "2001");
    tby_db_added added = db_add(db, games, 5, TBY_DUPLICATES_SKIP);
    assert_int_equal(added.stored, 4);
    assert_int_equal(added.duplicates, 1);
    added = db_add(db, games, 5, TBY_DUPLICATES_SKIP);
    assert_int_equal(added.stored, 0);
    assert_int_equal(added.duplicates, 5);
    tby_db_close(db);
    db = db_open(db_path("twice"), TBY_DB_WRITE); /* recognized again after reopening */
    assert_int_equal(db_add(db, games, 5, TBY_DUPLICATES_SKIP).duplicates, 5);
    assert_int_equal(db_add(db, games, 5, TBY_DUPLICATES_KEEP).stored, 5);
    assert_int_equal(db_n_games(db), 9);
    for (int i = 0; i < 5; i++)
        tby_game_free(games[i]);
    db_finish(db, "twice");
}

/* Importing N copies of a game took N * N steps. */
TEST(test_db__many_copies_of_a_game_do_not_make_the_next_one_slower)
{
    enum { COPIES = 1000 };
    hash_set set = {NULL, NULL, 0, 0};
    for (uint32_t i = 1; i <= COPIES; i++)
        assert_true(hash_set_add_few(&set, 7, i) && hash_set_add_few(&set, 1000 + i, i));
    assert_int_equal(set.n, COPIES + HASH_SET_FEW);
    hash_set_free(&set);

    tby_db *db = db_fresh("copies");
    tby_game *games[10];
    for (int i = 0; i < 10; i++)
        games[i] = db_game(3);
    db_add(db, games, 10, TBY_DUPLICATES_KEEP);
    assert_int_equal(db_add(db, games, 1, TBY_DUPLICATES_SKIP).duplicates, 1);
    int64_t n_deleted;
    db_must(db, tby_db_delete(&n_deleted, db, (tby_game_id[]){1, 2, 3, 4, 5, 6}, 6));
    assert_int_equal(n_deleted, 6);
    assert_int_equal(db_add(db, games, 1, TBY_DUPLICATES_SKIP).duplicates, 1);
    for (int i = 0; i < 10; i++)
        tby_game_free(games[i]);
    db_finish(db, "copies");
}

/* ---- Transactions --------------------------------------------------------------------------------------- */

TEST(test_db__uncommitted_games_are_not_stored)
{
    tby_db_added added = {0, 0};
    tby_db *db = db_fresh("rollback");
    tby_batch *batch = tby_batch_new();
    tby_game *game = db_game(30);
    db_add_range(db, 1, 5);
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    db_must(db, tby_db_begin(db));
    db_must(db, tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP));
    tby_db_rollback(db);
    assert_int_equal(db_n_games(db), 5);
    assert_int_equal(db_add(db, &game, 1, TBY_DUPLICATES_SKIP).stored, 1);
    expect_back(db, 6, game);
    assert_int_equal(faults(db), 0);
    tby_batch_free(batch);
    tby_game_free(game);
    db_finish(db, "rollback");
}

TEST(test_db__numbers_of_deleted_games_are_not_reused)
{
    tby_db *db = db_fresh("numbers");
    const tby_game_id ids[] = {3, 5, 99};
    db_add_range(db, 1, 5);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_int_equal(db_delete(db, ids, 3), 2);
    db_add_range(db, 6, 6);
    tby_game *back = new_game();
    assert_int_equal(tby_db_game(back, db, 6), TBY_OK);
    assert_int_equal(tby_db_game(back, db, 5), TBY_NOT_FOUND);
    assert_string_equal(tby_db_failure(db)->text, "there is no game 5");
    tby_game_free(back);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_int_equal(faults(db), 0);
    db_finish(db, "numbers");
}

static int64_t number_of(tby_db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db_sql(db), sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const int64_t n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

TEST(test_db__deleting_removes_unused_names)
{
    static const char *const counts[] = {"SELECT count(*) FROM player", "SELECT count(*) FROM event",
                                         "SELECT count(*) FROM site", "SELECT count(*) FROM shape"};
    tby_db *db = db_fresh("names"), *small = db_fresh("few");
    tby_game_id ids[30];
    for (int i = 0; i < 30; i++)
        ids[i] = i + 11;
    db_add_range(db, 1, 40);
    db_add_range(small, 1, 10);
    assert_int_equal(db_delete(db, ids, 30), 30);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(number_of(db, counts[i]), number_of(small, counts[i]));
    assert_int_equal(faults(db), 0);
    db_finish(small, "few");
    db_finish(db, "names");
}

/* The hashes of indexed games are in a table, those of others in memory. Duplicates are found in both, before and after
   deletions, and in files that have no such table yet. */
TEST(test_db__finds_duplicates_with_the_table_of_hashes)
{
    tby_db *db = db_fresh("hashes");
    const tby_game_id ids[] = {3, 17, 55};
    db_add_range(db, 1, 40);
    db_must(db, tby_db_index(db, TBY_INDEX_NONE, NULL, NULL));
    assert_int_equal(number_of(db, "SELECT count(*) FROM hash"), 40);
    db_add_range(db, 30, 60);
    assert_int_equal(db_n_games(db), 60);
    tby_db_close(db);
    db = db_open(db_path("hashes"), TBY_DB_WRITE);
    db_add_range(db, 1, 60);
    assert_int_equal(db_n_games(db), 60);
    assert_int_equal(db_delete(db, ids, 3), 3);
    assert_int_equal(faults(db), 0);
    db_must(db, tby_db_index(db, TBY_INDEX_NONE, NULL, NULL));
    db_add_range(db, 1, 60);
    assert_int_equal(db_n_games(db), 60);
    assert_int_equal(faults(db), 0);
    assert_int_equal(sqlite3_exec(db_sql(db), "DELETE FROM hash WHERE game = 20", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(faults(db), 1);
    assert_int_equal(sqlite3_exec(db_sql(db), "INSERT INTO hash VALUES(1, 20)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(faults(db), 1);
    assert_int_equal(
        sqlite3_exec(db_sql(db), "DROP TABLE hash; DELETE FROM counter WHERE name = 'hashes'", NULL, NULL, NULL),
        SQLITE_OK);
    tby_db_close(db);
    db = db_open(db_path("hashes"), TBY_DB_WRITE);
    assert_int_equal(faults(db), 0);
    db_add_range(db, 1, 61);
    assert_int_equal(db_n_games(db), 61);
    db_must(db, tby_db_index(db, TBY_INDEX_NONE, NULL, NULL));
    assert_int_equal(faults(db), 0);
    db_finish(db, "hashes");
}

TEST(test_db__verify_finds_rows_that_belong_to_no_run)
{
    tby_db *db = db_fresh("strays");
    db_add_range(db, 1, 5);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_int_equal(sqlite3_exec(db_sql(db), "INSERT INTO position VALUES(99 << 22, x'00')", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(faults(db), 1);
    db_finish(db, "strays");
}

TEST(test_db__readers_continue_beside_a_writer)
{
    tby_db *writer = db_fresh("beside");
    db_add_range(writer, 1, 50);
    tby_db *others[2] = {db_open(db_path("beside"), TBY_DB_READ), db_open(db_path("beside"), TBY_DB_READ)};
    for (unsigned i = 51; i < 60; i++) {
        db_add_range(writer, i, i);
        db_must(writer, tby_db_begin(writer));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(db_n_games(others[k]), i);
            assert_true(db_count(others[k], "white adams") > 0);
        }
        db_must(writer, tby_db_commit(writer));
    }
    tby_db_close(others[0]);
    tby_db_close(others[1]);
    db_finish(writer, "beside");
}

/* ---- Files ---------------------------------------------------------------------------------------------- */

static void expect_refused(const char *path, tby_db_mode mode, const char *reason)
{
    tby_failure failure;
    tby_db *db;
    assert_int_not_equal(tby_db_open(&db, path, mode, &failure), TBY_OK);
    assert_null(db);
    if (!strstr(failure.text, reason))
        fail_msg("\"%s\" does not contain \"%s\"", failure.text, reason);
}

TEST(test_db__what_is_not_a_database_is_refused)
{
    const char *path = db_path("other");
    sqlite3 *other;
    db_remove(path);
    expect_refused(path, TBY_DB_READ, "No such file");
    expect_refused("/", TBY_DB_CREATE, "Is a directory");
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("[Event \"not a database\"]\n", file);
    fclose(file);
    expect_refused(path, TBY_DB_CREATE, "not a database");
    db_remove(path);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "CREATE TABLE t(x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    expect_refused(path, TBY_DB_CREATE, "not a tabiya database");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    run_sql(db, "PRAGMA user_version = 1");
    tby_db_close(db);
    expect_refused(path, TBY_DB_READ, "version 1");
    db_remove(path);
}

/* Records of earlier versions lack the speed. */
static void forget_speeds(const char *path, int n_games)
{
    sqlite3 *file;
    sqlite3_blob *records;
    uint8_t top;
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_blob_open(file, "main", "fact", "records", 0, 1, &records), SQLITE_OK);
    for (int i = 0; i < n_games; i++) {
        assert_int_equal(sqlite3_blob_read(records, &top, 1, 8 * i + 7), SQLITE_OK);
        assert_int_not_equal(top >> 5, 0);
        top &= 0x1f;
        assert_int_equal(sqlite3_blob_write(records, &top, 1, 8 * i + 7), SQLITE_OK);
    }
    assert_int_equal(sqlite3_blob_close(records), SQLITE_OK);
    sqlite3_close(file);
}

TEST(test_db__a_file_of_the_previous_schema_gets_its_new_column_when_written)
{
    enum { GAMES = 30 };
    const char *path = db_path("former");
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    tby_game *games[GAMES];
    for (unsigned i = 0; i < GAMES; i++) {
        games[i] = db_game(i);
        if (i % 3)
            assert_true(tby_game_set_tag(games[i], "TimeControl", 11, i % 3 == 1 ? "180+2" : "-", i % 3 == 1 ? 5 : 1));
    }
    db_add(db, games, GAMES, TBY_DUPLICATES_KEEP);
    assert_int_equal(db_count(db, "speed blitz"), GAMES / 3);
    run_sql(db, "DROP VIEW games; ALTER TABLE game DROP COLUMN speed; PRAGMA user_version = 2");
    run_sql(db, "ALTER TABLE run DROP COLUMN row_bits");
    tby_db_close(db);
    forget_speeds(path, GAMES);
    expect_refused(path, TBY_DB_READ, "upgrades it");
    tby_db_close(db_open(path, TBY_DB_WRITE));
    db = db_open(path, TBY_DB_READ);
    assert_int_equal(db_n_games(db), GAMES);
    assert_int_equal(db_count(db, "speed blitz"), GAMES / 3);
    assert_int_equal(db_count(db, "speed correspondence"), GAMES / 3);
    assert_int_equal(db_count(db, "not speed blitz"), GAMES - GAMES / 3);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    db_must(db, tby_db_check_where(db, "speed = 'blitz' AND white IS NOT NULL"));
    tby_db_close(db);
    for (unsigned i = 0; i < GAMES; i++)
        tby_game_free(games[i]);
    db_remove(path);
}

typedef struct watcher {
    int n_reports, n_allowed;
} watcher;

static bool watch_upgrade(void *context, double fraction)
{
    watcher *w = context;
    assert_true(fraction >= 0 && fraction <= 1);
    return ++w->n_reports <= w->n_allowed;
}

static void expect_upgrade(const char *path, int n_allowed, tby_status status)
{
    watcher w = {.n_allowed = n_allowed};
    tby_failure failure;
    tby_db *db;
    assert_int_equal(tby_db_open_reporting(&db, path, TBY_DB_WRITE, watch_upgrade, &w, &failure), status);
    assert_int_equal(w.n_reports, n_allowed + (status != TBY_OK));
    tby_db_close(db);
}

/* Dates as files of earlier versions stored them, and what is found then; `first_day` and `last_day` are of version 5. */
static const struct former_date {
    const char *date, *utc, *query;
    int day, first, last;
} former_dates[] = {
    {"19??.\?\?.??", NULL, "date 1950", 0, 19000000, 19999999},
    {"2024.\?\?.??", NULL, "date 2024.12.31", 20240000, 20240000, 20249999},
    {"199?", NULL, "date ..1990.01.01", 0, 19900000, 19999999},
    {"2024.02.30", NULL, "date 2024.02.01", 20240200, 20240200, 20240299},
    {"31.12.1999", NULL, "not date 0001..", 311200, 311200, 311299},
    {"20.06.2019", "2019.06.20", "date 2019.06.20", 200600, 200600, 200699},
    {"????.05.01", NULL, "date 2001.05 not date 2001.06", 0, 0, 0},
    {"19??.05.01", NULL, "date 1901.05.01.. not date 1950.06", 0, 19000501, 19990501},
    {"2019.\?\?.12", NULL, "date 2019.06.12 not date 2019.06.15..2019.06.20", 20190000, 20190000, 20199999},
    {"201?.\?\?.??", "2021.03.04", "date 2015 not date 2021", 20210304, 20210304, 20210304},
    {"0000.00.00", NULL, "not date ..1000", 0, 1, 9999},
    {"????.\?\?.??", "20.06.2019", "not date 0001..", 200600, 200600, 200699},
    {"", NULL, "not date ..9999", 0, 0, 0},
};
enum { FORMER_DATES = sizeof former_dates / sizeof *former_dates };

static void set_tag(tby_game *game, const char *name, const char *value)
{
    assert_true(tby_game_set_tag(game, name, strlen(name), value, strlen(value)));
}

/* Makes a file of version 4 or 5 with these dates, many games before them that reach the same positions, and counts. */
static const char *make_former(int version)
{
    const char *path = db_path("former-days");
    char sql[256];
    tby_game *games[FORMER_DATES];
    db_remove(path);
    tby_db *db = db_open(path, TBY_DB_CREATE);
    for (unsigned i = 0; i < FORMER_DATES; i++) {
        games[i] = db_game(i);
        set_tag(games[i], "Date", former_dates[i].date);
        if (former_dates[i].utc)
            set_tag(games[i], "UTCDate", former_dates[i].utc);
    }
    db_add(db, games, FORMER_DATES, TBY_DUPLICATES_KEEP);
    db_add_range(db, 100, 400);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    for (unsigned i = 0; i < FORMER_DATES; i++) {
        const struct former_date *d = &former_dates[i];
        snprintf(
            sql, sizeof sql,
            "UPDATE game SET date = nullif(%d, 0), first_day = nullif(%d, 0), last_day = nullif(%d, 0) WHERE id = %u",
            d->day, d->first, d->last, i + 1);
        run_sql(db, sql);
        tby_game_free(games[i]);
    }
    run_sql(db, "UPDATE game SET tags = json_set(tags, '$.Date', '????.\?\?.?\?') WHERE id = 12");
    if (version == 4)
        run_sql(db, "ALTER TABLE game DROP COLUMN first_day; ALTER TABLE game DROP COLUMN last_day");
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", version);
    run_sql(db, sql);
    tby_db_close(db);
    return path;
}

static void expect_dates(tby_db *db)
{
    for (unsigned i = 0; i < FORMER_DATES; i++)
        for (int way = 0; way < 2; way++) {
            char query[96];
            snprintf(query, sizeof query, way ? "id %u (%s) or id 5000" : "id %u %s", i + 1, former_dates[i].query);
            if (db_count(db, query) != 1)
                fail_msg("%s: %s", former_dates[i].date, query);
        }
}

/* The index of positions stays. */
TEST(test_db__a_file_of_version_4_or_5_gets_its_dates)
{
    for (int version = 4; version <= 5; version++) {
        const char *path = make_former(version);
        expect_upgrade(path, 0, TBY_INTERRUPTED);
        tby_db *db = db_open(path, TBY_DB_WRITE);
        assert_non_null(strstr(tby_db_note(db), "was upgraded from version"));
        assert_true(number_of(db, "SELECT count(*) FROM run") > 0);
        expect_dates(db);
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        tby_db_close(db);
        db = db_open(path, TBY_DB_WRITE);
        assert_null(tby_db_note(db));
        tby_db_close(db);
        db_remove(path);
    }
}

/* A file of the version before was refused until something was imported into it. */
TEST(test_db__a_file_of_the_version_before_can_be_read)
{
    static const char *const queries[] = {
        "date 2024.12.31",
        "date 2024.02.01",
        "player a",
        "eco A00..E99",
        "date 2024.12.31 or mate",
        "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" date 2024.12.31"};
    enum { QUERIES = sizeof queries / sizeof *queries };
    int64_t found[QUERIES];
    for (int version = 4; version <= 5; version++) {
        const char *path = make_former(version);
        tby_db_summary summary;
        tby_db *db = db_open(path, TBY_DB_READ);
        tby_row row;
        assert_non_null(strstr(tby_db_note(db), "searches by date may be wrong"));
        db_must(db, tby_db_summarize(&summary, db));
        assert_int_equal(summary.schema_version, version);
        db_must(db, tby_db_row(&row, db, 2));
        assert_int_equal(row.last_day, 20249999);
        for (size_t i = 0; i < QUERIES; i++)
            found[i] = db_count(db, queries[i]);
        tby_db_close(db);
        db = db_open(path, TBY_DB_WRITE);
        for (size_t i = 0; i < QUERIES; i++)
            assert_int_equal(db_count(db, queries[i]), found[i]);
        tby_db_close(db);
        db_remove(path);
    }
}

/* Version 3 stored whole keys in its index of positions: a writer drops the index, and the next import builds a new
   one. */
TEST(test_db__an_index_of_the_previous_format_is_rebuilt)
{
    tby_db *db = db_fresh("format");
    db_add_range(db, 1, 60);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    const char *asked = "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    const int64_t n = db_count(db, asked);
    run_sql(db, "ALTER TABLE run DROP COLUMN row_bits; DELETE FROM position;"
                "INSERT INTO position VALUES(65536 + 0xe633, x'842ed45d8335010000000c07'); PRAGMA user_version = 3");
    tby_db_close(db);
    expect_refused(db_path("format"), TBY_DB_READ, "upgrades it");
    db = db_open(db_path("format"), TBY_DB_WRITE);
    assert_int_equal(number_of(db, "SELECT count(*) FROM run"), 0);
    assert_int_equal(number_of(db, "SELECT count(*) FROM position"), 0);
    assert_int_equal(number_of(db, "SELECT count(*) FROM common"), 0);
    assert_int_equal(faults(db), 0);
    assert_int_equal(db_count(db, asked), n);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    assert_int_equal(number_of(db, "SELECT count(*) FROM run"), 1);
    assert_int_equal(db_count(db, asked), n);
    assert_int_equal(faults(db), 0);
    db_finish(db, "format");
}

/* Changes every kind of stored data with plain SQL. */
TEST(test_db__verify_finds_what_was_changed)
{
    static const char *const changes[] = {
        "UPDATE game SET moves = (SELECT moves FROM game WHERE id = 41) WHERE id = 40",
        "UPDATE game SET moves = x'1012' WHERE id = 40",
        "UPDATE game SET moves = substr(moves, 1, length(moves) - 1) WHERE id = 40",
        "UPDATE game SET result = '1-0' WHERE id = 6",
        "UPDATE game SET white = 1 + white % 4 WHERE id = 9",
        "UPDATE game SET tags = '{\"X\":\"y\"}' WHERE id = 9",
        "UPDATE game SET date = 19990101 WHERE id = 9",
        "DELETE FROM game WHERE id = 20",
        "UPDATE sketch SET records = zeroblob(length(records))",
        "UPDATE sketch SET records = substr(records, 1, 320)",
        "UPDATE fact SET records = zeroblob(length(records))",
        "DELETE FROM position WHERE id = (SELECT min(id) FROM position)",
        ("UPDATE position SET entries = substr(entries, 1, length(entries) - 1)"
         " WHERE id = (SELECT max(id) FROM position)"),
        "UPDATE run SET last = last - 1",
        "UPDATE run SET row_bits = row_bits + 1",
        "UPDATE run SET row_bits = 0",
        "UPDATE run SET plies = 3",
        "INSERT INTO run SELECT id + 1, first, last, plies, row_bits FROM run",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        tby_db *db = db_fresh("changed");
        db_add_range(db, 1, 60);
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        assert_int_equal(faults(db), 0);
        run_sql(db, changes[i]);
        if (faults(db) == 0)
            fail_msg("not found: %s", changes[i]);
        db_finish(db, "changed");
    }
}

/* Some limits of indexes were not compared with anything: games after them were never indexed. */
TEST(test_db__verify_finds_impossible_counters)
{
    static const char *const counters[] = {"last_game",    "last_run",    "deleted",   "plies", "annotated",
                                           "common",       "hashes",      "stood",     "eco",   "material",
                                           "pawns",        "events",      "hashes",    "stood", "eco",
                                           "player_words", "event_words", "site_words"};
    enum { COUNTERS = sizeof counters / sizeof *counters, SMALL = 12 };
    for (size_t i = 0; i < COUNTERS; i++) {
        tby_db *db = db_fresh("counters");
        char sql[128];
        int64_t n = 0;
        db_must(db, tby_db_want_index(db, NULL));
        db_add_range(db, 1, 60);
        db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
        assert_int_equal(faults(db), 0);
        snprintf(sql, sizeof sql, "UPDATE counter SET value = %s WHERE name = '%s'",
                 i < SMALL || i > SMALL + 2 ? "9223372036854775807" : "value + 1", counters[i]);
        run_sql(db, sql);
        if (tby_db_verify(&n, db, NULL, NULL, NULL) == TBY_OK && n == 0)
            fail_msg("not found: %s", sql);
        db_finish(db, "counters");
    }
}

/* The tags of such a game were silently dropped. */
TEST(test_db__a_game_that_lost_a_tag_is_damaged)
{
    static const char *const changes[] = {"DELETE FROM site",
                                          "DELETE FROM player WHERE id = 1",
                                          "DELETE FROM shape",
                                          "UPDATE game SET round = NULL",
                                          "UPDATE game SET tags = NULL",
                                          "UPDATE game SET tags = '{'"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        tby_db *db = db_fresh("lost");
        tby_game *game = db_game(1);
        assert_true(tby_game_set_tag(game, "Site", 4, "Here", 4) && tby_game_set_tag(game, "Round", 5, "1", 1) &&
                    tby_game_set_tag(game, "Source", 6, "x", 1));
        db_add(db, &game, 1, TBY_DUPLICATES_KEEP);
        db_must(db, tby_db_game(game, db, 1));
        run_sql(db, changes[i]);
        if (tby_db_game(game, db, 1) != TBY_INVALID_DATABASE)
            fail_msg("not found: %s", changes[i]);
        assert_string_equal(tby_db_failure(db)->text, "game 1 is damaged: a tag that the game has is missing");
        assert_true(faults(db) > 0);
        tby_game_free(game);
        db_finish(db, "lost");
    }
}

int main(void) { return tests_run(NULL, NULL); }
