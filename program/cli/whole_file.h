/*
 * whole_file.h - output files that get their names only when they are complete.
 */
#ifndef TABIYA_CLI_WHOLE_FILE_H
#define TABIYA_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct whole_file {
    FILE *file;       /* NULL: set aside */
    int fd;           /* of `file`: a signal's handler may not ask for it */
    const char *name; /* as it was asked for */
    char *path;       /* where it goes, links followed; NULL: it is written in place */
    char *part;       /* its name until then */
    off_t old_size;   /* of a file that is appended to, and cut to this size again on failure; else -1 */
    struct whole_file *next;
} whole_file;

/* NULL, and errno, if there can be no such file. What `path` held stays until whole_file_close, and so must the text of
   `path`. A file that is open already ends the program: one of the two would be lost. */
whole_file *whole_file_open(const char *path);
/* The same, but appends to the contents of `path`. */
whole_file *whole_file_append(const char *path);
/* False, and errno, if the file could not be written; then `path` is as it was. After whole_files_spoil it stays as it
   was too, which is reported. */
bool whole_file_close(whole_file *f);
/* Ends a file that gets its name with the next one that is closed: none of them replaces anything before all are whole.
   False, and errno, as above. */
bool whole_file_set_aside(whole_file *f);
/* An input failed, so the outputs cannot be complete: no open file gets its name any more. */
void whole_files_spoil(void);
bool whole_files_are_spoiled(void);

/* A folder for files that get their names when all are whole: a new one inside `folder`, "" being the present one.
   NULL, and errno, if there can be none. There is one at most. */
const char *whole_folder_open(const char *folder);
/* Opens a file in the folder. The caller keeps the name. */
typedef struct folder_file {
    const char *path;
    dev_t device; /* when it has its name */
    ino_t inode;
    bool is_moved;
    struct folder_file *next;
} folder_file;
void whole_folder_add(folder_file *f);
/* Gives a file of the folder its name. False, and errno, on failure. */
bool whole_folder_move(folder_file *f, const char *name);
/* Removes the folder, and the files that are still in it. */
void whole_folder_close(void);

/* Removes the partial files of all open outputs, and the folder, because the program ends early. */
void whole_files_discard(void);

#endif
