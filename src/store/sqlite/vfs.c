/*
 * vfs.c - decides which files SQLite may open, look for and delete for one connection.
 *
 * Allows   the database, its -journal, -wal and -shm, and unnamed temporary files.
 * Refuses  every other name: the super-journal of a transaction on several databases, which is what ATTACH and a commit
 *          write, and any other database. A -journal, -wal or -shm that is a link, a pipe, a folder or a device: it
 *          would be another file that is changed, or opening it would never end.
 *
 * SQLite looks for a super-journal before it rolls anything back, so a refused journal changes nothing. It looks for its
 * own files only while the journal is closed, so the name may also be one of those.
 */
#include "store/sqlite/vfs.h"
#include "os/file.h"
#include "store/sqlite/vfs_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 32, REFUSAL_SIZE = 768 };

struct lite_vfs {
    sqlite3_vfs layer;
    sqlite3_vfs *under;
    char *database;        /* the full path; NULL until it is opened */
    sqlite3_file *journal; /* NULL until it is opened; it has methods while it is open */
    char name[NAME_SIZE];
    char refusal[REFUSAL_SIZE];
};

static lite_vfs *vfs_of(sqlite3_vfs *layer) { return layer->pAppData; }

const char *lite_vfs_name(const lite_vfs *vfs) { return vfs->name; }
const char *lite_vfs_refusal(const lite_vfs *vfs) { return *vfs->refusal ? vfs->refusal : NULL; }
void lite_vfs_forgive(lite_vfs *vfs) { *vfs->refusal = '\0'; }

/* ---- Names ---------------------------------------------------------------------------------------------- */

/* Is it the name of the database with this ending? */
static bool is_beside(const lite_vfs *v, const char *name, const char *ending)
{
    const size_t n = v->database ? strlen(v->database) : 0;
    return n && name && strncmp(name, v->database, n) == 0 && strcmp(name + n, ending) == 0;
}

static bool is_journal(const lite_vfs *v, const char *name)
{
    return is_beside(v, name, "-journal") || is_beside(v, name, "-wal");
}

static void refuse_super_journal(lite_vfs *v, const char *name)
{
    const char *file = v->database ? os_name_in_path(v->database) : "it";
    char shown[160];
    snprintf(shown, sizeof shown, "%s", name ? name : "");
    for (char *at = shown; *at; at++)
        if (*at == '\n') /* the message is one line */
            *at = '?';
    snprintf(v->refusal, sizeof v->refusal,
             "its journal %.100s-journal is from a transaction on several databases and names another file, which "
             "would be deleted: %s; if you made such a transaction, with ATTACH, sqlite3 %.100s 'PRAGMA "
             "user_version' completes it, else delete the journal",
             file, shown, file);
}

/* ---- Kinds of files ------------------------------------------------------------------------------------- */

/* A file with one name, or none at all. */
static bool is_plain(const char *path)
{
    os_about about;
    return !os_about_link(&about, path) || (about.kind == OS_FILE && about.n_names <= 1);
}

/* The name that SQLite resolved, so the database is no link; one with several names is the user's own choice. The
   system's message about a folder is better. */
static bool is_regular(const char *path)
{
    os_about about;
    return !os_about_path(&about, path) || about.kind == OS_FILE || about.kind == OS_FOLDER;
}

static bool must_be(lite_vfs *v, bool is_right, const char *path, const char *ending)
{
    if (!is_right)
        snprintf(v->refusal, sizeof v->refusal,
                 "%.200s%s is a link, a pipe, a folder or a device, not a file of its own", os_name_in_path(path),
                 ending);
    return is_right;
}

/* SQLite opens the -shm of a write-ahead log without checking. */
static bool is_sound_beside(lite_vfs *v, const char *name, bool is_log)
{
    char *index = is_log ? sqlite3_mprintf("%s-shm", v->database) : NULL;
    const bool is_good = must_be(v, is_plain(name), name, "") && (!index || must_be(v, is_plain(index), index, ""));
    sqlite3_free(index);
    return is_good;
}

/* ---- The layer ------------------------------------------------------------------------------------------ */

