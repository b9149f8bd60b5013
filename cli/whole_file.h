/*
 * whole_file.h - files that appear under their names when they are whole.
 */
#ifndef TABIYA_CLI_WHOLE_FILE_H
#define TABIYA_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
    FILE *file;
    char *path; /* where it goes, links followed; NULL: it is written in place */
    char *part; /* its name until then */
    struct whole_file *next;
} whole_file;

/* NULL, and errno, if there can be no such file. What `path` held stays until whole_file_close. */
whole_file *whole_file_open(const char *path);
/* False, and errno, if the file could not be written; then `path` is as it was. */
bool whole_file_close(whole_file *f);
/* Removes the parts of all files that are open: the program ends early. */
void whole_files_discard(void);

#endif
