/*
 * library.h - shared libraries that are loaded when they are needed.
 */
#ifndef TBY_OS_LIBRARY_H
#define TBY_OS_LIBRARY_H

#include <stddef.h>

/* NULL on failure. */
void *os_library_open(const char *name);
void *os_library_find(void *library, const char *function);
/* Why the last of these calls of this thread failed. */
void os_library_error(char *out, size_t size);

/* The file name of a library whose ABI has a version: libpq.so.5, libpq.5.dylib, libpq.dll. */
#ifdef _WIN32
#define OS_LIBRARY_NAME(name, version) name ".dll"
#elif defined __APPLE__
#define OS_LIBRARY_NAME(name, version) name "." version ".dylib"
#else
#define OS_LIBRARY_NAME(name, version) name ".so." version
#endif

#endif
