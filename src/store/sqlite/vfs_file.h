/*
 * vfs_file.h - files that read ahead and gather writes.
 */
#ifndef TBY_STORE_SQLITE_VFS_FILE_H
#define TBY_STORE_SQLITE_VFS_FILE_H

#include <sqlite3.h>

/* The memory that SQLite has to provide for a file. */
int vfs_file_size(const sqlite3_vfs *under);
/* Opens a database or an unnamed file, as xOpen does. */
int vfs_file_open(sqlite3_vfs *under, const char *name, sqlite3_file *file, int flags, int *out);

#endif
