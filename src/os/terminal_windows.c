/*
 * terminal_windows.c - consoles of Windows.
 *
 * Keeps    bytes as they are in all streams, UTF-8 and escape codes in the console, and the console as it was afterwards.
 *
 * The shell does not expand patterns, and the C runtime must not: a query may contain * and ?. The program expands the
 * words that are names of files (os_expand).
 */
#include "os/folder.h"
#include "os/terminal.h"
#include "os/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <shlobj.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The C runtime expands no words. */
extern int _dowildcard;
int _dowildcard = 0;
/* Files are opened with their bytes as they are. */
extern int _CRT_fmode;
int _CRT_fmode = _O_BINARY;

static UINT old_code_page;
static DWORD old_mode;
static bool has_mode;

static void restore_console(void)
{
    fflush(stdout);
    if (old_code_page)
        SetConsoleOutputCP(old_code_page);
    if (has_mode)
        SetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), old_mode);
}

static void prepare_console(void)
{
    const HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
    old_code_page = GetConsoleOutputCP();
    if (old_code_page)
        SetConsoleOutputCP(CP_UTF8);
    has_mode = GetConsoleMode(console, &old_mode);
    if (has_mode)
        SetConsoleMode(console, old_mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    atexit(restore_console);
}

/* The words as UTF-8; they stay until the end. */
static bool read_words(int *argc, char ***argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **words = wide ? calloc((size_t)n + 1, sizeof *words) : NULL;
    bool is_good = words != NULL;
    for (int i = 0; is_good && i < n; i++)
        is_good = (words[i] = os_narrow(wide[i])) != NULL;
    LocalFree(wide);
    if (is_good) {
        *argc = n;
        *argv = words;
    }
    return is_good;
}

bool os_begin(int *argc, char ***argv)
{
    for (int file = 0; file < 3; file++)
        _setmode(file, _O_BINARY);
    setvbuf(stderr, NULL, _IONBF, 0);     /* messages come in their order with the output, also in a file */
    SetErrorMode(SEM_FAILCRITICALERRORS); /* no window about a drive without a disk */
    prepare_console();
    return read_words(argc, argv);
}

static HANDLE handle_of(FILE *stream) { return (HANDLE)_get_osfhandle(_fileno(stream)); }

bool os_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(stream), &mode);
}

unsigned os_terminal_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(handle_of(stream), &info))
        return 0;
    return (unsigned)(info.srWindow.Right - info.srWindow.Left + 1);
}

bool os_terminal_has_color(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(stream), &mode) && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool os_has_unicode(void) { return GetConsoleOutputCP() == CP_UTF8; }
bool os_has_terminal(void) { return GetConsoleWindow() != NULL; }

/* Alone on it: a shell would be on it too. */
bool os_owns_console(void)
{
    DWORD processes[2];
    return GetConsoleProcessList(processes, 2) == 1;
}

/* PowerShell takes both kinds of quotes, but the program cannot know which shell it is. */
bool os_needs_double_quotes(void) { return true; }

/* Queries and moves may have these characters too, as in 1. e4 * and Qh5?, but no ending. */
static bool is_pattern(const char *word)
{
    const char *name = os_name_in_path(word), *dot = strrchr(name, '.');
    return strpbrk(name, "*?") && !strpbrk(word, "\"<>|\t\n") && dot && dot > name && dot[1] && dot[1] != ' ' &&
           !strpbrk(word, "()=");
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The path of a name in the folder of a pattern. */
static char *beside(const char *pattern, const wchar_t *name)
{
    const size_t n_folder = (size_t)(os_name_in_path(pattern) - pattern);
    char *narrow = os_narrow(name), *path = narrow ? malloc(n_folder + strlen(narrow) + 1) : NULL;
    if (path) {
        memcpy(path, pattern, n_folder);
        strcpy(path + n_folder, narrow);
    }
    free(narrow);
    return path;
}

static bool add_name(char ***names, size_t *n, char *name)
{
    char **longer = name ? realloc(*names, (*n + 1) * sizeof *longer) : NULL;
    if (!longer) {
        free(name);
        return false;
    }
    *names = longer;
    longer[(*n)++] = name;
    return true;
}

char **os_expand(const char *word, size_t *n)
{
    WIN32_FIND_DATAW found;
    char **names = NULL;
    *n = 0;
    wchar_t *wide = is_pattern(word) ? os_wide_path(word) : NULL;
    const HANDLE search = wide ? FindFirstFileExW(wide, FindExInfoBasic, &found, FindExSearchNameMatch, NULL, 0)
                               : INVALID_HANDLE_VALUE;
    free(wide);
    if (search == INVALID_HANDLE_VALUE)
        return NULL;
    do {
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && !add_name(&names, n, beside(word, found.cFileName)))
            break;
    } while (FindNextFileW(search, &found));
    FindClose(search);
    if (names)
        qsort(names, *n, sizeof *names, by_name);
    return names;
}

/* %LOCALAPPDATA%\tabiya */
char *os_state_folder(void)
{
    static const wchar_t name[] = L"\\tabiya";
    wchar_t *local = NULL, *whole = NULL;
    char *path = NULL;
    if (SHGetKnownFolderPath(&FOLDERID_LocalAppData, KF_FLAG_CREATE, NULL, &local) == S_OK &&
        (whole = malloc(wcslen(local) * sizeof *whole + sizeof name)) != NULL) {
        wcscpy(whole, local);
        wcscat(whole, name);
        path = os_narrow(whole);
    }
    CoTaskMemFree(local);
    free(whole);
    if (path && (os_folder_make(path) || errno == EEXIST))
        return path;
    free(path);
    return NULL;
}
