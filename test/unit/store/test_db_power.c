/*
 * test_db_power.c - power failures: what was written but not synced may or may not be on the disk, sector by sector.
 *
 * SQLite's files go through a layer that remembers what has been synced. After the power failure every call fails. Then
 * a disk is assembled from what was synced and some of the rest, and the database on it must contain only whole games.
 */
#include "db_support.h"
#include "disk_layer.h"

#include <limits.h>

enum { FILES = 8, SECTOR = 512 };

typedef enum change_kind { WRITTEN, CUT, DELETED } change_kind;
typedef struct change {
    struct change *next;
    change_kind kind;
    size_t at, n;
    char bytes[];
} change;

/* A file as it is on the disk. */
typedef struct disk_file {
    char name[320];
    char *bytes; /* synced */
    size_t n;
    bool is_there; /* its directory entry is synced */
    change *first, *last;
} disk_file;

static disk_file files[FILES];
static long n_left; /* calls until the power fails */
static bool is_off;

/* ---- The disk ------------------------------------------------------------------------------------------- */

static disk_file *disk_of(const char *name)
{
    for (int i = 0; i < FILES; i++) {
        if (!files[i].name[0])
            snprintf(files[i].name, sizeof files[i].name, "%s", name);
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    }
    fail_msg("too many files");
    return NULL;
}

static void disk_write(disk_file *f, size_t at, const char *bytes, size_t n)
{
    if (at + n > f->n) {
        f->bytes = realloc(f->bytes, at + n);
        memset(f->bytes + f->n, 0, at + n - f->n);
        f->n = at + n;
    }
    memcpy(f->bytes + at, bytes, n);
}

static void disk_truncate(disk_file *f, size_t n) { f->n = n < f->n ? n : f->n; }

static void disk_delete(disk_file *f)
{
    f->n = 0;
    f->is_there = false;
}

static void remember(disk_file *f, change_kind kind, size_t at, const char *bytes, size_t n)
{
    change *c = malloc(sizeof *c + n);
    assert_non_null(c);
    c->kind = kind;
    c->at = at;
    c->n = n;
    c->next = NULL;
    if (n)
        memcpy(c->bytes, bytes, n);
    if (f->last)
        f->last->next = c;
    else
        f->first = c;
    f->last = c;
}

static bool coin(uint64_t *random) { return random_below(random, 2) == 0; }

/* Applies all changes, or some of them. If a deletion was lost, the later changes belong to another file, which has no
   name yet. */
static void settle(disk_file *f, uint64_t *random)
{
    bool is_new = !f->is_there, is_lost = false, is_written = false;
    for (change *c = f->first, *next; c; c = next) {
        next = c->next;
        is_lost = is_lost || (c->kind == DELETED && random && coin(random));
        if (c->kind == CUT && !is_lost && (!random || coin(random)))
            disk_truncate(f, c->at);
        if (c->kind == DELETED && !is_lost) {
            disk_delete(f);
            is_new = true;
            is_written = false;
        }
        is_written = is_written || (c->kind == WRITTEN && !is_lost);
        for (size_t i = 0; c->kind == WRITTEN && !is_lost && i < c->n; i += SECTOR)
            if (!random || coin(random))
                disk_write(f, c->at + i, c->bytes + i, c->n - i < SECTOR ? c->n - i : SECTOR);
        free(c);
    }
    if (random && is_new && is_written)
        f->is_there = coin(random);
    f->first = f->last = NULL;
}

static void disk_clear(void)
{
    for (int i = 0; i < FILES; i++) {
        settle(&files[i], NULL);
        free(files[i].bytes);
    }
    memset(files, 0, sizeof files);
}

/* What is on the disk when the power is back. */
static void disk_show(uint64_t *random)
{
    for (int i = 0; i < FILES && files[i].name[0]; i++) {
        disk_file *f = &files[i];
        settle(f, random);
        unlink(f->name);
        if (!f->is_there)
            continue;
        FILE *file = fopen(f->name, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(f->bytes, 1, f->n, file), f->n);
        fclose(file);
    }
}

/* ---- The layer ------------------------------------------------------------------------------------------ */

static bool has_power(void)
{
    if (!is_off && n_left-- == 0)
        is_off = true;
    return !is_off;
}

static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return is_off ? SQLITE_IOERR : REAL(f)->pMethods->xRead(REAL(f), to, n, at);
}

