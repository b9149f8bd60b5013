/*
 * fault_shim.c - overrides functions of the C library (LD_PRELOAD) and lets one of its calls fail:
 *
 *     TABIYA_FAULT=KIND:N:ERRNO      the call after the first N, and all that follow it
 *     TABIYA_FAULT=KIND:N:ERRNO:1    this call only
 *     TABIYA_FAULT_COUNT=FILE        the number of calls of KIND is written there at the end
 *
 * KIND is memory (malloc and related functions), read, write (write, pwrite), sync (fsync, fdatasync), rename or make (open
 * and openat that create a file, mkstemp, mkdir, mkdtemp). If KIND is signal, nothing fails: the signal ERRNO is raised
 * once, at the call after the first N of memory or write.
 */
#undef _FILE_OFFSET_BITS /* both open and open64 are needed */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

typedef enum kind { NONE, MEMORY, READ, WRITE, SYNC, RENAME, MAKE, SIGNAL } kind;

static kind failing;
static long first;
static int number;
static bool is_single;
static atomic_long n_calls;

static bool must_fail(kind k)
{
    if (failing == SIGNAL && (k == MEMORY || k == WRITE) && atomic_fetch_add(&n_calls, 1) == first)
        raise(number);
    if (k != failing)
        return false;
    const long before = atomic_fetch_add(&n_calls, 1);
    if (before < first || (is_single && before > first))
        return false;
    errno = number;
    return true;
}

__attribute__((constructor)) static void begin(void)
{
    static const char *const names[] = {"none", "memory", "read", "write", "sync", "rename", "make", "signal"};
    enum { KINDS = sizeof names / sizeof *names };
    const char *fault = getenv("TABIYA_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
    for (int i = 1; colon && i < KINDS; i++)
        if (strlen(names[i]) == (size_t)(colon - fault) && strncmp(fault, names[i], (size_t)(colon - fault)) == 0) {
            char *end;
            first = strtol(colon + 1, &end, 10);
            number = *end ? (int)strtol(end + 1, &end, 10) : 0;
            is_single = *end == ':';
            failing = (kind)i;
        }
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("TABIYA_FAULT_COUNT");
    const long n = n_calls;
    failing = NONE;
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0)
        return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld", n);
    if (write(fd, text, (size_t)length) != length)
        unlink(path);
    close(fd);
}

#ifdef TBY_COVERAGE
/* The program writes its coverage counters when it exits. It first looks up their environment variables; from then on
   nothing fails. */
char *getenv(const char *name)
{
    extern char **environ;
    const size_t n = strlen(name);
    if (strncmp(name, "GCOV_", 5) == 0)
        failing = NONE;
    for (char **e = environ; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}
#endif

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

#define REAL(name) ((__typeof__(&(name)))real(#name))

/* ---- Memory --------------------------------------------------------------------------------------------- */

void *malloc(size_t n) { return must_fail(MEMORY) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return must_fail(MEMORY) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return must_fail(MEMORY) ? NULL : __libc_realloc(p, n); }

/* ---- Files ---------------------------------------------------------------------------------------------- */

ssize_t read(int fd, void *bytes, size_t n) { return fd > 2 && must_fail(READ) ? -1 : REAL(read)(fd, bytes, n); }

ssize_t write(int fd, const void *bytes, size_t n)
{
    return fd > 2 && must_fail(WRITE) ? -1 : REAL(write)(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    return must_fail(WRITE) ? -1 : REAL(pwrite)(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
    return must_fail(WRITE) ? -1 : REAL(pwrite64)(fd, bytes, n, at);
}

int fsync(int fd) { return must_fail(SYNC) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return must_fail(SYNC) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return must_fail(RENAME) ? -1 : REAL(rename)(from, to); }
int renameat(int a, const char *from, int b, const char *to)
{
    return must_fail(RENAME) ? -1 : REAL(renameat)(a, from, b, to);
}

int mkstemp(char *pattern) { return must_fail(MAKE) ? -1 : REAL(mkstemp)(pattern); }
int mkstemp64(char *pattern) { return must_fail(MAKE) ? -1 : REAL(mkstemp64)(pattern); }
char *mkdtemp(char *pattern) { return must_fail(MAKE) ? NULL : REAL(mkdtemp)(pattern); }
int mkdir(const char *path, mode_t mode) { return must_fail(MAKE) ? -1 : REAL(mkdir)(path, mode); }
int mkdirat(int fd, const char *path, mode_t mode) { return must_fail(MAKE) ? -1 : REAL(mkdirat)(fd, path, mode); }

static mode_t mode_of(int flags, va_list list) { return flags & O_CREAT ? va_arg(list, mode_t) : 0; }

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        const mode_t mode = mode_of(flags, list);                                                                      \
        va_end(list);                                                                                                  \
        return flags & O_CREAT && must_fail(MAKE) ? -1 : REAL(name)(path, flags, mode);                                \
    }
#define OPENAT(name)                                                                                                   \
    int name(int fd, const char *path, int flags, ...)                                                                 \
    {                                                                                                                  \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        const mode_t mode = mode_of(flags, list);                                                                      \
        va_end(list);                                                                                                  \
        return flags & O_CREAT && must_fail(MAKE) ? -1 : REAL(name)(fd, path, flags, mode);                            \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
