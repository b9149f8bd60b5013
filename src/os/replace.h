/*
 * replace.h - files that replace others only when they are complete: partial files, their locks, and the final name.
 *
 * A partial file is locked as long as its writer runs, however that ends, so that the next run can remove what a killed
 * one has left, and nothing else.
 */
#ifndef TBY_OS_REPLACE_H
#define TBY_OS_REPLACE_H

#include "os/file.h"

/* Creates a locked file at `path`, whose last six characters it chooses, with the mode of the file that it will replace
   (NULL: there is none). A descriptor, or -1. */
int os_part_make(char *path, const os_about *old);
/* Removes what a run has left at `path`: a file, or a folder with files. Nothing happens if the run still writes it. */
void os_part_remove(const char *path, bool is_folder);
/* Gives a file its final name, in place of any other. */
bool os_replace(const char *from, const char *to);
/* Gives it the mode of the file that it will replace (NULL: there is none). */
void os_mode_copy(const char *path, const os_about *old);
/* Did it fail only because no file can be created in the folder, so that the file itself may still be writable? */
bool os_is_folders_fault(int error);

/* Creates a locked folder at `path`, whose last six characters it chooses. The lock is OS_NO_LOCK if the file system has
   none. */
typedef long long os_lock;
enum { OS_NO_LOCK = -1 };
bool os_part_make_folder(char *path, os_lock *lock);
/* Locks an open file until it is closed, however the process ends. False, and EAGAIN, if another process has. */
bool os_lock_open(int file);
/* May be called in a signal handler, like os_remove and os_folder_remove. */
void os_unlock(os_lock lock);

#endif
