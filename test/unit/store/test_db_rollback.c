/*
 * test_db_rollback.c - changes that fail half-way: everything is as before, and the same change can be made again.
 *
 * Triggers reject one change to one table after the other (the first row, the second, later ones), by failing the
 * statement or by rolling back the whole transaction. Or the disk is full from some write on.
 */
#include "db_works.h"
#include "disk_plain.h"

/* ---- All that is in a database --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    return sum;
}

static uint64_t digest_rows(sqlite3 *sql, const char *table, uint64_t sum)
{
    char text[128];
    sqlite3_stmt *s;
    snprintf(text, sizeof text, "SELECT * FROM main.%s", table);
    assert_int_equal(sqlite3_prepare_v2(sql, text, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const int type = sqlite3_column_type(s, i), n = sqlite3_column_bytes(s, i);
            sum = mix(sum, &type, sizeof type);
            sum = mix(sum, sqlite3_column_blob(s, i), (size_t)n);
        }
    assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
    return sum;
}

/* Every row of every table, and the schema. */
static uint64_t digest_all(tby_db *db)
{
    uint64_t sum = digest_rows(db_sql(db), "sqlite_schema", 0xcbf29ce484222325);
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(db_sql(db), "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
                                        -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        sum = digest_rows(db_sql(db), (const char *)sqlite3_column_text(s, 0), sum);
    sqlite3_finalize(s);
    return sum;
}

/* ---- Refusing -------------------------------------------------------------------------------------------- */

static const char *const tables[] = {"game", "player", "event",    "site",  "shape",   "sketch",
                                     "fact", "stood",  "material", "pawns", "eco",     "word",
                                     "hash", "common", "counter",  "run",   "position"};
static const char *const changes[] = {"INSERT", "UPDATE", "DELETE"};
static const char *const ways[] = {"ABORT", "ROLLBACK"};

static void run_sql(tby_db *db, const char *sql)
{
    if (sqlite3_exec(db_sql(db), sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db_sql(db)));
}

/* Rejects a change to a table after that many others. */
static void refuse(tby_db *db, const char *change, const char *table, const char *way, int after)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE tick(n); INSERT INTO temp.tick VALUES(%d);"
             "CREATE TEMP TRIGGER refusal BEFORE %s ON main.%s BEGIN UPDATE tick SET n = n - 1;"
             " SELECT RAISE(%s, 'refused') FROM tick WHERE n < 0; END",
             after, change, table, way);
    run_sql(db, sql);
}

static void allow(tby_db *db) { run_sql(db, "DROP TRIGGER temp.refusal; DROP TABLE temp.tick"); }

static const work removal = {"delete", run_delete, "player adams", NULL, 1, true};
static const work addition = {"add", run_add, NULL, NULL, 1, true};

/* Was a change rejected? */
static bool is_undone(const work *w, const char *change, const char *table, const char *way, int after, uint64_t before,
                      uint64_t right)
{
    static answer got;
    copy_file(copy, original);
    tby_db *db = db_open(copy, TBY_DB_WRITE);
    refuse(db, change, table, way, after);
    do_work(w, db, &got);
    const bool is_refused = got.status != TBY_OK;
    const char *error = tby_db_failure(db)->text;
    if (is_refused && !strstr(error, "refused"))
        fail_msg("%s, %s %s %d: %s", w->name, change, table, after, error);
    allow(db);
    if (digest_all(db) != (is_refused ? before : right))
        fail_msg("%s, %s %s %s %d: the database is not as it was", w->name, change, table, way, after);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    if (is_refused) { /* again, with the same connection, whose caches must have been reset */
        do_work(w, db, &got);
        assert_int_equal(got.status, TBY_OK);
        if (digest_all(db) != right)
            fail_msg("%s again after %s %s %s %d: not what it should be", w->name, change, table, way, after);
    }
    tby_db_close(db);
    return is_refused;
}

static unsigned refuse_all(const work *w)
{
    static answer got;
    unsigned n_refused = 0;
    tby_db *db = db_open(original, TBY_DB_READ);
    const uint64_t before = digest_all(db);
    tby_db_close(db);
    copy_file(copy, original);
    db = db_open(copy, TBY_DB_WRITE);
    do_work(w, db, &got);
    assert_int_equal(got.status, TBY_OK);
    const uint64_t right = digest_all(db);
    assert_true(right != before);
    tby_db_close(db);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
            for (size_t j = 0; j < sizeof ways / sizeof *ways; j++)
                for (int after = 0; is_undone(w, changes[k], tables[i], ways[j], after, before, right);
                     after = 2 * after + 1)
                    n_refused++;
    return n_refused;
}

