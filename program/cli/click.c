/*
 * click.c - a double click on the program, and files that are dropped on it.
 */
#include "click.h"
#include "console.h"
#include "desk.h"
#include "os/file.h"
#include "tabiya_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_done;

/* The window would close before anyone has read the message. */
static void wait_for_reader(void)
{
    if (is_done)
        return;
    fputs("Press Enter to close this window.\n", stderr);
    getchar();
}

static bool is_games(const char *path) { return os_is_file(path) && !tby_db_is_file(path); }

/* games.pgn, games.pgn.zst: games.db. To be freed. */
static char *database_beside(const char *path)
{
    const char *name = os_name_in_path(path);
    static const char *const endings[] = {".gz", ".zst"};
    const char *end = path + strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);
        if ((size_t)(end - name) > n && strncmp(end - n, endings[i], n) == 0) {
            end -= n;
            break;
        }
    }
    for (const char *dot = end; dot > name + 1; dot--)
        if (dot[-1] == '.') {
            end = dot - 1;
            break;
        }
    buffer out = {0};
    buffer_add(&out, path, (size_t)(end - path));
    buffer_string(&out, ".db");
    memory_need(out.s != NULL);
    return out.s;
}

/* Can a file be created there, or changed? */
static bool may_keep(const char *database)
{
    os_about about;
    if (os_about_path(&about, database))
        return tby_db_is_file(database) && os_may_write(database);
    const int file = os_open(database, OS_WRITE | OS_NEW, 0666);
    if (file < 0)
        return false;
    os_close(file);
    os_remove(database);
    return true;
}

/* The database with the games of a file, or the file itself if none can be kept. To be freed. */
static char *database_of(char *path, int (*run)(int argc, char **argv))
{
    char *database = database_beside(path);
    char *words[] = {(char *)"import", database, path};
    if (!may_keep(database)) {
        error_print("%s cannot be written: the games are only read", database);
        free(database);
        return memory_got(strdup(path));
    }
    run(3, words);
    out_flush();
    return database;
}

char **click_words(int *argc, char **argv, int (*run)(int argc, char **argv))
{
    const int n = *argc;
    char **words = memory_new((size_t)n + 3, sizeof *words);
    int at = 0;
    atexit(wait_for_reader);
    for (int i = 0; i < n; i++)
        if (!os_is_file(argv[i])) {
            free(words);
            return NULL;
        }
    words[at++] = (char *)"serve";
    words[at++] = (char *)"--open";
    for (int i = 0; i < n; i++)
        words[at++] = is_games(argv[i]) ? database_of(argv[i], run) : argv[i];
    char *last = n == 0 ? desk_last() : NULL;
    if (last)
        words[at++] = last;
    *argc = at;
    return words;
}

void click_done(void) { is_done = true; }
