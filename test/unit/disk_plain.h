/*
 * disk_plain.h - the layer under SQLite for tests that write often: nothing waits for the disk, which can be full,
 * and calls are counted.
 */
#ifndef TBY_TEST_DISK_PLAIN_H
#define TBY_TEST_DISK_PLAIN_H

#include "disk_layer.h"

static long writes_left = -1; /* until the disk is full; negative: never */
static long n_reads, n_writes;

static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    n_reads++;
    return REAL(f)->pMethods->xRead(REAL(f), to, n, at);
}

static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    n_writes++;
    if (writes_left == 0)
        return SQLITE_FULL;
    writes_left -= writes_left > 0;
    return REAL(f)->pMethods->xWrite(REAL(f), bytes, n, at);
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 size) { return REAL(f)->pMethods->xTruncate(REAL(f), size); }

static int shim_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return SQLITE_OK;
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n) { return REAL(f)->pMethods->xFileSize(REAL(f), n); }

static int shim_map(sqlite3_file *f, int page, int size, int extend, void volatile **to)
{
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, to);
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int is_synced)
{
    (void)vfs;
    (void)is_synced;
    return real_vfs->xDelete(real_vfs, name, 0);
}

static bool may_open(const char *name, void **own)
{
    (void)name;
    *own = NULL;
    return true;
}

#endif
