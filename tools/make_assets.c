/*
 * make_assets.c - prints the files of the web board as C code, the table of program/server/assets.h.
 *
 *     make_assets web/manifest.txt FOLDER... > assets.c
 *
 * A line of the manifest is PATH CONTENT-TYPE FILE [optional] [offline], separated by blanks; lines that begin with #
 * are comments. A file is taken from the first folder that has it. A missing file is an error, or a note on stderr if it
 * is optional. If the build has zlib, files are also stored compressed, if that makes them smaller.
 *
 * The word OFFLINE_FILES in a script becomes the list of the files that are marked offline, as strings: the service
 * worker caches them.
 *
 * In pages, the version of all files is added to links: href="style.css" becomes href="v/VERSION/style.css", so that
 * browsers may cache it forever. The links of a web manifest are relative to it, so it keeps its path.
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
    bytes file;
    uint64_t hash;
    size_t n_packed; /* 0: not compressed */
    bool is_offline; /* the page needs it without the server */
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

enum { HASH_DIGITS = 16 };
static const uint64_t hash_start = 0xcbf29ce484222325;

/* FNV-1a: distinguishes versions of a file. */
static uint64_t hash_on(uint64_t hash, const bytes *file)
{
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

static void print_file(size_t number)
{
    entry *e = &entries[number];
    const bytes packed = pack(&e->file);
    e->hash = hash_on(hash_start, &e->file);
    e->n_packed = packed.n;
    print_bytes("file", number, &e->file);
    if (packed.n)
        print_bytes("packed", number, &packed);
    free(packed.s);
}

static void print_table(const char *version)
{
    printf("\nconst char assets_version[] = \"%s\";\n", version);
    puts("\nconst asset assets[] = {");
    for (size_t i = 0; i < n_entries; i++) {
        const entry *e = &entries[i];
        printf("    {\"%s\", \"%s\", \"\\\"%016" PRIx64 "\\\"\", file_%zu, %zu, ", e->path, e->type, e->hash, i,
               e->file.n);
        if (e->n_packed)
            printf("packed_%zu, %zu},\n", i, e->n_packed);
        else
            puts("0, 0},");
    }
    puts("    {0, 0, 0, 0, 0, 0, 0},\n};");
}

/* ---- Versions -------------------------------------------------------------------------------------------- */

/* Is it the name of a file, without the slash, that has no links to other files itself? */
static bool has_version(const char *name, size_t n)
{
    for (size_t i = 0; n && i < n_entries; i++)
        if (strncmp(entries[i].path + 1, name, n) == 0 && entries[i].path[n + 1] == '\0')
            return strcmp(entries[i].type, "application/manifest+json") != 0;
    return false;
}

/* The length of the attribute that the text begins with, up to its value; 0 for none that links to a file. */
static size_t link_length(const char *s)
{
    static const char *const links[] = {" href=\"", " src=\""};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strncmp(s, links[i], strlen(links[i])) == 0)
            return strlen(links[i]);
    return 0;
}

/* The page with "v/VERSION/" before every file that it links to. */
static void add_version(bytes *page, const char *version)
{
    char *text = memory(page->n + 1);
    memcpy(text, page->s, page->n);
    text[page->n] = '\0';
    size_t n_links = 0;
    for (const char *s = text; *s; s++)
        n_links += link_length(s) > 0;
    const bytes out = {memory(page->n + n_links * (HASH_DIGITS + 3) + 1), 0};
    char *to = (char *)out.s;
    for (const char *s = text; *s;) {
        const size_t n = link_length(s);
        memcpy(to, s, n ? n : 1);
        to += n ? n : 1;
        s += n ? n : 1;
        if (n && has_version(s, strcspn(s, "\"#")))
            to += sprintf(to, "v/%s/", version);
    }
    free(text);
    free(page->s);
    *page = (bytes){out.s, (size_t)(to - (char *)out.s)};
}

