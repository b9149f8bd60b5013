/*
 * library_posix.c - shared libraries of POSIX.
 */
#include "os/library.h"

#include <dlfcn.h>
#include <stdio.h>

void *os_library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
void *os_library_find(void *library, const char *function) { return dlsym(library, function); }

void os_library_error(char *out, size_t size)
{
    const char *error = dlerror();
    snprintf(out, size, "%s", error ? error : "unknown error");
}
