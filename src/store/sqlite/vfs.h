/*
 * vfs.h - decides which files SQLite may open, look for and delete for one connection.
 *
 * Anyone can put a file beside a database, and SQLite trusts what it finds there. A rollback journal may name another
 * file as its super-journal, which SQLite opens and then deletes.
 */
#ifndef TBY_STORE_SQLITE_VFS_H
#define TBY_STORE_SQLITE_VFS_H

#include <sqlite3.h>
#include <stdbool.h>

typedef struct lite_vfs lite_vfs;

/* A layer above SQLite's default VFS for one connection, which must be closed before it is freed. NULL: no memory. */
lite_vfs *lite_vfs_new(void);
void lite_vfs_free(lite_vfs *vfs);
/* For sqlite3_open_v2. */
const char *lite_vfs_name(const lite_vfs *vfs);
/* Why it refused a file, as a sentence; NULL if it has not. */
const char *lite_vfs_refusal(const lite_vfs *vfs);
/* Forgets the refusal. */
void lite_vfs_forgive(lite_vfs *vfs);

#endif