static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    disk_file *disk = ((shim *)f)->own; /* NULL for an unnamed file */
    if (!has_power())
        return SQLITE_IOERR;
    if (disk)
        remember(disk, WRITTEN, (size_t)at, bytes, (size_t)n);
    return REAL(f)->pMethods->xWrite(REAL(f), bytes, n, at);
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    disk_file *disk = ((shim *)f)->own; /* NULL for an unnamed file */
    if (!has_power())
        return SQLITE_IOERR;
    if (disk)
        remember(disk, CUT, (size_t)size, NULL, 0);
    return REAL(f)->pMethods->xTruncate(REAL(f), size);
}

static int shim_sync(sqlite3_file *f, int flags)
{
    disk_file *disk = ((shim *)f)->own; /* NULL for an unnamed file */
    (void)flags;
    if (!has_power())
        return SQLITE_IOERR;
    if (disk) {
        settle(disk, NULL);
        disk->is_there = true;
    }
    return SQLITE_OK;
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n) { return REAL(f)->pMethods->xFileSize(REAL(f), n); }
static int shim_map(sqlite3_file *f, int page, int size, int extend, void volatile **to)
{
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, to);
}

static bool may_open(const char *name, void **own)
{
    *own = name && !is_off ? disk_of(name) : NULL;
    return !is_off;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int is_synced)
{
    disk_file *disk = disk_of(name);
    (void)vfs;
    if (!has_power())
        return SQLITE_IOERR;
    remember(disk, DELETED, 0, NULL, 0);
    if (is_synced)
        settle(disk, NULL);
    return real_vfs->xDelete(real_vfs, name, 0);
}

/* ---- Work ----------------------------------------------------------------------------------------------- */

enum { COMMIT = 40, COMMITS = 6 };

static bool add_commit(tby_db *db, unsigned number)
{
    tby_batch *batch = tby_batch_new();
    tby_db_added added = {0, 0};
    for (unsigned i = 1; i <= COMMIT; i++) {
        tby_game *game = db_game(number * COMMIT + i);
        assert_int_equal(tby_batch_add(batch, game), TBY_OK);
        tby_game_free(game);
    }
    const bool is_good = tby_db_begin(db) == TBY_OK && tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP) == TBY_OK &&
                         tby_db_commit(db) == TBY_OK;
    if (!is_good)
        tby_db_rollback(db);
    tby_batch_free(batch);
    return is_good;
}

/* Two imports and their indexes, the first into a new file; returns the number of commits. */
static unsigned work(const char *path)
{
    tby_failure failure;
    unsigned n = 0;
    for (int k = 0; k < 2; k++) {
        tby_db *db;
        if (tby_db_open(&db, path, TBY_DB_CREATE, &failure) != TBY_OK)
            break;
        for (unsigned i = 0; i < COMMITS && add_commit(db, n); i++)
            n++;
        tby_db_index(db, TBY_INDEX_ALL, NULL, NULL);
        tby_db_close(db);
    }
    return n;
}

/* A rollback journal whose transaction was not completely synced was taken for a valid one: games in the middle of the
   file were lost for good. */
TEST(test_db_power__a_power_failure_leaves_whole_commits)
{
#ifdef TBY_TEST_QUICK
    enum { CUTS = 30 };
#else
    enum { CUTS = 120 };
#endif
    const char *path = db_path("power");
    uint64_t random = 2026;
    layer_put();
    n_left = LONG_MAX;
    db_remove(path);
    assert_int_equal(work(path), 2 * COMMITS);
    const long n_calls = LONG_MAX - n_left;
    layer_take();
    disk_clear();
    for (int i = 0; i < CUTS; i++) {
        db_remove(path);
        layer_put();
        is_off = false;
        n_left = (long)random_below(&random, (unsigned)n_calls);
        const unsigned n_made = work(path);
        layer_take();
        is_off = false;
        disk_show(&random);
        disk_clear();
        tby_db *db = db_open(path, TBY_DB_CREATE);
        const int64_t n = db_n_games(db);
        assert_int_equal(n % COMMIT, 0);
        /* In the first import, every commit is durable; with WAL, the last ones may be missing. */
        assert_true(n <= (int64_t)(n_made + 1) * COMMIT &&
                    n >= (int64_t)(n_made < COMMITS ? n_made : COMMITS) * COMMIT);
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        assert_true(add_commit(db, 1000));
        assert_int_equal(db_n_games(db), n + COMMIT);
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        tby_db_close(db);
    }
    db_remove(path);
}

int main(void) { return tests_run(NULL, NULL); }
