/*
 * temporary.h - temporary files and folders.
 */
#ifndef TBY_OS_TEMPORARY_H
#define TBY_OS_TEMPORARY_H

#include "os/folder.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that disappears when it is closed, in `folder` or (NULL) where temporary files belong: a descriptor, or -1. */
int os_temporary_file(const char *folder);
FILE *os_temporary_stream(void);
/* A new folder, which nobody else can use, where temporary files belong: its path, to be freed; NULL on failure. */
char *os_temporary_folder(void);
/* Where temporary files belong. */
const char *os_temporary_place(void);

/* Removes such a folder with the files in it. */
static inline void os_temporary_folder_remove(const char *path)
{
    os_folder *folder = os_folder_open(path);
    os_list *list = folder ? os_list_open_in(folder, ".") : NULL;
    for (const os_entry *e; list && (e = os_list_next(list)) != NULL;)
        os_folder_remove_file(folder, e->name);
    os_list_close(list);
    os_folder_close(folder);
    os_folder_remove(path);
}

#endif
