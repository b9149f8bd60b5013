/*
 * terminal_posix.c - terminals of POSIX.
 */
#include "os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* If the caller has closed a standard stream, the next file to be opened would take its place, and messages would go
   into that file. This fills the gap with streams that fail as the closed ones would, except that messages are
   dropped. */
static bool fill_streams(void)
{
    static const int modes[3] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int file = 0; file < 3; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file)
            return false;
    return true;
}

/* The shell has expanded the words. */
bool os_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    signal(SIGPIPE, SIG_IGN);
    return fill_streams();
}

bool os_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

unsigned os_terminal_columns(FILE *stream)
{
    struct winsize size;
    return os_is_terminal(stream) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool os_terminal_has_color(FILE *stream)
{
    const char *term = getenv("TERM");
    return os_is_terminal(stream) && term && strcmp(term, "dumb") != 0;
}

bool os_has_unicode(void)
{
    setlocale(LC_CTYPE, "");
    const bool is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    setlocale(LC_CTYPE, "C");
    return is_utf8;
}

bool os_has_terminal(void)
{
    const int file = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (file >= 0)
        close(file);
    return file >= 0;
}

bool os_owns_console(void) { return false; }
bool os_needs_double_quotes(void) { return false; }

char **os_expand(const char *word, size_t *n)
{
    (void)word;
    *n = 0;
    return NULL;
}

/* As the XDG base directory specification says; macOS has a place of its own. */
char *os_state_folder(void)
{
#ifdef __APPLE__
    static const char variable[] = "", below[] = "/Library/Application Support", *const parts[] = {""};
#else
    static const char variable[] = "XDG_STATE_HOME", below[] = "/.local/state", *const parts[] = {"/.local", ""};
#endif
    const char *place = *variable ? getenv(variable) : NULL, *home = getenv("HOME");
    const bool is_usual = !place || *place != '/';
    if (is_usual && (!home || *home != '/'))
        return NULL;
    const size_t cap = strlen(is_usual ? home : place) + sizeof below + sizeof "/tabiya";
    char *path = malloc(cap);
    for (size_t i = 0; path && is_usual && i < sizeof parts / sizeof *parts; i++) {
        snprintf(path, cap, "%s%s", home, *parts[i] ? parts[i] : below);
        mkdir(path, 0700);
    }
    if (path)
        snprintf(path, cap, "%s%s/tabiya", is_usual ? home : place, is_usual ? below : "");
    if (path && (mkdir(path, 0700) == 0 || errno == EEXIST))
        return path;
    free(path);
    return NULL;
}
