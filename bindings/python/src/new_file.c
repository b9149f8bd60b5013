/*
 * new_file.c - a file that replaces another only when it is complete.
 *
 *     rows.csv --open--> rows.csv.tabiya-Xa81Qz, written --close--> renamed to rows.csv
 *
 * Devices and pipes, and files in folders where no file can be created, are written in place.
 */
#include "new_file.h"
#include "os/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PART ".tabiya-XXXXXX"

static void forget(new_file *f)
{
    free(f->path);
    free(f->part);
    *f = (new_file){.file = NULL};
}

/* `old`: the file that is replaced; NULL if there is none. Returns 0 or an errno. */
static int open_part(new_file *f, const char *path, const os_about *old)
{
    f->path = old ? os_full_path(path) : strdup(path);
    f->part = f->path ? malloc(strlen(f->path) + sizeof PART) : NULL;
    if (f->part)
        strcat(strcpy(f->part, f->path), PART);
    const int file = f->part ? os_part_make(f->part, old) : -1;
    f->file = file < 0 ? NULL : os_stream_of(file, "wb");
    if (f->file)
        return 0;
    const int error = errno;
    if (file >= 0) {
        os_remove(f->part);
        os_close(file);
    }
    forget(f);
    return error;
}

int new_file_open(new_file *f, const char *path)
{
    os_about old;
    *f = (new_file){.file = NULL};
    const bool is_there = os_about_path(&old, path);
    if (!is_there || old.kind == OS_FILE) {
        const int error = open_part(f, path, is_there ? &old : NULL);
        if (!error || !is_there || !os_is_folders_fault(error))
            return error;
    }
    f->file = os_open_stream(path, "wb");
    return f->file ? 0 : errno;
}

int new_file_close(new_file *f, bool is_whole)
{
    int error = 0;
    if (is_whole && (fflush(f->file) != 0 || (f->part && !os_sync(fileno(f->file)))))
        error = errno;
    if (fclose(f->file) != 0 && is_whole && !error)
        error = errno;
    if (f->part && is_whole && !error && !os_replace(f->part, f->path))
        error = errno;
    if (f->part && (!is_whole || error))
        os_remove(f->part);
    forget(f);
    return error;
}
