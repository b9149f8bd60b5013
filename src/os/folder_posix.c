/*
 * folder_posix.c - folders of POSIX, by descriptors and the calls that end in -at.
 */
#include "os/folder.h"
#include "os/posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct os_folder {
    int file;
};

struct os_list {
    DIR *list;
    os_entry entry;
};

os_folder *os_folder_open(const char *path)
{
    os_folder *folder = malloc(sizeof *folder);
    if (!folder) {
        errno = ENOMEM;
        return NULL;
    }
    folder->file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->file >= 0)
        return folder;
    const int error = errno;
    free(folder);
    errno = error;
    return NULL;
}

void os_folder_close(os_folder *folder)
{
    if (folder)
        close(folder->file);
    free(folder);
}

bool os_folder_make(const char *path) { return mkdir(path, 0777) == 0; }
bool os_folder_remove(const char *path) { return rmdir(path) == 0; }

/* ---- Inside --------------------------------------------------------------------------------------------- */

bool os_folder_make_in(const os_folder *folder, const char *path) { return mkdirat(folder->file, path, 0777) == 0; }

int os_folder_open_file(const os_folder *folder, const char *path, int how)
{
    return openat(folder->file, path, os_flags(how), 0666);
}

bool os_folder_about(os_about *out, const os_folder *folder, const char *path)
{
    struct stat s;
    if (fstatat(folder->file, path, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    os_about_of(out, &s);
    return true;
}

bool os_folder_has(const os_folder *folder, const char *path)
{
    return faccessat(folder->file, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool os_folder_remove_file(const os_folder *folder, const char *path) { return unlinkat(folder->file, path, 0) == 0; }

/* ---- Lists ---------------------------------------------------------------------------------------------- */

static os_list *list_new(DIR *dir)
{
    os_list *list = dir ? malloc(sizeof *list) : NULL;
    if (list)
        *list = (os_list){.list = dir};
    else if (dir)
        closedir(dir);
    return list;
}

os_list *os_list_open(const char *path) { return list_new(opendir(path)); }

os_list *os_list_open_in(const os_folder *folder, const char *path)
{
    const int file = openat(folder->file, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = file < 0 ? NULL : fdopendir(file);
    if (!dir && file >= 0) {
        const int error = errno;
        close(file);
        errno = error;
    }
    return list_new(dir);
}

/* Some file systems do not report the type with the name. */
static os_kind kind_of(DIR *dir, const struct dirent *entry)
{
    struct stat s;
#ifdef DT_UNKNOWN
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR   ? OS_FOLDER
               : entry->d_type == DT_LNK ? OS_LINK
               : entry->d_type == DT_REG ? OS_FILE
                                         : OS_OTHER;
#endif
    if (fstatat(dirfd(dir), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
        return OS_OTHER;
    return S_ISDIR(s.st_mode) ? OS_FOLDER : S_ISLNK(s.st_mode) ? OS_LINK : OS_FILE;
}

const os_entry *os_list_next(os_list *list)
{
    const struct dirent *entry;
    do
        entry = readdir(list->list);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    if (!entry)
        return NULL;
    list->entry = (os_entry){entry->d_name, kind_of(list->list, entry)};
    return &list->entry;
}

void os_list_close(os_list *list)
{
    if (list)
        closedir(list->list);
    free(list);
}
