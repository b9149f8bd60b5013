/*
 * folder_windows.c - folders of Windows, by their paths.
 *
 * An open folder is held by a handle that does not share the right to delete it, so that its path stays right.
 */
#include "os/folder.h"
#include "os/windows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct os_folder {
    HANDLE handle;
    char path[];
};

struct os_list {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool has_found; /* `found` is the next one */
    char name[MAX_PATH * 3 + 1];
    os_entry entry;
};

os_folder *os_folder_open(const char *path)
{
    if (!os_is_folder(path)) {
        if (os_is_file(path))
            errno = ENOTDIR;
        return NULL;
    }
    os_folder *folder = malloc(sizeof *folder + strlen(path) + 1);
    wchar_t *wide = folder ? os_wide_path(path) : NULL;
    if (!wide) {
        free(folder);
        errno = ENOMEM;
        return NULL;
    }
    strcpy(folder->path, path);
    folder->handle = CreateFileW(wide, FILE_READ_ATTRIBUTES | SYNCHRONIZE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                 OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    return folder;
}

void os_folder_close(os_folder *folder)
{
    if (folder && folder->handle != INVALID_HANDLE_VALUE)
        CloseHandle(folder->handle);
    free(folder);
}

static bool on_wide_path(const char *path, BOOL (*call)(const wchar_t *path))
{
    wchar_t *wide = os_wide_path(path);
    const bool is_good = wide && call(wide);
    if (wide && !is_good)
        os_set_errno();
    free(wide);
    return is_good;
}

static BOOL make(const wchar_t *path) { return CreateDirectoryW(path, NULL); }
static BOOL drop(const wchar_t *path) { return RemoveDirectoryW(path); }

bool os_folder_make(const char *path) { return on_wide_path(path, make); }
bool os_folder_remove(const char *path) { return on_wide_path(path, drop); }

/* ---- Inside --------------------------------------------------------------------------------------------- */

/* To be freed. */
static char *path_in(const os_folder *folder, const char *path)
{
    const size_t n = strlen(folder->path) + strlen(path) + 2;
    char *whole = malloc(n);
    if (whole && strcmp(path, ".") == 0)
        strcpy(whole, folder->path);
    else if (whole)
        snprintf(whole, n, "%s/%s", folder->path, path);
    else
        errno = ENOMEM;
    return whole;
}

bool os_folder_make_in(const os_folder *folder, const char *path)
{
    char *whole = path_in(folder, path);
    const bool is_good = whole && os_folder_make(whole);
    free(whole);
    return is_good;
}

int os_folder_open_file(const os_folder *folder, const char *path, int how)
{
    char *whole = path_in(folder, path);
    const int file = whole ? os_open(whole, how, 0666) : -1;
    free(whole);
    return file;
}

bool os_folder_about(os_about *out, const os_folder *folder, const char *path)
{
    char *whole = path_in(folder, path);
    const bool is_good = whole && os_about_link(out, whole);
    free(whole);
    return is_good;
}

bool os_folder_has(const os_folder *folder, const char *path)
{
    os_about about;
    return os_folder_about(&about, folder, path);
}

bool os_folder_remove_file(const os_folder *folder, const char *path)
{
    char *whole = path_in(folder, path);
    const bool is_good = whole && os_remove(whole);
    free(whole);
    return is_good;
}

/* ---- Lists ---------------------------------------------------------------------------------------------- */

os_list *os_list_open(const char *path)
{
    const size_t n = strlen(path) + 3;
    char *pattern = malloc(n);
    os_list *list = malloc(sizeof *list);
    if (pattern)
        snprintf(pattern, n, "%s/*", path);
    wchar_t *wide = pattern ? os_wide_path(pattern) : NULL;
    free(pattern);
    if (!wide || !list) {
        free(wide);
        free(list);
        return NULL;
    }
    list->search = FindFirstFileExW(wide, FindExInfoBasic, &list->found, FindExSearchNameMatch, NULL, 0);
    free(wide);
    list->has_found = list->search != INVALID_HANDLE_VALUE;
    if (list->has_found || GetLastError() == ERROR_FILE_NOT_FOUND) /* the root of a drive that is empty */
        return list;
    os_set_errno();
    free(list);
    return NULL;
}

os_list *os_list_open_in(const os_folder *folder, const char *path)
{
    os_about about;
    char *whole = path_in(folder, path);
    os_list *list = NULL;
    if (whole && os_about_link(&about, whole) && about.kind != OS_FOLDER)
        errno = about.kind == OS_LINK ? ELOOP : ENOTDIR;
    else if (whole)
        list = os_list_open(whole);
    free(whole);
    return list;
}

static bool next(os_list *list)
{
    const bool is_there = list->has_found;
    if (!is_there)
        return false;
    if (WideCharToMultiByte(CP_UTF8, 0, list->found.cFileName, -1, list->name, sizeof list->name, NULL, NULL) == 0)
        list->name[0] = '\0';
    const DWORD attributes = list->found.dwFileAttributes;
    list->entry = (os_entry){list->name, attributes & FILE_ATTRIBUTE_REPARSE_POINT ? OS_LINK
                                         : attributes & FILE_ATTRIBUTE_DIRECTORY   ? OS_FOLDER
                                                                                   : OS_FILE};
    list->has_found = FindNextFileW(list->search, &list->found);
    return true;
}

const os_entry *os_list_next(os_list *list)
{
    while (next(list))
        if (strcmp(list->name, ".") != 0 && strcmp(list->name, "..") != 0)
            return &list->entry;
    return NULL;
}

void os_list_close(os_list *list)
{
    if (list && list->search != INVALID_HANDLE_VALUE)
        FindClose(list->search);
    free(list);
}