static bool may_open_database(lite_vfs *v, const char *name)
{
    v->journal = NULL; /* of a connection before this one */
    if (!v->database && name && must_be(v, is_regular(name), name, ""))
        v->database = strdup(name);
    return v->database && name && strcmp(v->database, name) == 0;
}

static bool may_open(lite_vfs *v, const char *name, int flags)
{
    if (flags & SQLITE_OPEN_MAIN_DB)
        return may_open_database(v, name);
    if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL))
        return is_journal(v, name) && is_sound_beside(v, name, flags & SQLITE_OPEN_WAL);
    if (flags & SQLITE_OPEN_SUPER_JOURNAL) {
        refuse_super_journal(v, name);
        return false;
    }
    return !name;
}

static int open_file(sqlite3_vfs *layer, const char *name, sqlite3_file *file, int flags, int *out)
{
    lite_vfs *v = vfs_of(layer);
    file->pMethods = NULL; /* else SQLite would close it */
    if (flags & SQLITE_OPEN_MAIN_JOURNAL)
        v->journal = file;
    if (!may_open(v, name, flags))
        return SQLITE_CANTOPEN;
    return is_journal(v, name) ? v->under->xOpen(v->under, name, file, flags, out)
                               : vfs_file_open(v->under, name, file, flags, out);
}

static int delete_file(sqlite3_vfs *layer, const char *name, int is_synced)
{
    lite_vfs *v = vfs_of(layer);
    return is_journal(v, name) ? v->under->xDelete(v->under, name, is_synced) : SQLITE_IOERR_DELETE;
}

/* SQLite looks for no names but those of journals and super-journals. */
static int find_file(sqlite3_vfs *layer, const char *name, int flags, int *out)
{
    lite_vfs *v = vfs_of(layer);
    if (is_journal(v, name) && !(v->journal && v->journal->pMethods))
        return v->under->xAccess(v->under, name, flags, out);
    refuse_super_journal(v, name);
    return SQLITE_IOERR_ACCESS;
}

static int full_path(sqlite3_vfs *layer, const char *name, int size, char *out)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xFullPathname(under, name, size, out);
}

static int random_bytes(sqlite3_vfs *layer, int n, char *out)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xRandomness(under, n, out);
}

static int sleep_for(sqlite3_vfs *layer, int microseconds)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xSleep(under, microseconds);
}

static int current_time(sqlite3_vfs *layer, double *out)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xCurrentTime(under, out);
}

static int current_milliseconds(sqlite3_vfs *layer, sqlite3_int64 *out)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xCurrentTimeInt64(under, out);
}

static int last_error(sqlite3_vfs *layer, int n, char *out)
{
    sqlite3_vfs *under = vfs_of(layer)->under;
    return under->xGetLastError ? under->xGetLastError(under, n, out) : 0;
}

/* ---- Making --------------------------------------------------------------------------------------------- */

/* Without the functions for loading extensions, which are not used. */
static sqlite3_vfs layer_of(lite_vfs *v)
{
    return (sqlite3_vfs){.iVersion = v->under->iVersion >= 2 && v->under->xCurrentTimeInt64 ? 2 : 1,
                         .szOsFile = vfs_file_size(v->under),
                         .mxPathname = v->under->mxPathname,
                         .zName = v->name,
                         .pAppData = v,
                         .xOpen = open_file,
                         .xDelete = delete_file,
                         .xAccess = find_file,
                         .xFullPathname = full_path,
                         .xRandomness = random_bytes,
                         .xSleep = sleep_for,
                         .xCurrentTime = current_time,
                         .xGetLastError = last_error,
                         .xCurrentTimeInt64 = current_milliseconds};
}

lite_vfs *lite_vfs_new(void)
{
    lite_vfs *v = calloc(1, sizeof *v);
    if (!v || !(v->under = sqlite3_vfs_find(NULL))) {
        free(v);
        return NULL;
    }
    snprintf(v->name, sizeof v->name, "tabiya-%p", (void *)v);
    v->layer = layer_of(v);
    if (sqlite3_vfs_register(&v->layer, 0) == SQLITE_OK)
        return v;
    free(v);
    return NULL;
}

void lite_vfs_free(lite_vfs *v)
{
    if (!v)
        return;
    sqlite3_vfs_unregister(&v->layer);
    free(v->database);
    free(v);
}
