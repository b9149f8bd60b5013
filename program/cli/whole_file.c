/*
 * whole_file.c - output files that get their names only when they are complete.
 *
 *     games.pgn --open--> games.pgn.tabiya-Xa81Qz, written --close--> renamed to games.pgn
 *
 * Keeps    the contents of a file until its replacement is complete and on disk: a failure, a full disk, Ctrl-C, a kill
 * or a
 *          power failure leave it as it was.
 *          All except kill -9 remove the partial file, and one left by kill -9 is removed by the next run
 *          that writes the same file. A partial file in use is locked, so that no other run removes it. Devices
 *          and pipes, and files in folders where no file can be created, are written in place.
 *          If an input cannot be read, none of the files written from it get their names.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* flock */
#include "whole_file.h"

#include "console.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART ".tabiya-"
enum { PART_LENGTH = sizeof PART - 1, RANDOM_LENGTH = 6 };

static whole_file *open_files; /* in the main thread only */
static char *open_folder;
static folder_file *folder_files;
static int folder_lock = -1;
static bool is_spoiled; /* an input failed */

static const char *name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* To be freed. */
static char *folder_of(const char *path)
{
    const size_t n = (size_t)(name_in_folder(path) - path);
    return memory_got(n ? strndup(path, n) : strdup("."));
}

/* ---- Leftovers -------------------------------------------------------------------------------------------------- */

void folder_remove(const char *path)
{
    DIR *dir = opendir(path);
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(path);
}

/* True if nobody is writing to it any more: a running program would have locked it. */
static void remove_leftover(const char *path, bool is_folder)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && (is_folder ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode)) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (is_folder)
            folder_remove(path);
        else
            unlink(path);
    }
    close(fd);
}

/* Is it STEM.tabiya-XXXXXX? */
static bool is_leftover(const char *name, const char *stem, size_t n_stem)
{
    return strlen(name) == n_stem + PART_LENGTH + RANDOM_LENGTH && strncmp(name, stem, n_stem) == 0 &&
           strncmp(name + n_stem, PART, PART_LENGTH) == 0;
}

/* Removes the partial files that `pattern`, a path with XXXXXX at its end, may have become. */
static void remove_leftovers(const char *pattern, bool is_folder)
{
    const char *stem = name_in_folder(pattern);
    const size_t n_folder = (size_t)(stem - pattern), n_stem = strlen(stem) - PART_LENGTH - RANDOM_LENGTH;
    char *folder = folder_of(pattern);
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (is_leftover(e->d_name, stem, n_stem)) {
            buffer path = {0};
            buffer_printf(&path, "%.*s%s", (int)n_folder, pattern, e->d_name);
            remove_leftover(path.s, is_folder);
            buffer_free(&path);
        }
    if (dir)
        closedir(dir);
    free(folder);
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

static void undo(const whole_file *f, int fd)
{
    const int error = errno;
    if (f->part)
        unlink(f->part);
    else if (f->old_size >= 0 && ftruncate(fd, f->old_size) != 0)
        fputs("tabiya: the file could not be truncated to its old size\n", stderr);
    errno = error;
}

/* Also called in a signal handler: frees no memory. */
static void leave_folder(void)
{
    for (const folder_file *f = folder_files; f; f = f->next)
        unlink(f->path);
    if (open_folder)
        rmdir(open_folder);
    if (folder_lock >= 0)
        close(folder_lock);
    folder_lock = -1;
    folder_files = NULL;
}

void whole_files_discard(void)
{
    for (const whole_file *f = open_files; f; f = f->next)
        if (f->part)
            unlink(f->part);
        else if (f->old_size >= 0 && ftruncate(f->fd, f->old_size) != 0)
            continue; /* nothing more can be done */
    leave_folder();
}

static void end_by_signal(int number)
{
    whole_files_discard();
    signal(number, SIG_DFL);
    raise(number);
}

/* At exit, buffers are written after this, so a file that was appended to is closed before it is truncated. */
static void discard_at_exit(void)
{
    for (whole_file *f = open_files; f; f = f->next)
        if (f->old_size >= 0) {
            const int fd = dup(f->fd);
            fclose(f->file);
            undo(f, fd);
            f->old_size = -1;
        }
    whole_files_discard();
}

/* Once, and only for signals that nobody catches or ignores. */
static void watch_for_ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    atexit(discard_at_exit);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            signal(signals[i], end_by_signal);
    }
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The mode that the file has, or would get. */
static mode_t mode_of(const struct stat *old)
{
    const mode_t mask = umask(0);
    umask(mask);
    return old ? old->st_mode & 0777 : 0666 & ~mask;
}

