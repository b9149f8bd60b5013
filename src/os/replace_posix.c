/*
 * replace_posix.c - partial files with flock, which ends with the process.
 */
#include "os/folder.h"
#include "os/posix.h"
#include "os/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { RANDOM_LENGTH = 6 };

/* The mode that the file has, or would get. */
static mode_t mode_of(const os_about *old)
{
    const mode_t mask = umask(0);
    umask(mask);
    return old ? (mode_t)old->mode : 0666 & ~mask;
}

static void choose_again(char *path) { memcpy(path + strlen(path) - RANDOM_LENGTH, "XXXXXX", RANDOM_LENGTH); }

/* Another run may remove a file before it is locked. */
int os_part_make(char *path, const os_about *old)
{
    struct stat about;
    for (;;) {
        choose_again(path);
        const int file = mkstemp(path);
        if (file >= 0)
            fcntl(file, F_SETFD, FD_CLOEXEC);
        if (file < 0)
            return file;
        if (flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &about) != 0 || about.st_nlink > 0) {
            fchmod(file, mode_of(old));
            return file;
        }
        close(file);
    }
}

void os_part_remove(const char *path, bool is_folder)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &about) == 0 && (is_folder ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode)) &&
        flock(file, LOCK_EX | LOCK_NB) == 0) {
        if (is_folder)
            os_folder_remove_with_files(path);
        else
            unlink(path);
    }
    close(file);
}

bool os_replace(const char *from, const char *to) { return rename(from, to) == 0; }
void os_mode_copy(const char *path, const os_about *old) { chmod(path, mode_of(old)); }

bool os_part_make_folder(char *path, os_lock *lock)
{
    choose_again(path);
    if (!mkdtemp(path))
        return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        flock(file, LOCK_EX | LOCK_NB);
    *lock = file;
    return true;
}

void os_unlock(os_lock lock)
{
    if (lock >= 0)
        close((int)lock);
}

bool os_lock_open(int file)
{
    const bool is_locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (!is_locked && errno == EWOULDBLOCK)
        errno = EAGAIN;
    return is_locked;
}
