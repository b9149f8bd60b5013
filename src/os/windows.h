/*
 * windows.h - for the Windows files of this folder alone: the system's header, paths, and errors.
 */
#ifndef TBY_OS_WINDOWS_H
#define TBY_OS_WINDOWS_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <stdbool.h>
#include <stddef.h>

/* Sets errno from GetLastError. */
void os_set_errno(void);
void os_set_errno_of(DWORD error);

/* UTF-8 as UTF-16, to be freed; NULL, and errno, on failure. */
wchar_t *os_wide(const char *s);
char *os_narrow(const wchar_t *s);
/* The same for a path; one that is longer than what most functions take becomes absolute, with \\?\ before it. */
wchar_t *os_wide_path(const char *path);

#endif
