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
#include "whole_file.h"

#include "console.h"
#include "os/folder.h"
#include "os/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PART ".tabiya-"
enum { PART_LENGTH = sizeof PART - 1, RANDOM_LENGTH = 6 };

static whole_file *open_files; /* in the main thread only */
static char *open_folder;
static folder_file *folder_files;
static os_lock folder_lock = OS_NO_LOCK;
static bool is_spoiled; /* an input failed */

/* To be freed. */
static char *folder_of(const char *path)
{
    const size_t n = (size_t)(os_name_in_path(path) - path);
    char *folder = memory_new(n + 2, 1);
    memcpy(folder, n ? path : ".", n ? n : 1);
    return folder;
}

/* ---- Leftovers -------------------------------------------------------------------------------------------------- */

/* Is it STEM.tabiya-XXXXXX? */
static bool is_leftover(const char *name, const char *stem, size_t n_stem)
{
    return strlen(name) == n_stem + PART_LENGTH + RANDOM_LENGTH && strncmp(name, stem, n_stem) == 0 &&
           strncmp(name + n_stem, PART, PART_LENGTH) == 0;
}

/* Removes the partial files that `pattern`, a path with XXXXXX at its end, may have become. */
static void remove_leftovers(const char *pattern, bool is_folder)
{
    const char *stem = os_name_in_path(pattern);
    const size_t n_folder = (size_t)(stem - pattern), n_stem = strlen(stem) - PART_LENGTH - RANDOM_LENGTH;
    char *folder = folder_of(pattern);
    os_list *list = os_list_open(folder);
    for (const os_entry *e; list && (e = os_list_next(list)) != NULL;)
        if (is_leftover(e->name, stem, n_stem)) {
            buffer path = {0};
            buffer_printf(&path, "%.*s%s", (int)n_folder, pattern, e->name);
            os_part_remove(path.s, is_folder);
            buffer_free(&path);
        }
    os_list_close(list);
    free(folder);
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

static void undo(const whole_file *f, int fd)
{
    const int error = errno;
    if (f->part)
        os_remove(f->part);
    else if (f->old_size >= 0 && !os_truncate(fd, (uint64_t)f->old_size))
        fputs("tabiya: the file could not be truncated to its old size\n", stderr);
    errno = error;
}

/* Also called in a signal handler: frees no memory. */
static void leave_folder(void)
{
    for (const folder_file *f = folder_files; f; f = f->next)
        os_remove(f->path);
    const bool is_gone = !open_folder || os_folder_remove(open_folder);
    os_unlock(folder_lock);
    if (!is_gone) /* Windows removes no folder that is open */
        os_folder_remove(open_folder);
    folder_lock = OS_NO_LOCK;
    folder_files = NULL;
}

void whole_files_discard(void)
{
    for (const whole_file *f = open_files; f; f = f->next)
        if (f->part)
            os_remove(f->part);
        else if (f->old_size >= 0 && !os_truncate(f->fd, (uint64_t)f->old_size))
            continue; /* nothing more can be done */
    leave_folder();
}

/* At exit, buffers are written after this, so a file that was appended to is closed before it is truncated. */
static void discard_at_exit(void)
{
    for (whole_file *f = open_files; f; f = f->next)
        if (f->old_size >= 0) {
            const int fd = os_duplicate(f->fd);
            fclose(f->file);
            undo(f, fd);
            f->old_size = -1;
        }
    whole_files_discard();
}

static void watch_for_ends(void)
{
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    atexit(discard_at_exit);
    os_signals_before_end(whole_files_discard);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* To be freed. */
static char *pattern_of(const char *path, const char *slash)
{
    buffer pattern = {0};
    buffer_printf(&pattern, "%s%s" PART "XXXXXX", path, slash);
    return pattern.s;
}

/* Creates the partial file next to `path`; false, and errno, on failure. */
static bool open_part(whole_file *f, const char *path, const os_about *old)
{
    f->path = old ? os_full_path(path) : strdup(path);
    f->part = f->path ? pattern_of(f->path, "") : NULL;
    if (!f->part)
        return false;
    remove_leftovers(f->part, false);
    const int fd = os_part_make(f->part, old);
    if (fd < 0)
        return false;
    f->file = os_stream_of(fd, "w");
    if (!f->file) {
        const int error = errno;
        os_remove(f->part);
        os_close(fd);
        errno = error;
    }
    return f->file != NULL;
}

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
    os_about of_a, of_b;
    char *x = folder_of(a), *y = folder_of(b);
    const bool is_same = strcmp(os_name_in_path(a), os_name_in_path(b)) == 0 && os_about_path(&of_a, x) &&
                         os_about_path(&of_b, y) && os_is_same(&of_a.identity, &of_b.identity);
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
    os_about old;
    const bool is_there = os_about_path(&old, path);
    whole_file *f = memory_new(1, sizeof *f);
    f->old_size = -1;
    watch_for_ends();
    /* A read-only file is not replaced either. */
    const bool is_in_place = is_there && (old.kind != OS_FILE || !os_may_write(path));
    if (is_in_place || (!open_part(f, path, is_there ? &old : NULL) && os_is_folders_fault(errno))) {
        forget_part(f);
        f->file = os_open_stream(path, "w");
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
    os_about old;
    if (!os_about_path(&old, path))
        return whole_file_open(path);
    whole_file *f = memory_new(1, sizeof *f);
    watch_for_ends();
    f->old_size = old.kind == OS_FILE ? (int64_t)old.size : -1;
    f->file = os_open_stream(path, "a");
    return remember(f, path);
}

/* Flushes and closes it. On failure, undoes it, sets errno and returns false. */
static bool finish(whole_file *f)
{
    const int fd = os_duplicate(f->fd); /* used to truncate the file after fclose, which may write */
    const bool had_failed = ferror(f->file) != 0;
    /* It is synced before it is renamed: a power failure leaves either the old file or the complete new one. Not every C library
       reports what fclose could not write. */
    const bool is_synced = fflush(f->file) == 0 && (!f->part || os_sync(f->fd));
    const int sync_error = is_synced ? 0 : errno;
    const bool is_good = fclose(f->file) == 0 && !had_failed && is_synced;
    f->file = NULL;
    if (sync_error)
        errno = sync_error;
    if (!is_good || is_spoiled)
        undo(f, fd);
    if (fd >= 0) {
        const int error = errno;
        os_close(fd);
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
        os_remove(f->part);
    if (is_spoiled && (f->part || f->old_size >= 0))
        error_print("%s was not replaced: some input could not be read", f->name);
    if (is_spoiled || !f->part || os_replace(f->part, f->path))
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
    char *pattern = pattern_of(folder, *folder && !os_is_separator(folder[strlen(folder) - 1]) ? "/" : "");
    watch_for_ends();
    remove_leftovers(pattern, true);
    if (!os_part_make_folder(pattern, &folder_lock)) {
        free(pattern);
        return NULL;
    }
    open_folder = pattern;
    return open_folder;
}

void whole_folder_add(folder_file *f)
{
    f->next = folder_files;
    folder_files = f;
}

/* Is it a file that was moved before? */
static bool is_moved(const os_about *about)
{
    for (const folder_file *f = folder_files; f; f = f->next)
        if (f->is_moved && os_is_same(&f->identity, &about->identity))
            return true;
    return false;
}

/* A link is followed, but not to another output of this run, which would be lost. */
bool whole_folder_move(folder_file *f, const char *name)
{
    os_about old, link, own;
    const bool is_there = os_about_path(&old, name), is_link = os_about_link(&link, name) && link.kind == OS_LINK;
    char *whole = is_there && is_link && !is_moved(&old) ? os_full_path(name) : NULL;
    os_mode_copy(f->path, is_there ? &old : NULL);
    f->is_moved = os_about_path(&own, f->path) && os_replace(f->path, whole ? whole : name);
    if (f->is_moved)
        f->identity = own.identity;
    free(whole);
    return f->is_moved;
}

void whole_folder_close(void)
{
    leave_folder();
    free(open_folder);
    open_folder = NULL;
}
