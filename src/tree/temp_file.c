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

bool write_all(int file, const void *bytes, size_t n, uint64_t offset)
{
    const char *s = bytes;
    while (n > 0) {
        const ssize_t written = pwrite(file, s, n, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO;
        if (written <= 0)
            return false;
        s += written;
        offset += (uint64_t)written;
        n -= (size_t)written;
    }
    return true;
}

bool temp_file_add(temp_file *f, const void *bytes, size_t n, uint64_t *offset)
{
    *offset = atomic_fetch_add(&f->end, n);
    return write_all(f->file, bytes, n, *offset);
}

bool temp_file_read(const temp_file *f, void *bytes, size_t n, uint64_t offset)
{
    char *s = bytes;
    while (n > 0) {
        const ssize_t got = pread(f->file, s, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO;
        if (got <= 0)
            return false;
        s += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

void temp_file_close(temp_file *f)
{
    if (f->file >= 0)
        close(f->file);
    f->file = -1;
}
