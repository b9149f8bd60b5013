/*
 * posix.h - for the POSIX files of this folder alone: what they share.
 */
#ifndef TBY_OS_POSIX_H
#define TBY_OS_POSIX_H

#include "os/file.h"

#include <sys/stat.h>

void os_about_of(os_about *out, const struct stat *s);
/* The flags of open. */
int os_flags(int how);

#endif
