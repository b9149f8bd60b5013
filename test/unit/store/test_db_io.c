/*
 * test_db_io.c - databases on a failing disk: every call of every kind of work fails in turn.
 *
 * SQLite's files go through a layer whose n-th call fails: with a device error, or because the disk is full. A full
 * disk affects only writes, and may leave a part of the data written. The answer must then be an error or the right
 * one, and the file must have no fault: a change is made completely or not at all.
 */
#include "db_works.h"
#include "disk_layer.h"

typedef enum failure { FAILS_DEVICE, FAILS_FULL, FAILS_SHORT, N_FAILURES } failure;

static const char *const failure_names[N_FAILURES] = {"an error of the device", "a full disk", "a short write"};
static failure kind;
static bool for_ever;  /* this call and all later ones */
static long left = -1; /* calls until the one that fails; negative: none does */
static long n_failed;

static bool must_fail(bool is_write)
{
    if (left < 0 || (kind != FAILS_DEVICE && !is_write) || left-- > 0)
        return false;
    left = for_ever ? 0 : -1;
    n_failed++;
    return true;
}

/* ---- The layer ------------------------------------------------------------------------------------------ */

static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return must_fail(false) ? SQLITE_IOERR_READ : REAL(f)->pMethods->xRead(REAL(f), to, n, at);
}

static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    if (!must_fail(true))
        return REAL(f)->pMethods->xWrite(REAL(f), bytes, n, at);
    if (kind == FAILS_SHORT)
        REAL(f)->pMethods->xWrite(REAL(f), bytes, n / 2, at);
    return kind == FAILS_DEVICE ? SQLITE_IOERR_WRITE : SQLITE_FULL;
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    return must_fail(false) ? SQLITE_IOERR_TRUNCATE : REAL(f)->pMethods->xTruncate(REAL(f), size);
}

/* Syncing does nothing, so that no test waits for a disk. */
static int shim_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return must_fail(false) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return must_fail(false) ? SQLITE_IOERR_FSTAT : REAL(f)->pMethods->xFileSize(REAL(f), n);
}
static int shim_map(sqlite3_file *f, int page, int size, int extend, void volatile **to)
{
    return must_fail(false) ? SQLITE_IOERR_SHMMAP : REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, to);
}

static bool may_open(const char *name, void **own)
{
    (void)name;
    *own = NULL;
    return !must_fail(false);
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int is_synced)
{
    (void)vfs;
    (void)is_synced;
    return must_fail(false) ? SQLITE_IOERR_DELETE : real_vfs->xDelete(real_vfs, name, 0);
}

/* ---- Trials --------------------------------------------------------------------------------------------- */

static void complain(const work *w, long number, const answer *got, const char *error)
{
    fail_msg("%s %s, %s%s at call %ld: status %d (%s), %.*s", w->name, w->query ? w->query : "", failure_names[kind],
             for_ever ? " for ever" : "", number, (int)got->status, error, got->n > 200 ? 200 : (int)got->n,
             got->bytes);
}

/* Lets the call after `number` others fail. Returns whether one failed. */
static bool fails_well(const work *w, long number, const answer *right, int64_t n_after)
{
    static answer got;
    tby_failure why = {.status = TBY_OK};
    tby_db *db;
    if (w->writes) {
        db_remove(copy);
        copy_file(copy, original);
    }
    n_failed = 0;
    left = number;
    got.n = 0;
    got.status = tby_db_open(&db, w->writes ? copy : original, w->writes ? TBY_DB_WRITE : TBY_DB_READ, &why);
    if (got.status == TBY_OK) {
        do_work(w, db, &got);
        why = *tby_db_failure(db);
    }
    left = -1;
    if (got.status == TBY_OK ? !is_same(&got, right) : got.status != TBY_IO_ERROR || !why.text[0])
        complain(w, number, &got, why.text);
    tby_db_close(db);
    if (!w->writes)
        return n_failed > 0;
    const int64_t n = n_games_now(w, failure_names[kind], number);
    if (n != n_after && (got.status == TBY_OK || n != GAMES))
        fail_msg("%s, %s at call %ld: %lld games", w->name, failure_names[kind], number, (long long)n);
    return n_failed > 0;
}

TEST(test_db_io__is_an_error_or_the_right_answer)
{
    static answer right;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        const int64_t n_after = right_answer(&works[i], &right);
        for (int k = 0; k < 2 * N_FAILURES; k++) {
            kind = (failure)(k / 2);
            for_ever = k % 2;
            long n = 0;
            while (fails_well(&works[i], n, &right, n_after))
                n++;
            assert_true(n > 3 || kind != FAILS_DEVICE);
        }
        if (!works[i].writes)
            assert_int_equal(n_games_now(&works[i], "reading", 0), GAMES);
    }
}

static int set_up(void **state)
{
    (void)state;
    layer_put();
    works_set_up("io");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    works_tear_down();
    return 0;
}

int main(void) { return tests_run(set_up, tear_down); }
