/*
 * new_file.h - a file that replaces another only when it is complete.
 */
#ifndef TABIYA_PYTHON_NEW_FILE_H
#define TABIYA_PYTHON_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct new_file {
    FILE *file;
    char *path; /* of the file to be replaced, links followed; NULL: written in place */
    char *part; /* the name until then */
} new_file;

/* Returns 0 or an errno. */
int new_file_open(new_file *f, const char *path);
/* Closes the file, which gets its name if `is_whole`, and otherwise is removed. Returns 0 or an errno. */
int new_file_close(new_file *f, bool is_whole);

#endif
