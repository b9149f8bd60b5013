/*
 * make_bundle.c - joins the modules of the page into one file, so that a browser needs one request for them.
 *
 *     make_bundle FOLDER app.mjs > page.mjs
 *
 * Follows the imports from the module named. Each module becomes a function that is called once, after those that it
 * imports; its exports are an object, which the modules that import it take apart. The bundle exports what the module
 * named exports, and import.meta.url in it is the bundle's own.
 *
 * Reads imports of the form `import { a, b as c } from './name.mjs';` and exports of the form `export [async] function,
 * class or const NAME`, each at the start of a line. Leaves out comments, indentation and empty lines;
 * texts in backquotes must not go over several lines.
 * Refuses other forms of import and export, modules that import each other, and files that cannot be read.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MODULES = 256, MAX_NAME = 64, MAX_EXPORTS = 64, MAX_PATH_LENGTH = 4096 };

typedef struct module {
    char name[MAX_NAME]; /* dom.mjs */
    bool is_written;
} module;

typedef struct names {
    char name[MAX_EXPORTS][MAX_NAME];
    size_t n;
} names;

static const char *folder;
static module modules[MAX_MODULES];
static size_t n_modules;

static void fail(const char *name, const char *why, const char *what)
{
    fprintf(stderr, "make_bundle: %s: %s: %.60s\n", name, why, what);
    exit(1);
}

static char *read_module(const char *name)
{
    char path[MAX_PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(name, "cannot be read", path);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        fail(name, "cannot be read", path);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* dom.mjs as a name in JavaScript: $dom. */
static void print_variable(const char *name)
{
    putchar('$');
    for (; *name && *name != '.'; name++)
        putchar(isalnum((unsigned char)*name) ? *name : '_');
}

static const char *line_end(const char *s)
{
    const char *end = strchr(s, '\n');
    return end ? end + 1 : s + strlen(s);
}

static bool begins(const char *s, const char *word) { return strncmp(s, word, strlen(word)) == 0; }

/* ---- Imports --------------------------------------------------------------------------------------------- */

/* The name of the module that the statement imports from, and what follows the statement. */
static const char *import_source(const char *name, const char *s, char source[MAX_NAME])
{
    const char *from = strstr(s, "} from './");
    const char *end = strchr(s, ';');
    if (!begins(s, "import { ") || !from || !end || from > end)
        fail(name, "not import { ... } from './name.mjs'", s);
    from += strlen("} from './");
    const size_t n = strcspn(from, "'");
    if (n >= MAX_NAME || from + n > end)
        fail(name, "no name of a module", s);
    memcpy(source, from, n);
    source[n] = '\0';
    return line_end(end);
}

/* `import { a, b as c } from './x.mjs';` becomes `const { a, b: c } = $x;`. */
static void print_import(const char *s, const char *source)
{
    fputs("const {", stdout);
    for (s = strchr(s, '{') + 1; *s != '}';)
        if (begins(s, " as ")) {
            fputs(": ", stdout);
            s += strlen(" as ");
        } else {
            putchar(*s++);
        }
    fputs("} = ", stdout);
    print_variable(source);
    puts(";");
}

/* ---- Exports --------------------------------------------------------------------------------------------- */

/* The name that a statement exports, after `export `. */
static void add_export(const char *name, const char *s, names *exports)
{
    static const char *const kinds[] = {"async function* ", "async function ", "function* ",
                                        "function ",        "class ",          "const "};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(s, kinds[i])) {
            s += strlen(kinds[i]);
            const size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
            if (n == 0 || n >= MAX_NAME || exports->n == MAX_EXPORTS)
                break;
            memcpy(exports->name[exports->n], s, n);
            exports->name[exports->n++][n] = '\0';
            return;
        }
    fail(name, "this export is not supported", s);
}

/* ---- Modules --------------------------------------------------------------------------------------------- */

/* The end of the code in a line: what a comment follows, outside of quotes. */
static const char *code_end(const char *s, const char *end)
{
    unsigned quotes[3] = {0, 0, 0};
    for (const char *at = s; at < end; at++) {
        static const char kinds[] = "'\"`";
        const char *kind = strchr(kinds, *at);
        if (kind && *at)
            quotes[kind - kinds]++;
        if (begins(at, " // ") && quotes[0] % 2 + quotes[1] % 2 + quotes[2] % 2 == 0)
            return at;
    }
    return end;
}

/* A line without what readers alone need: blanks around it, and a comment at its end. */
static void write_line(const char *s, const char *end)
{
    while (s < end && *s == ' ')
        s++;
    end = code_end(s, end);
    while (end > s && isspace((unsigned char)end[-1]))
        end--;
    if (end > s)
        printf("%.*s\n", (int)(end - s), s);
}

/* The end of a comment that takes whole lines and begins here; NULL if none does. */
static const char *comment_end(const char *s)
{
    s += strspn(s, " ");
    if (begins(s, "//"))
        return line_end(s);
    const char *end = begins(s, "/*") ? strstr(s, "*/") : NULL;
    return end && end[2] == '\n' ? end + 3 : NULL;
}

static void print_body(const char *name, const char *text, names *exports)
{
    for (const char *s = text; *s;) {
        const char *end = comment_end(s);
        char source[MAX_NAME];
        if (end) {
            s = end;
            continue;
        }
        if (begins(s, "import ")) {
            end = import_source(name, s, source);
            print_import(s, source);
        } else {
            if (begins(s, "export ")) {
                s += strlen("export ");
                add_export(name, s, exports);
            }
            end = line_end(s);
            write_line(s, end);
        }
        s = end;
    }
}

static void print_names(const char *before, const names *exports, const char *after)
{
    fputs(before, stdout);
    for (size_t i = 0; i < exports->n; i++)
        printf("%s%s", i ? ", " : "", exports->name[i]);
    puts(after);
}

/* Is it written already? Registers it if it is new; one that is being written is importing itself. */
static bool is_known(const char *name)
{
    for (size_t i = 0; i < n_modules; i++)
        if (strcmp(modules[i].name, name) == 0) {
            if (!modules[i].is_written)
                fail(name, "modules import each other", name);
            return true;
        }
    if (n_modules == MAX_MODULES)
        fail(name, "too many modules", name);
    snprintf(modules[n_modules++].name, MAX_NAME, "%s", name);
    return false;
}

static void write_module(const char *name, bool is_entry)
{
    if (is_known(name))
        return;
    const size_t number = n_modules - 1;
    char *text = read_module(name);
    char source[MAX_NAME];
    for (const char *s = text; *s;)
        if (begins(s, "import ")) {
            s = import_source(name, s, source);
            write_module(source, false);
        } else {
            s = line_end(s);
        }
    names exports = {.n = 0};
    fputs("const ", stdout);
    print_variable(name);
    puts(" = (() => {");
    print_body(name, text, &exports);
    print_names("return { ", &exports, " };\n})();");
    if (is_entry) {
        print_names("export const { ", &exports, " } = ");
        print_variable(name);
        puts(";");
    }
    free(text);
    modules[number].is_written = true;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: make_bundle FOLDER MODULE\n", stderr);
        return 1;
    }
    folder = argv[1];
    puts("// Made by tools/make_bundle.c from the modules of web/, which have comments.");
    write_module(argv[2], true);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
