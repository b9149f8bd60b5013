/*
 * engine_files.c - reads the files of an engine that runs in browsers.
 */
#include "engine_files.h"
#include "os/folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

enum { FILE_SIZE_MOST = 1 << 28 };

static const struct {
    const char *ending, *type;
} kinds[] = {
    {".js", "text/javascript;charset=utf-8"},
    {".mjs", "text/javascript;charset=utf-8"},
    {".wasm", "application/wasm"},
    {".nnue", "application/octet-stream"},
    {".bin", "application/octet-stream"},
    {".data", "application/octet-stream"},
};

/* NULL for a file that no engine loads. */
static const char *type_of(const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i].ending);
        if (n > length && strcmp(name + n - length, kinds[i].ending) == 0)
            return kinds[i].type;
    }
    return NULL;
}

static bool is_script(const char *name)
{
    const char *type = type_of(name);
    return type && strncmp(type, "text/", 5) == 0;
}

static bool is_licence(const char *name)
{
    static const char *const words[] = {"license", "licence", "copying", "copyright", "authors", "notice"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncasecmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Names go into addresses as they are. */
static bool is_plain(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return *name != '.' && name[strspn(name, letters)] == '\0';
}

static bool read_bytes(buffer *out, const char *path)
{
    enum { AT_ONCE = 1 << 16 };
    FILE *file = os_open_stream(path, "rb");
    for (size_t n = 1; file && n && out->n <= FILE_SIZE_MOST && buffer_room(out, AT_ONCE); out->n += n)
        n = fread(out->s + out->n, 1, AT_ONCE, file);
    const bool is_good = file && !ferror(file) && !out->has_failed;
    if (file)
        fclose(file);
    return is_good;
}

static bool add_file(engine_files *out, const char *folder, const char *name, problem *p)
{
    buffer path = {0}, bytes = {0}, text = {0};
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    buffer_printf(&path, "%s/%s", folder, name);
    const bool is_read = !path.has_failed && read_bytes(&bytes, path.s);
    buffer_free(&path);
    for (size_t i = 0; i < bytes.n; i++)
        hash = (hash ^ bytes.data[i]) * 0x100000001b3;
    buffer_printf(&text, "/engine/%s%c\"%016" PRIx64 "\"", name, '\0', hash);
    if (!is_read || bytes.n > FILE_SIZE_MOST || text.has_failed) {
        buffer_free(&bytes);
        buffer_free(&text);
        return problem_set(p, PROBLEM_BROKEN, "%s: %s: %s", folder, name,
                           is_read ? "the file is too large" : strerror(errno));
    }
    const char *type = type_of(name);
    out->of[out->n++] = (asset){.path = text.s,
                                .type = type ? type : "text/plain;charset=utf-8",
                                .etag = text.s + strlen(text.s) + 1,
                                .bytes = bytes.data,
                                .n_bytes = bytes.n};
    return true;
}

static bool take_entry(engine_files *out, const char *folder, const os_entry *entry, problem *p)
{
    const char *name = entry->name;
    if (entry->kind == OS_FOLDER || !is_plain(name) || (!type_of(name) && !is_licence(name)))
        return true;
    if (out->n == ENGINE_FILES_MOST)
        return problem_set(p, PROBLEM_ASKED, "%s: too many files for an engine", folder);
    out->has_licence |= is_licence(name);
    return add_file(out, folder, name, p);
}

/* The script comes first, the others in the order of their names. */
static int compare(const void *left, const void *right)
{
    const asset *a = left, *b = right;
    const int scripts = is_script(b->path) - is_script(a->path);
    return scripts ? scripts : strcmp(a->path, b->path);
}

bool engine_files_read(engine_files *out, const char *folder, problem *p)
{
    *out = (engine_files){.n = 0};
    os_list *list = os_list_open(folder);
    if (!list)
        return problem_set(p, PROBLEM_ASKED, "%s: %s", folder, strerror(errno));
    const os_entry *entry;
    bool is_good = true;
    while (is_good && (errno = 0, entry = os_list_next(list)) != NULL)
        is_good = take_entry(out, folder, entry, p);
    if (is_good && errno)
        is_good = problem_set(p, PROBLEM_BROKEN, "%s: %s", folder, strerror(errno));
    os_list_close(list);
    size_t n_scripts = 0;
    for (size_t i = 0; i < out->n; i++)
        n_scripts += is_script(out->of[i].path);
    if (is_good && n_scripts != 1)
        is_good = problem_set(p, PROBLEM_ASKED,
                              "%s has %s: put one worker script of an engine (.js) there, with the files that it loads",
                              folder, n_scripts ? "several scripts" : "no script");
    if (is_good)
        qsort(out->of, out->n, sizeof *out->of, compare);
    else
        engine_files_free(out);
    return is_good;
}

void engine_files_free(engine_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free((void *)(uintptr_t)files->of[i].path); /* with its etag */
        free((void *)(uintptr_t)files->of[i].bytes);
    }
    files->n = 0;
}

const char *engine_file_name(const asset *file)
{
    const char *name = file->path + strlen("/engine/");
    return type_of(name) ? name : NULL;
}
