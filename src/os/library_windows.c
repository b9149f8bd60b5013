/*
 * library_windows.c - DLLs.
 *
 * Looked for next to the program, in the system's folders and on the PATH, never in the current folder: a file that
 * came with a database must not run.
 */
#include "os/library.h"
#include "os/windows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char failed[256];

void *os_library_open(const char *name)
{
    wchar_t *wide = os_wide(name), found[MAX_PATH], *path = NULL;
    size_t n = 0;
    const DWORD n_path = GetEnvironmentVariableW(L"PATH", NULL, 0);
    HMODULE library = wide ? LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) : NULL;
    if (!library && wide && n_path && (path = malloc(n_path * sizeof *path)) != NULL &&
        GetEnvironmentVariableW(L"PATH", path, n_path) < n_path)
        n = SearchPathW(path, wide, NULL, MAX_PATH, found, NULL);
    if (n > 0 && n < MAX_PATH)
        library = LoadLibraryExW(found, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!library)
        snprintf(failed, sizeof failed, "%.200s cannot be loaded (error %lu)", name, GetLastError());
    free(path);
    free(wide);
    return (void *)library;
}

void *os_library_find(void *library, const char *function)
{
    const FARPROC found = GetProcAddress((HMODULE)library, function);
    void *pointer = NULL;
    _Static_assert(sizeof pointer == sizeof found, "functions and objects have the same addresses");
    memcpy(&pointer, &found, sizeof pointer);
    if (!found)
        snprintf(failed, sizeof failed, "%.200s is missing", function);
    return pointer;
}

void os_library_error(char *out, size_t size) { snprintf(out, size, "%s", failed); }
