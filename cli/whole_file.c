/*
 * whole_file.c - files that appear under their names when they are whole.
 *
 *     games.pgn --open--> games.pgn.Xa81Qz, written --close--> renamed to games.pgn
 *
 * Keeps    the old file until the new one is whole: a failure, a full disk, Ctrl-C or a kill leaves it as it was. All
 *          of them except a kill remove the part. Devices and pipes, and files in folders where no other file can be
 *          made, are written in place.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "whole_file.h"

#include "common.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static whole_file *open_files; /* in the main thread only */

void whole_files_discard(void)
{
    for (const whole_file *f = open_files; f; f = f->next)
        if (f->part)
            unlink(f->part);
}

static void end_by_signal(int number)
{
    whole_files_discard();
    signal(number, SIG_DFL);
    raise(number);
}

/* Once, and only for signals that nobody catches or ignores. */
static void watch_for_ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    atexit(whole_files_discard);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            signal(signals[i], end_by_signal);
    }
}

/* The mode that the file has, or would get. */
static mode_t mode_of(const struct stat *old)
{
    const mode_t mask = umask(0);
    umask(mask);
    return old ? old->st_mode & 0777 : 0666 & ~mask;
}

/* Makes the part beside `path`; false if there cannot be one. */
static bool open_part(whole_file *f, const char *path, const struct stat *old)
{
    f->path = old ? realpath(path, NULL) : strdup(path);
    f->part = f->path ? malloc(strlen(f->path) + 8) : NULL;
    if (!f->part)
        return false;
    strcat(strcpy(f->part, f->path), ".XXXXXX");
    const int fd = mkstemp(f->part);
    if (fd < 0)
        return false;
    fchmod(fd, mode_of(old));
    f->file = fdopen(fd, "w");
    return f->file != NULL;
}

static void forget_part(whole_file *f)
{
    free(f->path);
    free(f->part);
    f->path = f->part = NULL;
}

whole_file *whole_file_open(const char *path)
{
    struct stat old;
    const bool is_there = stat(path, &old) == 0;
    whole_file *f = memory_new(1, sizeof *f);
    watch_for_ends();
    /* A file that may not be written is not replaced either. */
    if ((is_there && (!S_ISREG(old.st_mode) || access(path, W_OK) != 0)) ||
        !open_part(f, path, is_there ? &old : NULL)) {
        forget_part(f);
        f->file = fopen(path, "w");
    }
    if (!f->file) {
        free(f);
        return NULL;
    }
    f->next = open_files;
    open_files = f;
    return f;
}

bool whole_file_close(whole_file *f)
{
    const bool had_failed = ferror(f->file) != 0;
    bool is_good = fclose(f->file) == 0 && !had_failed;
    if (is_good && f->part)
        is_good = rename(f->part, f->path) == 0;
    if (!is_good && f->part) {
        const int error = errno;
        unlink(f->part);
        errno = error;
    }
    for (whole_file **at = &open_files; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    forget_part(f);
    free(f);
    return is_good;
}
