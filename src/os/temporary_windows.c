/*
 * temporary_windows.c - temporary files of Windows, which the system removes when they are closed.
 */
#include "os/folder.h"
#include "os/random.h"
#include "os/temporary.h"
#include "os/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 100 };

const char *os_temporary_place(void)
{
    static char place[(MAX_PATH + 1) * 3 + 1];
    wchar_t wide[MAX_PATH + 1];
    if (place[0])
        return place;
    const DWORD n = GetTempPathW(MAX_PATH + 1, wide);
    if (n == 0 || n > MAX_PATH || !WideCharToMultiByte(CP_UTF8, 0, wide, -1, place, sizeof place, NULL, NULL))
        strcpy(place, ".");
    const size_t n_place = strlen(place);
    if (n_place > 3 && os_is_separator(place[n_place - 1]))
        place[n_place - 1] = '\0';
    return place;
}

/* FOLDER/tabiya-RANDOM, to be freed. */
static char *choose(const char *folder)
{
    uint64_t number;
    const size_t n = strlen(folder) + 32;
    char *path = malloc(n);
    if (path && os_random(&number, sizeof number)) {
        snprintf(path, n, "%s\\tabiya-%012llx", folder, (unsigned long long)(number & 0xffffffffffff));
        return path;
    }
    free(path);
    errno = ENOMEM;
    return NULL;
}

int os_temporary_file(const char *folder)
{
    HANDLE file = INVALID_HANDLE_VALUE;
    for (int i = 0; i < TRIES && file == INVALID_HANDLE_VALUE; i++) {
        char *path = choose(folder ? folder : os_temporary_place());
        wchar_t *wide = path ? os_wide_path(path) : NULL;
        free(path);
        if (!wide)
            return -1;
        file = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_NEW,
                           FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
        free(wide);
        if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS)
            break;
    }
    if (file == INVALID_HANDLE_VALUE) {
        os_set_errno();
        return -1;
    }
    return _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT | _O_RDWR);
}

FILE *os_temporary_stream(void)
{
    const int file = os_temporary_file(NULL);
    return file < 0 ? NULL : _fdopen(file, "w+b");
}

char *os_temporary_folder(void)
{
    for (int i = 0; i < TRIES; i++) {
        char *path = choose(os_temporary_place());
        if (!path || os_folder_make(path))
            return path;
        free(path);
        if (errno != EEXIST)
            break;
    }
    return NULL;
}
