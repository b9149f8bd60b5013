/*
 * temp_file.c - an unnamed file for data that does not fit into memory.
 */
#include "tree/temp_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool temp_file_open(temp_file *f, const char *folder)
{
    char path[4096];
    const char *usual = getenv("TMPDIR");
    folder = folder ? folder : usual && *usual ? usual : "/tmp";
    f->file = -1;
    atomic_init(&f->end, 0);
    if (snprintf(path, sizeof path, "%s/tabiya-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    f->file = mkstemp(path);
    return f->file >= 0 && unlink(path) == 0;
}

/* Reads all bytes into `to`, or if it is NULL, writes those of `from`. */
static bool transfer(int file, char *to, const char *from, size_t n, uint64_t offset)
{
    for (size_t at = 0; at < n;) {
        const off_t place = (off_t)(offset + at);
        const ssize_t done = to ? pread(file, to + at, n - at, place) : pwrite(file, from + at, n - at, place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = EIO;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

bool write_all(int file, const void *bytes, size_t n, uint64_t offset)
{
    return transfer(file, NULL, bytes, n, offset);
}

bool temp_file_add(temp_file *f, const void *bytes, size_t n, uint64_t *offset)
{
    *offset = atomic_fetch_add(&f->end, n);
    return write_all(f->file, bytes, n, *offset);
}

bool temp_file_read(const temp_file *f, void *bytes, size_t n, uint64_t offset)
{
    return transfer(f->file, bytes, NULL, n, offset);
}

void temp_file_close(temp_file *f)
{
    if (f->file >= 0)
        close(f->file);
    f->file = -1;
}
