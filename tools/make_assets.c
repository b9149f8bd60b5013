/*
 * make_assets.c - prints the files that tabiya serve serves as C, the table of program/server/assets.h.
 *
 *     make_assets web/manifest.txt FOLDER... > assets.c
 *
 * A line of the manifest is PATH CONTENT-TYPE FILE [optional], separated by blanks; lines that begin with # are
 * comments. A file is taken from the first folder that has it. One that none has is an error, or a note on stderr if it
 * is optional. Where the build has zlib, a file that becomes smaller is kept packed as well.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TABIYA_ZLIB
#include <zlib.h>
#endif

enum { MAX_ASSETS = 512, MAX_LINE = 1024 };

typedef struct bytes {
    unsigned char *s;
    size_t n;
} bytes;

typedef struct entry {
    char *path, *type;
    uint64_t hash;
    size_t n, n_packed; /* 0: not packed */
} entry;

static entry entries[MAX_ASSETS];
static size_t n_entries;

static void fail(const char *manifest, unsigned line, const char *why, const char *what)
{
    fprintf(stderr, "%s:%u: %s: %s\n", manifest, line, why, what);
    exit(1);
}

static void *memory(size_t n)
{
    void *m = malloc(n ? n : 1);
    if (!m) {
        fputs("make_assets: out of memory\n", stderr);
        exit(1);
    }
    return m;
}

/* ---- Files ----------------------------------------------------------------------------------------------- */

static bool read_file(bytes *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (!file)
        return false;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    *out = (bytes){size < 0 ? NULL : memory((size_t)size), size < 0 ? 0 : (size_t)size};
    const bool is_good = size >= 0 && fread(out->s, 1, out->n, file) == out->n;
    fclose(file);
    return is_good;
}

static bool find_file(bytes *out, const char *name, char **folders)
{
    for (; *folders; folders++) {
        char path[MAX_LINE * 4];
        const int n = snprintf(path, sizeof path, "%s/%s", *folders, name);
        if (n > 0 && (size_t)n < sizeof path && read_file(out, path))
            return true;
    }
    return false;
}

/* FNV-1a: tells versions of a file apart. */
static uint64_t hash_of(const bytes *file)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < file->n; i++)
        hash = (hash ^ file->s[i]) * 0x100000001b3;
    return hash;
}

/* As gzip; nothing if that is not smaller. */
static bytes pack(const bytes *file)
{
    bytes packed = {NULL, 0};
#ifdef TABIYA_ZLIB
    z_stream z;
    memset(&z, 0, sizeof z);
    if (file->n < 256 || deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return packed;
    packed.s = memory(file->n);
    z.next_in = file->s;
    z.avail_in = (uInt)file->n;
    z.next_out = packed.s;
    z.avail_out = (uInt)file->n;
    if (deflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out < file->n - file->n / 8)
        packed.n = z.total_out;
    deflateEnd(&z);
#else
    (void)file;
#endif
    return packed;
}

/* ---- C --------------------------------------------------------------------------------------------------- */

static void print_bytes(const char *name, size_t number, const bytes *b)
{
    printf("static const unsigned char %s_%zu[] = {", name, number);
    for (size_t i = 0; i < b->n; i++)
        printf("%s%u,", i % 32 ? "" : "\n", b->s[i]);
    puts(b->n ? "\n};" : "0};");
}

static void add(const char *path, const char *type, const bytes *file)
{
    entry *e = &entries[n_entries];
    const bytes packed = pack(file);
    *e = (entry){strdup(path), strdup(type), hash_of(file), file->n, packed.n};
    print_bytes("file", n_entries, file);
    if (packed.n)
        print_bytes("packed", n_entries, &packed);
    free(packed.s);
    n_entries++;
}

static void print_table(void)
{
    puts("\nconst asset assets[] = {");
    for (size_t i = 0; i < n_entries; i++) {
        const entry *e = &entries[i];
        printf("    {\"%s\", \"%s\", \"\\\"%016" PRIx64 "\\\"\", file_%zu, %zu, ", e->path, e->type, e->hash, i, e->n);
        if (e->n_packed)
            printf("packed_%zu, %zu},\n", i, e->n_packed);
        else
            puts("0, 0},");
    }
    puts("    {0, 0, 0, 0, 0, 0, 0},\n};");
}

/* ---- The manifest ---------------------------------------------------------------------------------------- */

/* Into C they go as they are. */
static bool is_plain(const char *s)
{
    for (; *s; s++)
        if (*s <= ' ' || *s > '~' || *s == '"' || *s == '\\')
            return false;
    return true;
}

static void read_line(char *text, const char *manifest, unsigned line, char **folders)
{
    static const char blanks[] = " \t\r\n";
    char *path = strtok(text, blanks), *type = strtok(NULL, blanks), *name = strtok(NULL, blanks);
    const char *word = strtok(NULL, blanks);
    const bool is_optional = word && strcmp(word, "optional") == 0;
    bytes file;
    if (!path || *path == '#')
        return;
    if (!name || *path != '/' || (word && !is_optional) || !is_plain(path) || !is_plain(type))
        fail(manifest, line, "not PATH CONTENT-TYPE FILE [optional]", path);
    for (size_t i = 0; i < n_entries; i++)
        if (strcmp(entries[i].path, path) == 0)
            fail(manifest, line, "a path that is there already", path);
    if (n_entries == MAX_ASSETS)
        fail(manifest, line, "too many files", name);
    if (find_file(&file, name, folders)) {
        add(path, type, &file);
        free(file.s);
    } else if (is_optional) {
        fprintf(stderr, "%s: %s is not there: %s will not be served\n", manifest, name, path);
    } else {
        fail(manifest, line, "no such file", name);
    }
}

int main(int argc, char **argv)
{
    char line[MAX_LINE];
    FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "make_assets: %s\n", argc > 2 ? strerror(errno) : "usage: make_assets MANIFEST FOLDER...");
        return 1;
    }
    puts("/* Made by tools/make_assets.c. */\n#include \"assets.h\"\n");
    for (unsigned n = 1; fgets(line, sizeof line, file); n++)
        read_line(line, argv[1], n, argv + 2);
    fclose(file);
    print_table();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
