/*
 * vfs_file.c - files that read ahead and gather writes.
 *
 * SQLite reads and writes one page at a time, and a call of the system can cost more than a page is worth: on Windows,
 * each passes through the filters of virus scanners. So pages that are read in order come from a larger read, and pages
 * that are written one after the other are written together.
 *
 * Keeps  nothing from one transaction to the next: what was read is forgotten when a lock changes, and what was written
 *        is in the file before it is synchronized, unlocked, measured or cut. With a write-ahead log, other processes may
 *        read a page as soon as it is copied to the database, so nothing is gathered.
 */
#include "store/sqlite/vfs_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* SQLite's own layer takes less than 128 KiB at a time. */
enum { READ_LEAST = 32 << 10, PIECE = 64 << 10, NEAR = 64 << 10 };

typedef struct vfs_file {
    sqlite3_file base;
    sqlite3_file *under; /* follows in memory */
    char *bytes;         /* a piece of the file, PIECE; NULL until it is needed */
    sqlite3_int64 at;    /* where the piece begins */
    int n;
    bool is_unwritten;  /* the piece is not in the file yet */
    bool has_log;       /* a write-ahead log is in use */
    sqlite3_int64 next; /* where the last read ended */
    int ahead;          /* how much to read the next time, if that is in order */
} vfs_file;

static vfs_file *file_of(sqlite3_file *file) { return (vfs_file *)(void *)file; }
static sqlite3_file *under_of(sqlite3_file *file) { return file_of(file)->under; }

/* ---- The piece ------------------------------------------------------------------------------------------ */

/* Writes what was gathered, and forgets what was read. After a failure it is lost: SQLite rolls back. */
static int settle(sqlite3_file *file)
{
    vfs_file *f = file_of(file);
    const int n = f->is_unwritten ? f->n : 0;
    f->is_unwritten = false;
    f->n = 0;
    return n ? f->under->pMethods->xWrite(f->under, f->bytes, n, f->at) : SQLITE_OK;
}

static bool has_room(vfs_file *f)
{
    if (!f->bytes)
        f->bytes = sqlite3_malloc(PIECE);
    return f->bytes != NULL;
}

static bool read_ahead(vfs_file *f, int n, sqlite3_int64 at)
{
    const bool is_in_order = at >= f->next && at - f->next <= NEAR;
    f->ahead = !is_in_order ? 0 : f->ahead ? f->ahead * 2 : READ_LEAST;
    if (f->ahead > PIECE)
        f->ahead = PIECE;
    if (f->ahead < n || !has_room(f) || f->under->pMethods->xRead(f->under, f->bytes, f->ahead, at) != SQLITE_OK)
        return false; /* as at the end of the file */
    f->at = at;
    f->n = f->ahead;
    return true;
}

/* ---- Reading and writing -------------------------------------------------------------------------------- */

static int read_file(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
    vfs_file *f = file_of(file);
    bool is_here = at >= f->at && at + n <= f->at + f->n;
    const int code = is_here ? SQLITE_OK : settle(file);
    if (code != SQLITE_OK)
        return code;
    is_here = is_here || read_ahead(f, n, at);
    f->next = at + n;
    if (!is_here)
        return f->under->pMethods->xRead(f->under, out, n, at);
    memcpy(out, f->bytes + (at - f->at), (size_t)n);
    return SQLITE_OK;
}

static int write_file(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
    vfs_file *f = file_of(file);
    if (!f->is_unwritten || at != f->at + f->n || f->n + n > PIECE) {
        const int code = settle(file);
        if (code != SQLITE_OK)
            return code;
        f->at = at;
    }
    if (f->has_log || n > PIECE || !has_room(f))
        return f->under->pMethods->xWrite(f->under, bytes, n, at);
    memcpy(f->bytes + f->n, bytes, (size_t)n);
    f->n += n;
    f->is_unwritten = true;
    return SQLITE_OK;
}

/* ---- The others ----------------------------------------------------------------------------------------- */

