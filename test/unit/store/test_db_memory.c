/*
 * test_db_memory.c - databases when memory runs out: the allocations of every kind of work fail in turn, ours and
 * SQLite's.
 *
 * The answer must be an error or the right one: never more or fewer games, nothing deleted by mistake, nothing leaked.
 * Each is tried in two ways: one allocation fails, or all from that one on.
 */
#include "db_works.h"
#include "disk_plain.h"
#include "failing_memory.h"

/* ---- SQLite --------------------------------------------------------------------------------------------- */

static void pause_failing(bool is_paused)
{
    static long before;
    static bool was_noting;
    if (is_paused) {
        before = left;
        was_noting = noted.is_noting;
    }
    left = is_paused ? -1 : before;
    noted.is_noting = !is_paused && was_noting;
}

/* SQLite's memory, counted by SQLite. */
static sqlite3_mem_methods usual;
static void *lite_malloc(int n) { return must_fail() ? NULL : usual.xMalloc(n); }
static void *lite_realloc(void *p, int n) { return must_fail() ? NULL : usual.xRealloc(p, n); }

static void take_over_sqlite(void)
{
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1), SQLITE_OK); /* disabled in Debian's build of SQLite */
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual), SQLITE_OK);
    sqlite3_mem_methods ours = usual;
    ours.xMalloc = lite_malloc;
    ours.xRealloc = lite_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &ours), SQLITE_OK);
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

/* Lets the allocation after `number` others fail. */
static void must_fail_well(const work *w, long number, const answer *right, int64_t n_after)
{
    static answer got;
    const char *asked = w->query ? w->query : "";
    const long n_before = n_live;
    if (w->writes)
        copy_file(copy, original);
    tby_db *db = db_open(w->writes ? copy : original, w->writes ? TBY_DB_WRITE : TBY_DB_READ);
    n_failed = 0;
    left = number;
    do_work(w, db, &got);
    left = -1;
    const bool is_good = got.status == TBY_OK;
    if (is_good ? !is_same(&got, right) : got.status != TBY_NO_MEMORY || n_failed == 0)
        fail_msg("%s %s, allocation %ld: status %d (%s), %.*s", w->name, asked, number, (int)got.status,
                 tby_db_failure(db)->text, got.n > 200 ? 200 : (int)got.n, got.bytes);
    if (!w->writes) {
        do_work(w, db, &got);
        if (!is_same(&got, right))
            fail_msg("%s %s, again after allocation %ld: status %d (%s)", w->name, asked, number, (int)got.status,
                     tby_db_failure(db)->text);
    }
    tby_db_close(db);
    if (w->writes)
        assert_int_equal(n_games_now(w, "allocation", number), is_good ? n_after : GAMES);
    if (n_live != n_before)
        fail_msg("%s %s, allocation %ld: %ld blocks of memory leak", w->name, asked, number, n_live - n_before);
    if (sqlite3_memory_used() != 0)
        fail_msg("%s %s, allocation %ld: %lld bytes of SQLite's leak", w->name, asked, number,
                 (long long)sqlite3_memory_used());
}

static void note_places(const work *w, trials *out)
{
    static answer got;
    if (w->writes)
        copy_file(copy, original);
    tby_db *db = db_open(w->writes ? copy : original, w->writes ? TBY_DB_WRITE : TBY_DB_READ);
    places_begin();
    do_work(w, db, &got);
    places_end(out);
    tby_db_close(db);
}

static void try_work(const work *w)
{
    static answer right;
    static trials numbers;
    const int64_t n_after = right_answer(w, &right);
    note_places(w, &numbers);
    assert_true(numbers.n > 5);
    for (int i = 0; i < 2; i++) {
        for_ever = i;
        for (size_t k = 0; trial_number(&numbers, k) >= 0; k++)
            must_fail_well(w, trial_number(&numbers, k), &right, n_after);
    }
}

TEST(test_db_memory__is_an_error_or_the_right_answer)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        try_work(&works[i]);
}

/* ---- Opening -------------------------------------------------------------------------------------------- */

typedef enum opening { OPENS, MAKES, BRINGS_UP_TO_DATE, N_OPENINGS } opening;

static char former[256];

