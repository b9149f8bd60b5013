/*
 * disk_layer.h - a layer between SQLite and its files, for tests in which the disk misbehaves.
 *
 * The test implements the functions it is interested in; the others, here, pass the call on.
 */
#ifndef TBY_TEST_DISK_LAYER_H
#define TBY_TEST_DISK_LAYER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct shim {
    sqlite3_file base;
    sqlite3_file *real;
    void *own; /* the test's own data */
} shim;

#define REAL(file) (((shim *)(file))->real)

static sqlite3_vfs *real_vfs;

static int shim_close(sqlite3_file *f) { return REAL(f)->pMethods->xClose(REAL(f)); }
static int shim_lock(sqlite3_file *f, int kind) { return REAL(f)->pMethods->xLock(REAL(f), kind); }
static int shim_unlock(sqlite3_file *f, int kind) { return REAL(f)->pMethods->xUnlock(REAL(f), kind); }
static int shim_reserved(sqlite3_file *f, int *out) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out); }
static int shim_control(sqlite3_file *f, int op, void *arg)
{
    return REAL(f)->pMethods->xFileControl(REAL(f), op, arg);
}
static int shim_sector(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
static int shim_traits(sqlite3_file *f) { return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f)); }
static int shim_shm_lock(sqlite3_file *f, int at, int n, int flags)
{
    return REAL(f)->pMethods->xShmLock(REAL(f), at, n, flags);
}
static void shim_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int shim_unmap(sqlite3_file *f, int deletes) { return REAL(f)->pMethods->xShmUnmap(REAL(f), deletes); }

/* Implemented by the test. */
static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at);
static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at);
static int shim_truncate(sqlite3_file *f, sqlite3_int64 size);
static int shim_sync(sqlite3_file *f, int flags);
static int shim_size(sqlite3_file *f, sqlite3_int64 *n);
static int shim_map(sqlite3_file *f, int page, int size, int extend, void volatile **to);
static int shim_delete(sqlite3_vfs *vfs, const char *name, int is_synced);
/* Whether the file may be opened; `own` receives the test's data about it. */
static bool may_open(const char *name, void **own);

static const sqlite3_io_methods methods = {
    2,           shim_close,    shim_read,    shim_write,  shim_truncate, shim_sync, shim_size,     shim_lock,
    shim_unlock, shim_reserved, shim_control, shim_sector, shim_traits,   shim_map,  shim_shm_lock, shim_barrier,
    shim_unmap,  NULL,          NULL,
};

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
    shim *s = (shim *)f;
    (void)vfs;
    s->base.pMethods = NULL;
    s->real = (sqlite3_file *)(s + 1);
    const int code = may_open(name, &s->own) ? real_vfs->xOpen(real_vfs, name, s->real, flags, out) : SQLITE_CANTOPEN;
    if (code == SQLITE_OK)
        s->base.pMethods = &methods;
    return code;
}

static inline void layer_put(void)
{
    static sqlite3_vfs layer;
    real_vfs = sqlite3_vfs_find(NULL);
    layer = *real_vfs;
    layer.zName = "layer";
    layer.szOsFile = (int)sizeof(shim) + real_vfs->szOsFile;
    layer.xOpen = shim_open;
    layer.xDelete = shim_delete;
    sqlite3_vfs_register(&layer, 1);
}

static inline void layer_take(void)
{
    sqlite3_vfs_unregister(sqlite3_vfs_find("layer"));
    sqlite3_vfs_register(real_vfs, 1);
}

#endif