static int close_file(sqlite3_file *file)
{
    const int gathered = settle(file);
    sqlite3_free(file_of(file)->bytes);
    const int code = under_of(file)->pMethods->xClose(under_of(file));
    return code == SQLITE_OK ? gathered : code;
}

static int cut_file(sqlite3_file *file, sqlite3_int64 n)
{
    const int code = settle(file);
    return code == SQLITE_OK ? under_of(file)->pMethods->xTruncate(under_of(file), n) : code;
}

static int sync_file(sqlite3_file *file, int flags)
{
    const int code = settle(file);
    return code == SQLITE_OK ? under_of(file)->pMethods->xSync(under_of(file), flags) : code;
}

static int measure_file(sqlite3_file *file, sqlite3_int64 *out)
{
    const int code = settle(file);
    return code == SQLITE_OK ? under_of(file)->pMethods->xFileSize(under_of(file), out) : code;
}

static int lock_file(sqlite3_file *file, int level) { return under_of(file)->pMethods->xLock(under_of(file), level); }

static int unlock_file(sqlite3_file *file, int level)
{
    const int gathered = settle(file), code = under_of(file)->pMethods->xUnlock(under_of(file), level);
    return code == SQLITE_OK ? gathered : code;
}

static int is_reserved(sqlite3_file *file, int *out)
{
    return under_of(file)->pMethods->xCheckReservedLock(under_of(file), out);
}

/* Announcements of what will be written come between writes. */
static int control_file(sqlite3_file *file, int what, void *argument)
{
    const int code = what == SQLITE_FCNTL_SIZE_HINT ? SQLITE_OK : settle(file);
    return code == SQLITE_OK ? under_of(file)->pMethods->xFileControl(under_of(file), what, argument) : code;
}

static int sector_size(sqlite3_file *file) { return under_of(file)->pMethods->xSectorSize(under_of(file)); }

static int characteristics(sqlite3_file *file)
{
    return under_of(file)->pMethods->xDeviceCharacteristics(under_of(file));
}

static int map_shared(sqlite3_file *file, int page, int size, int extends, void volatile **out)
{
    file_of(file)->has_log = true;
    return under_of(file)->pMethods->xShmMap(under_of(file), page, size, extends, out);
}

/* Where a transaction with a write-ahead log begins and ends. */
static int lock_shared(sqlite3_file *file, int offset, int n, int flags)
{
    const int code = settle(file);
    return code == SQLITE_OK ? under_of(file)->pMethods->xShmLock(under_of(file), offset, n, flags) : code;
}

static void order_shared(sqlite3_file *file) { under_of(file)->pMethods->xShmBarrier(under_of(file)); }

static int unmap_shared(sqlite3_file *file, int deletes)
{
    file_of(file)->has_log = false;
    return under_of(file)->pMethods->xShmUnmap(under_of(file), deletes);
}

/* ---- Opening -------------------------------------------------------------------------------------------- */

/* Without the functions of version 3, which map a file into memory. */
#define METHODS(version)                                                                                               \
    {                                                                                                                  \
        version, close_file, read_file, write_file, cut_file, sync_file, measure_file, lock_file, unlock_file,         \
            is_reserved, control_file, sector_size, characteristics, map_shared, lock_shared, order_shared,            \
            unmap_shared, NULL, NULL                                                                                   \
    }
static const sqlite3_io_methods plain = METHODS(1), with_log = METHODS(2);

int vfs_file_size(const sqlite3_vfs *under) { return (int)sizeof(vfs_file) + under->szOsFile; }

int vfs_file_open(sqlite3_vfs *under, const char *name, sqlite3_file *file, int flags, int *out)
{
    vfs_file *f = file_of(file);
    *f = (vfs_file){.under = (sqlite3_file *)(void *)(f + 1), .next = -1 - NEAR};
    f->under->pMethods = NULL;
    const int code = under->xOpen(under, name, f->under, flags, out);
    if (f->under->pMethods)
        f->base.pMethods = f->under->pMethods->iVersion >= 2 ? &with_log : &plain;
    return code;
}