/* A database as an earlier version left it. */
static void make_former(void)
{
    snprintf(former, sizeof former, "%s", db_path("memory-former"));
    copy_file(former, original);
    tby_db *db = db_open(former, TBY_DB_WRITE);
    assert_int_equal(sqlite3_exec(db_sql(db),
                                  "DROP VIEW games; ALTER TABLE game DROP COLUMN speed;"
                                  "ALTER TABLE run DROP COLUMN row_bits; PRAGMA user_version = 2",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    tby_db_close(db);
}

static tby_status open_as(tby_db **db, opening how, tby_failure *failure)
{
    static const tby_db_mode modes[N_OPENINGS] = {TBY_DB_READ, TBY_DB_CREATE, TBY_DB_WRITE};
    return tby_db_open(db, how == OPENS ? original : copy, modes[how], failure);
}

static void prepare(opening how)
{
    db_remove(copy);
    if (how == BRINGS_UP_TO_DATE)
        copy_file(copy, former);
}

/* A database that could not be opened is unchanged, and can be opened later. */
static void must_open_later(opening how, int64_t n_games)
{
    tby_failure failure;
    tby_db *db;
    if (open_as(&db, how, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    assert_int_equal(db_n_games(db), n_games);
    assert_int_equal(db_verify(db, NULL, NULL), 0);
    tby_db_close(db);
}

TEST(test_db_memory__says_why_a_database_cannot_be_opened)
{
    static trials numbers;
    tby_failure failure;
    tby_db *db;
    make_former();
    for (int i = 0; i < 2 * N_OPENINGS; i++) {
        const opening how = (opening)(i / 2);
        prepare(how);
        places_begin();
        assert_int_equal(open_as(&db, how, &failure), TBY_OK);
        places_end(&numbers);
        tby_db_close(db);
        for (size_t k = 0; trial_number(&numbers, k) >= 0; k++) {
            const long n_before = n_live;
            prepare(how);
            for_ever = i % 2;
            left = trial_number(&numbers, k);
            const tby_status status = open_as(&db, how, &failure);
            left = -1;
            if (status != TBY_OK && (status != TBY_NO_MEMORY || db || !failure.text[0]))
                fail_msg("open %d, allocation %ld: status %d, %s", i, trial_number(&numbers, k), (int)status,
                         failure.text);
            tby_db_close(db);
            assert_int_equal(n_live, n_before);
            assert_int_equal(sqlite3_memory_used(), 0);
            must_open_later(how, how == MAKES ? 0 : GAMES);
        }
    }
    db_remove(former);
}

/* ---- Statements of SQL ----------------------------------------------------------------------------------- */

static bool take_fields(void *context, const tby_db_field *fields, size_t n, bool is_row)
{
    for (size_t i = 0; i < n; i++)
        take_bytes(context, is_row ? fields[i].s : fields[i].name, is_row ? fields[i].n : strlen(fields[i].name));
    return true;
}

static tby_status run_session(answer *out)
{
    static const char sql[] = "SELECT id, white, 1.5, moves, NULL FROM games WHERE id < 4; SELECT count(*) FROM player";
    tby_failure failure;
    tby_db_session *session;
    out->n = 0;
    tby_status status = tby_db_session_open(&session, original, false, NULL, NULL, &failure);
    if (status == TBY_OK)
        status = tby_db_session_run(session, sql, take_fields, out, &failure);
    assert_true(status == TBY_OK || failure.text[0]);
    tby_db_session_close(session);
    return status;
}

TEST(test_db_memory__sql_statements_fail_or_return_their_rows)
{
    static answer right, got;
    static trials numbers;
    places_begin();
    assert_int_equal(run_session(&right), TBY_OK);
    places_end(&numbers);
    for (size_t k = 0; trial_number(&numbers, k) >= 0; k++)
        for (int i = 0; i < 2; i++) {
            const long n_before = n_live;
            for_ever = i;
            left = trial_number(&numbers, k);
            const tby_status status = run_session(&got);
            left = -1;
            if (status == TBY_OK ? got.n != right.n || memcmp(got.bytes, right.bytes, got.n) != 0
                                 : status != TBY_NO_MEMORY)
                fail_msg("allocation %ld: status %d", trial_number(&numbers, k), (int)status);
            assert_int_equal(n_live, n_before);
            assert_int_equal(sqlite3_memory_used(), 0);
        }
}

static int set_up(void **state)
{
    (void)state;
    take_over_sqlite();
    layer_put();
    works_pause = pause_failing;
    works_set_up("memory");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    works_tear_down();
    return 0;
}

int main(void) { return tests_run(set_up, tear_down); }
