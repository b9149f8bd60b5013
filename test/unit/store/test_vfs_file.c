/*
 * test_vfs_file.c - files that read ahead and gather writes: they have the bytes of a plain file, with fewer calls.
 */
#include "disk_plain.h"
#include "store/sqlite/vfs_file.h"
#include "tests.h"

#include <string.h>

enum { PAGE = 4096, PAGES = 200 };

/* ---- The file ------------------------------------------------------------------------------------------- */

static sqlite3_file *file;

static void begin(void)
{
    layer_put();
    sqlite3_vfs *under = sqlite3_vfs_find("layer");
    const int flags = SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE;
    file = sqlite3_malloc(vfs_file_size(under));
    n_reads = n_writes = 0;
    writes_left = -1;
    assert_int_equal(vfs_file_open(under, NULL, file, flags, NULL), SQLITE_OK);
}

static void end(void)
{
    assert_int_equal(file->pMethods->xClose(file), SQLITE_OK);
    sqlite3_free(file);
    layer_take();
}

static int put(const void *bytes, int n, sqlite3_int64 at) { return file->pMethods->xWrite(file, bytes, n, at); }
static int get(void *bytes, int n, sqlite3_int64 at) { return file->pMethods->xRead(file, bytes, n, at); }

static void put_pages(void)
{
    char page[PAGE];
    for (int i = 0; i < PAGES; i++) {
        memset(page, i, PAGE);
        assert_int_equal(put(page, PAGE, (sqlite3_int64)i * PAGE), SQLITE_OK);
    }
}

/* ---- Tests ---------------------------------------------------------------------------------------------- */

TEST(test_vfs_file__writes_pages_in_order_together)
{
    begin();
    put_pages();
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    assert_in_range(n_writes, 1, PAGES / 8);
    end();
}

TEST(test_vfs_file__reads_pages_in_order_ahead)
{
    char page[PAGE], expected[PAGE];
    begin();
    put_pages();
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    for (int i = 0; i < PAGES; i++) {
        memset(expected, i, PAGE);
        assert_int_equal(get(page, PAGE, (sqlite3_int64)i * PAGE), SQLITE_OK);
        assert_memory_equal(page, expected, PAGE);
    }
    assert_in_range(n_reads, 1, PAGES / 4);
    end();
}

/* What another process wrote would be missed otherwise. */
TEST(test_vfs_file__forgets_what_it_read_with_the_lock)
{
    char page[PAGE];
    begin();
    put_pages();
    get(page, PAGE, 0);
    get(page, PAGE, PAGE);
    const long n = n_reads;
    get(page, PAGE, 2 * PAGE);
    assert_int_equal(n_reads, n);
    assert_int_equal(file->pMethods->xUnlock(file, SQLITE_LOCK_NONE), SQLITE_OK);
    get(page, PAGE, 3 * PAGE);
    assert_int_equal(n_reads, n + 1);
    end();
}

TEST(test_vfs_file__fails_before_it_is_synchronized)
{
    char page[PAGE] = {0};
    begin();
    writes_left = 0;
    assert_int_equal(put(page, PAGE, 0), SQLITE_OK);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_FULL);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    assert_int_equal(put(page, PAGE, 0), SQLITE_OK);
    assert_int_equal(put(page, PAGE, 2 * PAGE), SQLITE_FULL);
    end();
}

/* Pieces in and out of order, cut and measured, against an array. */
TEST(test_vfs_file__has_the_bytes_of_a_plain_file)
{
    enum { SIZE = 64 * PAGE, STEPS = 20000 };
    static char model[SIZE], piece[SIZE];
    sqlite3_int64 size = 0, measured, at = 0;
    uint64_t random = 1;
    begin();
    for (int step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const unsigned what = (unsigned)(random >> 33) % 20;
        const int n = (int)(random >> 40) % 3 ? PAGE : 1 + (int)(random >> 44) % (5 * PAGE);
        at = what % 4 && at + n <= SIZE - 5 * PAGE ? at : (sqlite3_int64)((random >> 20) % (SIZE - 5 * PAGE));
        if (what == 0) {
            size = at < size ? at : size;
            memset(model + size, 0, (size_t)(SIZE - size));
            assert_int_equal(file->pMethods->xTruncate(file, size), SQLITE_OK);
        } else if (what == 1) {
            assert_int_equal(file->pMethods->xFileSize(file, &measured), SQLITE_OK);
            assert_int_equal(measured, size);
        } else if (what < 11) {
            memset(piece, step, (size_t)n);
            memset(model + at, step, (size_t)n);
            assert_int_equal(put(piece, n, at), SQLITE_OK);
            at += n;
            size = at > size ? at : size;
        } else {
            assert_int_equal(get(piece, n, at), at + n <= size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ);
            assert_memory_equal(piece, model + at, (size_t)n);
            at += n;
        }
    }
    end();
}

int main(void) { return tests_run(NULL, NULL); }
