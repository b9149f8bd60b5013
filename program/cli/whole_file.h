/*
 * whole_file.h - output files that get their names only when they are complete.
 */
#ifndef TABIYA_CLI_WHOLE_FILE_H
#define TABIYA_CLI_WHOLE_FILE_H

#include "os/replace.h"

typedef struct whole_file {
    FILE *file;       /* NULL: set aside */
    int fd;           /* of `file`, because a signal handler may not call fileno */
    const char *name; /* as requested */
    char *path;       /* the final path, links followed; NULL: written in place */
    char *part;       /* its temporary name */
    int64_t old_size; /* the old size of a file that is appended to, to which it is truncated on failure; else -1 */
    struct whole_file *next;
} whole_file;

/* Returns NULL, and errno, on failure. The contents of `path` stay until whole_file_close, and the text of `path` must
   stay too. A file that is already open ends the program: one of the two would be lost. */
whole_file *whole_file_open(const char *path);
/* The same, but appends to the contents of `path`. */
whole_file *whole_file_append(const char *path);
/* False, and errno, if the file could not be written; `path` is then unchanged. After whole_files_spoil it is unchanged
   too, which is reported. */
bool whole_file_close(whole_file *f);
/* Closes a file that gets its name together with the next one that is closed: none of them replaces anything before all
   are complete. False, and errno, as above. */
bool whole_file_set_aside(whole_file *f);
/* An input failed, so the outputs cannot be complete: no open file gets its name. */
void whole_files_spoil(void);
bool whole_files_are_spoiled(void);

/* A folder for files that get their names when all are complete: a new one inside `folder`, where "" is the current
   one. NULL, and errno, on failure. There is at most one. */
const char *whole_folder_open(const char *folder);
/* Opens a file in the folder. The caller keeps the name. */
typedef struct folder_file {
    const char *path;
    os_identity identity; /* when it has its name */
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