TEST(test_db_rollback__a_rejected_deletion_changes_nothing) { assert_true(refuse_all(&removal) > 20); }

TEST(test_db_rollback__rejected_games_are_not_added) { assert_true(refuse_all(&addition) > 12); }

/* ---- Indexes --------------------------------------------------------------------------------------------- */

/* For games without an index. Its parts are built one after the other, each completely or not at all. */
TEST(test_db_rollback__a_rejected_index_is_completed_later)
{
    char bare[256];
    unsigned n_refused = 0;
    snprintf(bare, sizeof bare, "%s", db_path("bare"));
    db_remove(bare);
    tby_db *db = db_open(bare, TBY_DB_CREATE);
    db_must(db, tby_db_want_index(db, NULL));
    db_add_range(db, 1, 12);
    tby_db_close(db);
    copy_file(copy, bare);
    db = db_open(copy, TBY_DB_WRITE);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    const uint64_t right = digest_all(db);
    tby_db_close(db);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < 2 * sizeof changes / sizeof *changes; k++)
            for (int after = 0;; after = 2 * after + 1) {
                copy_file(copy, bare);
                db = db_open(copy, TBY_DB_WRITE);
                if (strcmp(tables[i], "word") == 0) /* normally created with the index */
                    run_sql(db, "CREATE TABLE word(id INTEGER PRIMARY KEY, names BLOB NOT NULL)");
                refuse(db, changes[k / 2], tables[i], ways[k % 2], after);
                const tby_status status = tby_db_index(db, TBY_INDEX_ALL, NULL, NULL);
                allow(db);
                assert_int_equal(db_verify(db, NULL, NULL), 0);
                assert_int_equal(db_n_games(db), 12);
                db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
                assert_int_equal(db_verify(db, NULL, NULL), 0);
                if (strcmp(tables[i], "word") != 0) /* its position in the schema differs */
                    assert_true(digest_all(db) == right);
                tby_db_close(db);
                if (status == TBY_OK)
                    break;
                n_refused++;
            }
    assert_true(n_refused > 30);
    db_remove(bare);
}

/* SQLite has rolled back the transaction: games added after that must not be stored on their own. */
TEST(test_db_rollback__nothing_is_added_after_a_transaction_was_rolled_back)
{
    tby_db_added added = {0, 0};
    tby_batch *batch = tby_batch_new();
    tby_game *game = db_game(GAMES + 1);
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    copy_file(copy, original);
    tby_db *db = db_open(copy, TBY_DB_WRITE);
    refuse(db, "INSERT", "game", "ROLLBACK", 0);
    db_must(db, tby_db_begin(db));
    assert_int_not_equal(tby_db_add(&added, db, batch, TBY_DUPLICATES_KEEP), TBY_OK);
    allow(db);
    assert_int_equal(tby_db_add(&added, db, batch, TBY_DUPLICATES_KEEP), TBY_IO_ERROR);
    assert_string_equal(tby_db_failure(db)->text, "no transaction is open");
    assert_int_not_equal(tby_db_commit(db), TBY_OK);
    tby_db_rollback(db);
    assert_int_equal(added.stored, 0);
    assert_int_equal(db_n_games(db), GAMES);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
    tby_game_free(game);
    tby_batch_free(batch);
}

/* ---- The disk -------------------------------------------------------------------------------------------- */

/* The disk is full from some write on, and has space again afterwards. */
TEST(test_db_rollback__a_deletion_on_a_full_disk_changes_nothing)
{
    static answer got;
    long n = 0;
    tby_db *db = db_open(original, TBY_DB_READ);
    const uint64_t before = digest_all(db);
    tby_db_close(db);
    for (tby_status status = TBY_IO_ERROR; status != TBY_OK; n++) {
        db_remove(copy);
        copy_file(copy, original);
        db = db_open(copy, TBY_DB_WRITE);
        writes_left = n;
        do_work(&removal, db, &got);
        writes_left = -1;
        status = got.status;
        assert_true(status == TBY_OK || status == TBY_IO_ERROR);
        if (status != TBY_OK) {
            assert_true(digest_all(db) == before);
            assert_int_equal(db_n_games(db), GAMES);
        }
        tby_db_close(db);
        db = db_open(copy, TBY_DB_READ); /* other connections see the same */
        assert_int_equal(digest_all(db) == before, status != TBY_OK);
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        tby_db_close(db);
    }
    assert_true(n > 3);
}

static int set_up(void **state)
{
    (void)state;
    layer_put();
    works_set_up("rollback");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    works_tear_down();
    return 0;
}

int main(void) { return tests_run(set_up, tear_down); }
