/*
 * file.h - files: opening, reading and writing them, what they are, and whether two names are one file.
 *
 * As everywhere in os/: names are UTF-8, and a function that fails sets errno.
 */
#ifndef TBY_OS_FILE_H
#define TBY_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- What is there -------------------------------------------------------------------------------------- */

typedef enum os_kind { OS_FILE, OS_FOLDER, OS_LINK, OS_OTHER } os_kind;

/* Which file it is, whatever its names. */
typedef struct os_identity {
    uint64_t device, file[2];
} os_identity;

typedef struct os_about {
    os_kind kind;
    os_identity identity;
    uint64_t size;
    uint64_t n_names;
    int64_t seconds, nanoseconds; /* when it was last written, since 1970 */
    unsigned mode;                /* who may do what, as chmod takes it */
} os_about;

/* Of the file that the name leads to. */
bool os_about_path(os_about *out, const char *path);
/* Of a link itself. */
bool os_about_link(os_about *out, const char *path);
bool os_about_open(os_about *out, int file);
/* Is it a file with bytes, no folder, pipe or device? */
static inline bool os_is_file(const char *path)
{
    os_about about;
    return os_about_path(&about, path) && about.kind == OS_FILE;
}
static inline bool os_is_folder(const char *path)
{
    os_about about;
    return os_about_path(&about, path) && about.kind == OS_FOLDER;
}
static inline bool os_is_same(const os_identity *a, const os_identity *b)
{
    return a->device == b->device && a->file[0] == b->file[0] && a->file[1] == b->file[1];
}
/* Is it on another machine's disk, so that processes share no memory through it? Only Windows can tell. */
bool os_is_remote(const char *path);
bool os_may_read(const char *path);
bool os_may_write(const char *path);

/* ---- Names ---------------------------------------------------------------------------------------------- */

/* The last part of a path: what follows the last slash, and on Windows the last backslash or the drive. */
const char *os_name_in_path(const char *path);
bool os_is_separator(char c);
/* The path with all links followed, to be freed. */
char *os_full_path(const char *path);

/* ---- Opening and closing -------------------------------------------------------------------------------- */

enum {
    OS_READ = 0,
    OS_WRITE = 1,
    OS_APPEND = 2, /* every write goes to the end, in one piece */
    OS_CREATE = 4, /* unless it exists */
    OS_NEW = 8,    /* it must not exist */
    OS_EMPTY = 16, /* what it contains is dropped */
    OS_NO_LINK = 32,
    OS_NO_WAIT = 64 /* a pipe is opened even if nobody is at its other end */
};

/* A descriptor, which other programs do not inherit; -1 on failure. */
int os_open(const char *path, int how, unsigned mode);
bool os_close(int file);
int os_duplicate(int file);
/* As the function of C, but with names in UTF-8 and bytes as they are. */
FILE *os_open_stream(const char *path, const char *mode);
FILE *os_stream_of(int file, const char *mode);
/* As POSIX's getline: a line with its end, in a block that grows. Its length; -1 at the end and on failure. */
ptrdiff_t os_read_line(char **line, size_t *cap, FILE *stream);

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

/* How many bytes; 0 at the end, -1 on failure. */
ptrdiff_t os_read(int file, void *to, size_t n);
ptrdiff_t os_write(int file, const void *bytes, size_t n);
/* All bytes at that place; any number of threads may use one file so. */
bool os_read_at(int file, void *to, size_t n, uint64_t offset);
bool os_write_at(int file, const void *bytes, size_t n, uint64_t offset);
bool os_truncate(int file, uint64_t size);
/* Returns when everything that was written would survive a power failure. */
bool os_sync(int file);
/* Are there bytes to read, or will there never be any? False after that time. */
bool os_wait_for_input(int file, int milliseconds);

bool os_remove(const char *path);
/* The errno that a number of the system's own errors means, as SQLite keeps them. */
int os_errno_of(int number);
/* Was it a write to a pipe that nobody reads any more? */
bool os_is_pipe_closed(FILE *stream, int error);

#endif
