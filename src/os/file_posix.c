/*
 * file_posix.c - files of POSIX.
 */
#include "os/file.h"
#include "os/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What is there -------------------------------------------------------------------------------------- */

void os_about_of(os_about *out, const struct stat *s)
{
    const mode_t mode = s->st_mode;
    *out = (os_about){.kind = S_ISREG(mode)   ? OS_FILE
                              : S_ISDIR(mode) ? OS_FOLDER
                              : S_ISLNK(mode) ? OS_LINK
                                              : OS_OTHER,
                      .identity = {(uint64_t)s->st_dev, {(uint64_t)s->st_ino, 0}},
                      .size = (uint64_t)s->st_size,
                      .n_names = (uint64_t)s->st_nlink,
                      .mode = mode & 0777};
#ifdef __APPLE__
    out->seconds = s->st_mtimespec.tv_sec;
    out->nanoseconds = s->st_mtimespec.tv_nsec;
#else
    out->seconds = s->st_mtim.tv_sec;
    out->nanoseconds = s->st_mtim.tv_nsec;
#endif
}

static bool describe(os_about *out, int code, const struct stat *s)
{
    if (code == 0)
        os_about_of(out, s);
    return code == 0;
}

bool os_about_path(os_about *out, const char *path)
{
    struct stat s;
    return describe(out, stat(path, &s), &s);
}

bool os_about_link(os_about *out, const char *path)
{
    struct stat s;
    return describe(out, lstat(path, &s), &s);
}

bool os_about_open(os_about *out, int file)
{
    struct stat s;
    return describe(out, fstat(file, &s), &s);
}

bool os_may_read(const char *path) { return access(path, R_OK) == 0; }
bool os_may_write(const char *path) { return access(path, W_OK) == 0; }

/* ---- Names ---------------------------------------------------------------------------------------------- */

const char *os_name_in_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool os_is_separator(char c) { return c == '/'; }

char *os_full_path(const char *path) { return realpath(path, NULL); }

/* ---- Opening and closing -------------------------------------------------------------------------------- */

int os_flags(int how)
{
    return (how & OS_APPEND  ? O_WRONLY | O_APPEND
            : how & OS_WRITE ? O_WRONLY
                             : O_RDONLY) |
           (how & (OS_CREATE | OS_NEW) ? O_CREAT : 0) | (how & OS_NEW ? O_EXCL : 0) | (how & OS_EMPTY ? O_TRUNC : 0) |
           (how & OS_NO_LINK ? O_NOFOLLOW : 0) | (how & OS_NO_WAIT ? O_NONBLOCK : 0) | O_CLOEXEC | O_NOCTTY;
}

int os_open(const char *path, int how, unsigned mode)
{
    int file;
    do
        file = open(path, os_flags(how), (mode_t)mode);
    while (file < 0 && errno == EINTR);
    return file;
}

bool os_close(int file) { return close(file) == 0; }
int os_duplicate(int file) { return dup(file); }
FILE *os_open_stream(const char *path, const char *mode) { return fopen(path, mode); }
FILE *os_stream_of(int file, const char *mode) { return fdopen(file, mode); }
ptrdiff_t os_read_line(char **line, size_t *cap, FILE *stream) { return getline(line, cap, stream); }

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

ptrdiff_t os_read(int file, void *to, size_t n)
{
    ssize_t got;
    do
        got = read(file, to, n);
    while (got < 0 && errno == EINTR);
    return got;
}

ptrdiff_t os_write(int file, const void *bytes, size_t n)
{
    ssize_t done;
    do
        done = write(file, bytes, n);
    while (done < 0 && errno == EINTR);
    return done;
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

bool os_read_at(int file, void *to, size_t n, uint64_t offset) { return transfer(file, to, NULL, n, offset); }

bool os_write_at(int file, const void *bytes, size_t n, uint64_t offset)
{
    return transfer(file, NULL, bytes, n, offset);
}

bool os_truncate(int file, uint64_t size) { return ftruncate(file, (off_t)size) == 0; }

bool os_sync(int file)
{
#ifdef F_FULLFSYNC /* on macOS, fsync leaves the bytes in the memory of the disk */
    if (fcntl(file, F_FULLFSYNC) == 0)
        return true;
#endif
    return fsync(file) == 0;
}

bool os_wait_for_input(int file, int milliseconds)
{
    struct pollfd ready = {.fd = file, .events = POLLIN};
    return poll(&ready, 1, milliseconds) > 0;
}

bool os_remove(const char *path) { return unlink(path) == 0; }

bool os_is_pipe_closed(FILE *stream, int error)
{
    (void)stream;
    return error == EPIPE;
}

int os_errno_of(int number) { return number; }

bool os_is_remote(const char *path)
{
    (void)path;
    return false;
}