/* To be freed. */
static char *pattern_of(const char *path, const char *slash)
{
    buffer pattern = {0};
    buffer_printf(&pattern, "%s%s" PART "XXXXXX", path, slash);
    return pattern.s;
}

/* Creates a partial file and locks it; another run may have removed it before it was locked. -1 on failure. */
static int make_part(char *pattern)
{
    char *random = pattern + strlen(pattern) - RANDOM_LENGTH;
    struct stat about;
    for (;;) {
        memcpy(random, "XXXXXX", RANDOM_LENGTH);
        const int fd = mkstemp(pattern);
        if (fd >= 0)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &about) != 0 || about.st_nlink > 0)
            return fd;
        close(fd);
    }
}

/* Creates the partial file next to `path`; false, and errno, on failure. */
static bool open_part(whole_file *f, const char *path, const struct stat *old)
{
    f->path = old ? realpath(path, NULL) : strdup(path);
    f->part = f->path ? pattern_of(f->path, "") : NULL;
    if (!f->part)
        return false;
    remove_leftovers(f->part, false);
    const int fd = make_part(f->part);
    if (fd < 0)
        return false;
    fchmod(fd, mode_of(old));
    f->file = fdopen(fd, "w");
    if (!f->file) {
        const int error = errno;
        unlink(f->part);
        close(fd);
        errno = error;
    }
    return f->file != NULL;
}

/* Did it fail only because no file can be created in the folder, so that the file itself may still be writable? */
static bool is_folders_fault(int error) { return error == EACCES || error == EPERM || error == EROFS; }

static void forget_part(whole_file *f)
{
    free(f->path);
    free(f->part);
    f->path = f->part = NULL;
}

/* Registers an open file; NULL if there is none. */
static whole_file *remember(whole_file *f, const char *path)
{
    if (!f->file) {
        free(f);
        return NULL;
    }
    f->name = path;
    f->fd = fileno(f->file);
    f->next = open_files;
    open_files = f;
    return f;
}

