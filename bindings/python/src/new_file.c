/*
 * new_file.c - a file that replaces another only when it is complete.
 *
 *     rows.csv --open--> rows.csv.tabiya-4711-1, written --close--> renamed to rows.csv
 *
 * Devices and pipes, and files in folders where no file can be created, are written in place.
 */
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_SIZE = 48, TRIES = 10000 };

static void forget(new_file *f)
{
    free(f->path);
    free(f->part);
    *f = (new_file){.file = NULL};
}

/* Another thread or process may write the same file: the first free number is taken. -1 and errno on failure. */
static int make_part(new_file *f)
{
    const size_t n = strlen(f->path), cap = n + NUMBER_SIZE;
    int fd = -1;
    f->part = malloc(cap);
    for (int i = 0; f->part && i < TRIES; i++) {
        snprintf(f->part, cap, "%s.tabiya-%ld-%d", f->path, (long)getpid(), i);
        fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

/* `old`: the file that is replaced; NULL if there is none. Returns 0 or an errno. */
static int open_part(new_file *f, const char *path, const struct stat *old)
{
    f->path = old ? realpath(path, NULL) : strdup(path);
    const int fd = f->path ? make_part(f) : -1;
    int error = fd < 0 ? errno : 0;
    if (fd >= 0 && old && fchmod(fd, old->st_mode & 0777) != 0)
        error = errno;
    f->file = error ? NULL : fdopen(fd, "wb");
    if (f->file)
        return 0;
    error = error ? error : errno;
    if (fd >= 0) {
        unlink(f->part);
        close(fd);
    }
    forget(f);
    return error;
}

int new_file_open(new_file *f, const char *path)
{
    struct stat old;
    *f = (new_file){.file = NULL};
    const bool is_there = stat(path, &old) == 0;
    if (!is_there || S_ISREG(old.st_mode)) {
        const int error = open_part(f, path, is_there ? &old : NULL);
        const bool is_folders_fault = error == EACCES || error == EPERM || error == EROFS;
        if (!error || !is_there || !is_folders_fault)
            return error;
    }
    f->file = fopen(path, "wb");
    return f->file ? 0 : errno;
}

int new_file_close(new_file *f, bool is_whole)
{
    int error = 0;
    if (is_whole && (fflush(f->file) != 0 || (f->part && fsync(fileno(f->file)) != 0)))
        error = errno;
    if (fclose(f->file) != 0 && is_whole && !error)
        error = errno;
    if (f->part && is_whole && !error && rename(f->part, f->path) != 0)
        error = errno;
    if (f->part && (!is_whole || error))
        unlink(f->part);
    forget(f);
    return error;
}
