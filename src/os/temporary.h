/*
 * temporary.h - temporary files and folders.
 */
#ifndef TBY_OS_TEMPORARY_H
#define TBY_OS_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

/* A file that disappears when it is closed, in `folder` or (NULL) where temporary files belong: a descriptor, or -1. */
int os_temporary_file(const char *folder);
FILE *os_temporary_stream(void);
/* A new folder, which nobody else can use, where temporary files belong: its path, to be freed; NULL on failure. */
char *os_temporary_folder(void);
/* Where temporary files belong. */
const char *os_temporary_place(void);

#endif
