/*
 * replace_windows.c - partial files with locks of Windows, which end with the process.
 *
 * A file is locked far behind its last byte, since locked bytes cannot be read or written by others; a folder by a handle
 * that nobody shares. Virus scanners and indexers open new files for a moment, so replacing one is tried for two seconds.
 */
#include "os/folder.h"
#include "os/random.h"
#include "os/replace.h"
#include "os/windows.h"

#include <errno.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_LENGTH = 6, TRIES = 100, REPLACE_MILLISECONDS = 2000, STEP_MILLISECONDS = 20 };

static bool choose(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char bytes[RANDOM_LENGTH];
    char *at = path + strlen(path) - RANDOM_LENGTH;
    if (!os_random(bytes, sizeof bytes))
        return false;
    for (int i = 0; i < RANDOM_LENGTH; i++)
        at[i] = letters[bytes[i] % (sizeof letters - 1)];
    return true;
}

static bool lock(int file)
{
    OVERLAPPED place = {.OffsetHigh = 0x7fffffff};
    return LockFileEx((HANDLE)_get_osfhandle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &place);
}

int os_part_make(char *path, const os_about *old)
{
    (void)old;
    for (int i = 0; i < TRIES && choose(path); i++) {
        const int file = os_open(path, OS_WRITE | OS_NEW, 0666);
        if (file >= 0)
            lock(file);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static HANDLE open_alone(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    const HANDLE folder = wide ? CreateFileW(wide, GENERIC_READ, 0, NULL, OPEN_EXISTING,
                                             FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL)
                               : INVALID_HANDLE_VALUE;
    free(wide);
    return folder;
}

void os_part_remove(const char *path, bool is_folder)
{
    os_about about;
    if (!os_about_link(&about, path) || about.kind != (is_folder ? OS_FOLDER : OS_FILE))
        return;
    if (is_folder) {
        const HANDLE folder = open_alone(path);
        if (folder == INVALID_HANDLE_VALUE)
            return;
        CloseHandle(folder);
        os_folder_remove_with_files(path);
    } else {
        const int file = os_open(path, OS_READ | OS_NO_LINK, 0);
        if (file < 0)
            return;
        if (lock(file))
            os_remove(path);
        os_close(file);
    }
}

static bool is_for_a_moment(DWORD error) { return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED; }

bool os_replace(const char *from, const char *to)
{
    wchar_t *wide_from = os_wide_path(from), *wide_to = os_wide_path(to);
    const ULONGLONG end = GetTickCount64() + REPLACE_MILLISECONDS;
    bool is_done = false;
    while (wide_from && wide_to && !is_done) {
        is_done = MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
        const DWORD error = is_done ? 0 : GetLastError();
        if (is_done || !is_for_a_moment(error) || GetTickCount64() >= end) {
            if (!is_done)
                os_set_errno_of(error);
            break;
        }
        Sleep(STEP_MILLISECONDS);
    }
    free(wide_from);
    free(wide_to);
    return is_done;
}

/* Rights are inherited from the folder. */
void os_mode_copy(const char *path, const os_about *old)
{
    (void)path;
    (void)old;
}

bool os_part_make_folder(char *path, os_lock *lock)
{
    for (int i = 0; i < TRIES && choose(path); i++) {
        if (os_folder_make(path)) {
            const HANDLE folder = open_alone(path);
            *lock = folder == INVALID_HANDLE_VALUE ? OS_NO_LOCK : (os_lock)(intptr_t)folder;
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    return false;
}

void os_unlock(os_lock lock)
{
    if (lock != OS_NO_LOCK)
        CloseHandle((HANDLE)(intptr_t)lock);
}

bool os_lock_open(int file)
{
    const bool is_locked = lock(file);
    if (!is_locked && GetLastError() == ERROR_LOCK_VIOLATION)
        errno = EAGAIN;
    else if (!is_locked)
        os_set_errno();
    return is_locked;
}
