/*
 * folder.h - folders: making and listing them, and working inside one that stays open.
 *
 * Paths inside an open folder are relative to it. They lead to the same folder even if it is moved meanwhile, except on
 * Windows, where an open folder cannot be moved.
 */
#ifndef TBY_OS_FOLDER_H
#define TBY_OS_FOLDER_H

#include "os/file.h"

typedef struct os_folder os_folder;
typedef struct os_list os_list;

/* NULL on failure. */
os_folder *os_folder_open(const char *path);
void os_folder_close(os_folder *folder);
bool os_folder_make(const char *path);
/* An empty one. */
bool os_folder_remove(const char *path);
/* One with files but no folders. */
void os_folder_remove_with_files(const char *path);

bool os_folder_make_in(const os_folder *folder, const char *path);
int os_folder_open_file(const os_folder *folder, const char *path, int how);
/* Of a link itself. */
bool os_folder_about(os_about *out, const os_folder *folder, const char *path);
bool os_folder_has(const os_folder *folder, const char *path);
bool os_folder_remove_file(const os_folder *folder, const char *path);

/* The names in a folder, in no order and without . and .., as in

       while ((errno = 0, entry = os_list_next(list)) != NULL)

   after which errno says whether that is all. NULL on failure; in the second, a link is not followed. */
typedef struct os_entry {
    const char *name; /* until the next one */
    os_kind kind;     /* of a link, OS_LINK */
} os_entry;
os_list *os_list_open(const char *path);
os_list *os_list_open_in(const os_folder *folder, const char *path);
const os_entry *os_list_next(os_list *list);
void os_list_close(os_list *list);

#endif
