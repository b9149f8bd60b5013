/*
 * log_path.c - where SQLite keeps changes that are not yet in a database file.
 */
#include "log_path.h"
#include "os/file.h"
#include "tabiya_db.h"

#include <stdlib.h>
#include <string.h>

/* SQLite follows links before it adds the ending. */
char *log_path(const char *path)
{
    char *whole = tby_db_is_server(path) ? NULL : os_full_path(path);
    char *log = whole ? realloc(whole, strlen(whole) + sizeof "-wal") : NULL;
    if (log)
        return strcat(log, "-wal");
    free(whole);
    return NULL;
}
