/*
 * temporary_posix.c - temporary files of POSIX, in TMPDIR or /tmp.
 */
#include "os/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATTERN "/tabiya-XXXXXX"

const char *os_temporary_place(void)
{
    const char *usual = getenv("TMPDIR");
    return usual && *usual ? usual : "/tmp";
}

int os_temporary_file(const char *folder)
{
    char path[4096];
    folder = folder ? folder : os_temporary_place();
    if (snprintf(path, sizeof path, "%s" PATTERN, folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(path);
    if (file >= 0 && unlink(path) != 0) {
        close(file);
        return -1;
    }
    return file;
}

FILE *os_temporary_stream(void) { return tmpfile(); }

char *os_temporary_folder(void)
{
    const char *place = os_temporary_place();
    char *path = malloc(strlen(place) + sizeof PATTERN);
    if (!path)
        return NULL;
    strcpy(path, place);
    strcat(path, PATTERN);
    if (mkdtemp(path))
        return path;
    free(path);
    return NULL;
}