/* A script with the list of the files that the page needs without the server in place of OFFLINE_FILES. */
static void add_list(bytes *script)
{
    static const char word[] = "OFFLINE_FILES";
    size_t n = script->n + 1;
    for (size_t i = 0; i < n_entries; i++)
        n += strlen(entries[i].path) + 8;
    char *text = memory(script->n + 1), *out = memory(n);
    memcpy(text, script->s, script->n);
    text[script->n] = '\0';
    char *place = strstr(text, word);
    if (place) {
        int at = sprintf(out, "%.*s", (int)(place - text), text);
        for (size_t i = 0; i < n_entries; i++)
            if (entries[i].is_offline)
                at += sprintf(out + at, "'%s', ", strcmp(entries[i].path, "/") == 0 ? "./" : entries[i].path + 1);
        at += sprintf(out + at, "%s", place + strlen(word));
        free(script->s);
        *script = (bytes){(unsigned char *)out, (size_t)at};
    }
    free(text);
}

static void print_all(void)
{
    char version[HASH_DIGITS + 1];
    uint64_t hash = hash_start;
    for (size_t i = 0; i < n_entries; i++)
        hash = hash_on(hash, &entries[i].file);
    snprintf(version, sizeof version, "%016" PRIx64, hash);
    for (size_t i = 0; i < n_entries; i++) {
        if (strncmp(entries[i].type, "text/html", strlen("text/html")) == 0)
            add_version(&entries[i].file, version);
        if (strcmp(entries[i].path, "/worker.mjs") == 0)
            add_list(&entries[i].file);
        print_file(i);
    }
    print_table(version);
}

/* ---- The manifest ---------------------------------------------------------------------------------------- */

/* They are written to C unchanged. */
static bool is_plain(const char *s)
{
    for (; *s; s++)
        if (*s <= ' ' || *s > '~' || *s == '"' || *s == '\\')
            return false;
    return true;
}

/* A style sheet without comments, indentation, and blanks beside braces, semicolons and commas. */
static void shorten_style(bytes *file)
{
    static const char marks[] = "{};,\n";
    unsigned char quote = 0;
    size_t n = 0;
    for (size_t i = 0; i < file->n; i++) {
        const unsigned char c = file->s[i];
        const bool is_comment = !quote && i + 1 < file->n && c == '/' && file->s[i + 1] == '*';
        if (is_comment) {
            while (i + 1 < file->n && !(file->s[i] == '*' && file->s[i + 1] == '/'))
                i++;
            i++;
            continue;
        }
        if (!quote && (c == ' ' || c == '\n') && (!n || strchr(marks, file->s[n - 1])))
            continue;
        if (!quote && strchr(marks, c) && n && file->s[n - 1] == ' ')
            n--;
        quote = quote ? (c == quote ? 0 : quote) : c == '"' || c == '\'' ? c : 0;
        file->s[n++] = c;
    }
    file->n = n;
}

static void read_line(char *text, const char *manifest, unsigned line, char **folders)
{
    static const char blanks[] = " \t\r\n";
    char *path = strtok(text, blanks), *type = strtok(NULL, blanks), *name = strtok(NULL, blanks);
    bool is_optional = false, is_offline = false, is_other = false;
    for (const char *word = name ? strtok(NULL, blanks) : NULL; word; word = strtok(NULL, blanks)) {
        is_optional |= strcmp(word, "optional") == 0;
        is_offline |= strcmp(word, "offline") == 0;
        is_other |= strcmp(word, "optional") != 0 && strcmp(word, "offline") != 0;
    }
    bytes file;
    if (!path || *path == '#')
        return;
    if (!name || *path != '/' || is_other || !is_plain(path) || !is_plain(type))
        fail(manifest, line, "not PATH CONTENT-TYPE FILE [optional] [offline]", path);
    for (size_t i = 0; i < n_entries; i++)
        if (strcmp(entries[i].path, path) == 0)
            fail(manifest, line, "a path that is there already", path);
    if (n_entries == MAX_ASSETS)
        fail(manifest, line, "too many files", name);
    if (find_file(&file, name, folders)) {
        if (strncmp(type, "text/css", strlen("text/css")) == 0)
            shorten_style(&file);
        entries[n_entries++] =
            (entry){.path = strdup(path), .type = strdup(type), .file = file, .is_offline = is_offline};
    } else if (is_optional) {
        fprintf(stderr, "%s: %s is missing: %s will not be served\n", manifest, name, path);
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
    print_all();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