/* Do both names refer to the same file, which need not exist yet? */
static bool is_same_name(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char *x = folder_of(a), *y = folder_of(b);
    const bool is_same = strcmp(name_in_folder(a), name_in_folder(b)) == 0 && stat(x, &of_a) == 0 &&
                         stat(y, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    free(x);
    free(y);
    return is_same;
}

/* Two options may name one file. The new one is registered already, so that it is removed at exit. */
static void refuse_twice(const whole_file *f)
{
    for (const whole_file *other = f->next; f->path && other; other = other->next)
        if (other->path && is_same_name(f->path, other->path))
            error_exit("%s would be written twice", f->name);
}

whole_file *whole_file_open(const char *path)
{
    struct stat old;
    const bool is_there = stat(path, &old) == 0;
    whole_file *f = memory_new(1, sizeof *f);
    f->old_size = -1;
    watch_for_ends();
    /* A read-only file is not replaced either. */
    const bool is_in_place = is_there && (!S_ISREG(old.st_mode) || access(path, W_OK) != 0);
    if (is_in_place || (!open_part(f, path, is_there ? &old : NULL) && is_folders_fault(errno))) {
        forget_part(f);
        f->file = fopen(path, "w");
    }
    if (!f->file)
        forget_part(f);
    f = remember(f, path);
    if (f)
        refuse_twice(f);
    return f;
}

whole_file *whole_file_append(const char *path)
{
    struct stat old;
    if (stat(path, &old) != 0)
        return whole_file_open(path);
    whole_file *f = memory_new(1, sizeof *f);
    watch_for_ends();
    f->old_size = S_ISREG(old.st_mode) ? old.st_size : -1;
    f->file = fopen(path, "a");
    return remember(f, path);
}

/* Flushes and closes it. On failure, undoes it, sets errno and returns false. */
static bool finish(whole_file *f)
{
    const int fd = dup(f->fd); /* used to truncate the file after fclose, which may write */
    const bool had_failed = ferror(f->file) != 0;
    /* It is synced before it is renamed: a power failure leaves either the old file or the complete new one. */
    const bool is_synced = !f->part || (fflush(f->file) == 0 && fsync(fileno(f->file)) == 0);
    const int sync_error = is_synced ? 0 : errno;
    const bool is_good = fclose(f->file) == 0 && !had_failed && is_synced;
    f->file = NULL;
    if (sync_error)
        errno = sync_error;
    if (!is_good || is_spoiled)
        undo(f, fd);
    if (fd >= 0) {
        const int error = errno;
        close(fd);
        errno = error;
    }
    return is_good;
}

static void forget(whole_file *f)
{
    const int error = errno;
    for (whole_file **at = &open_files; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    forget_part(f);
    free(f);
    errno = error;
}

/* Renames the partial file, unless there is none or it is incomplete. */
static bool take_name(const whole_file *f)
{
    if (is_spoiled && f->part)
        unlink(f->part);
    if (is_spoiled && (f->part || f->old_size >= 0))
        error_print("%s was not replaced: some input could not be read", f->name);
    if (is_spoiled || !f->part || rename(f->part, f->path) == 0)
        return true;
    undo(f, -1);
    return false;
}

bool whole_file_set_aside(whole_file *f)
{
    const bool is_good = finish(f);
    if (is_good && f->part)
        f->name = f->path; /* the caller's text may change */
    else
        forget(f);
    return is_good;
}

static whole_file *next_set_aside(void)
{
    whole_file *f = open_files;
    while (f && f->file)
        f = f->next;
    return f;
}

bool whole_file_close(whole_file *f)
{
    bool is_good = finish(f) && take_name(f);
    forget(f);
    for (whole_file *other; is_good && (other = next_set_aside()) != NULL; forget(other))
        is_good = take_name(other);
    return is_good;
}

void whole_files_spoil(void) { is_spoiled = true; }
bool whole_files_are_spoiled(void) { return is_spoiled; }

/* ---- Folders ---------------------------------------------------------------------------------------------------- */

const char *whole_folder_open(const char *folder)
{
    char *pattern = pattern_of(folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "");
    watch_for_ends();
    remove_leftovers(pattern, true);
    if (!mkdtemp(pattern)) {
        free(pattern);
        return NULL;
    }
    open_folder = pattern;
    folder_lock = open(open_folder, O_RDONLY | O_CLOEXEC);
    if (folder_lock >= 0)
        flock(folder_lock, LOCK_EX | LOCK_NB);
    return open_folder;
}

void whole_folder_add(folder_file *f)
{
    f->next = folder_files;
    folder_files = f;
}

/* Is it a file that was moved before? */
static bool is_moved(const struct stat *about)
{
    for (const folder_file *f = folder_files; f; f = f->next)
        if (f->is_moved && f->device == about->st_dev && f->inode == about->st_ino)
            return true;
    return false;
}

/* A link is followed, but not to another output of this run, which would be lost. */
bool whole_folder_move(folder_file *f, const char *name)
{
    struct stat old, link, own;
    const bool is_there = stat(name, &old) == 0, is_link = lstat(name, &link) == 0 && S_ISLNK(link.st_mode);
    char *whole = is_there && is_link && !is_moved(&old) ? realpath(name, NULL) : NULL;
    chmod(f->path, mode_of(is_there ? &old : NULL));
    f->is_moved = stat(f->path, &own) == 0 && rename(f->path, whole ? whole : name) == 0;
    if (f->is_moved) {
        f->device = own.st_dev;
        f->inode = own.st_ino;
    }
    free(whole);
    return f->is_moved;
}

void whole_folder_close(void)
{
    leave_folder();
    free(open_folder);
    open_folder = NULL;
}
