/*
 * desk.c - one server per user and games.
 */
#include "desk.h"
#include "assets.h"
#include "os/file.h"
#include "os/replace.h"
#include "os/terminal.h"
#include "os/wait.h"
#include "support/buffer.h"
#include "tabiya_db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIVATE = 0600, PATH_SIZE_MAX = 1 << 15 };

/* ---- Files of the program ------------------------------------------------------------------------------------------ */

/* To be freed; NULL if there is no folder. */
static char *place_of(const char *name)
{
    char *folder = os_state_folder();
    buffer path = {0};
    if (folder)
        buffer_printf(&path, "%s/%s", folder, name);
    free(folder);
    return path.s;
}

static bool write_whole(const char *name, const void *bytes, size_t n)
{
    char *path = place_of(name);
    const int file = path ? os_open(path, OS_WRITE | OS_CREATE | OS_EMPTY, PRIVATE) : -1;
    const bool is_good = file >= 0 && os_write_at(file, bytes, n, 0);
    if (file >= 0)
        os_close(file);
    free(path);
    return is_good;
}

/* As a text, without the end of its line. False if it is empty or cannot be read. */
static bool read_text(char *out, size_t size, const char *path)
{
    const int file = path ? os_open(path, OS_READ, 0) : -1;
    const ptrdiff_t n = file < 0 ? -1 : os_read(file, out, size - 1);
    if (file >= 0)
        os_close(file);
    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\r\n")] = '\0';
    return *out != '\0';
}

/* ---- One server ---------------------------------------------------------------------------------------------------- */

static uint64_t add_to_hash(uint64_t hash, const char *s)
{
    do
        hash = (hash ^ (unsigned char)*s) * 0x100000001b3; /* FNV-1a, with the NUL at the end */
    while (*s++);
    return hash;
}

static void name_of(char *out, size_t size, const char *const *games, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) {
        char *full = tby_db_is_server(games[i]) ? NULL : os_full_path(games[i]);
        hash = add_to_hash(hash, full ? full : games[i]);
        free(full);
    }
    snprintf(out, size, "server-%016" PRIx64, hash);
}

/* Its server may just be starting. */
static bool wait_for_url(char url[DESK_URL_SIZE], const char *path)
{
    enum { TRIES = 100, MILLISECONDS = 50 };
    for (int i = 0; i < TRIES; i++) {
        if (read_text(url, DESK_URL_SIZE, path))
            return true;
        os_wait(NULL, 0, MILLISECONDS);
    }
    return false;
}

static void remember(const char *const *games, size_t n)
{
    char *full = n == 1 && !tby_db_is_server(games[0]) ? os_full_path(games[0]) : NULL;
    if (full)
        write_whole("last", full, strlen(full));
    free(full);
}

bool desk_take(desk *d, char url[DESK_URL_SIZE], const char *const *games, size_t n)
{
    char name[32];
    name_of(name, sizeof name, games, n);
    char *path = place_of(name);
    d->file = path ? os_open(path, OS_WRITE | OS_CREATE, PRIVATE) : -1;
    const bool is_taken = d->file >= 0 && !os_lock_open(d->file);
    bool is_other = false;
    if (is_taken) {
        desk_leave(d);
        is_other = wait_for_url(url, path);
    } else if (d->file >= 0) {
        os_truncate(d->file, 0); /* of a server that was killed */
        remember(games, n);
    }
    free(path);
    return !is_other;
}

void desk_tell(const desk *d, const char *url)
{
    if (d->file >= 0)
        os_write_at(d->file, url, strlen(url), 0);
}

void desk_leave(desk *d)
{
    if (d->file >= 0)
        os_close(d->file);
    d->file = -1;
}

/* ---- What is opened ------------------------------------------------------------------------------------------------ */

static char *write_sample(void)
{
    for (const asset *a = assets; a->path; a++)
        if (strcmp(a->path, "/api/sample.pgn") == 0 && write_whole("sample.pgn", a->bytes, a->n_bytes))
            return place_of("sample.pgn");
    return NULL;
}

char *desk_last(void)
{
    char *noted = place_of("last"), *last = malloc(PATH_SIZE_MAX);
    const bool is_there = noted && last && read_text(last, PATH_SIZE_MAX, noted) && os_may_read(last);
    free(noted);
    if (is_there)
        return last;
    free(last);
    return write_sample();
}
