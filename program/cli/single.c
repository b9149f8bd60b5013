/*
 * single.c - the page and published games as one HTML file.
 *
 * Files are scripts of text that browsers do not run, <script type="text/plain" data-file="NAME">BASE64</script>; those of the page
 * are compressed with gzip (data-packed). web/single.mjs answers requests with them.
 */
#include "single.h"
#include "assets.h"

#include <string.h>

static void put_base64(buffer *out, const uint8_t *s, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    buffer_reserve(out, (n + 2) / 3 * 4);
    for (size_t i = 0; i < n; i += 3) {
        const unsigned first = s[i], second = i + 1 < n ? s[i + 1] : 0, third = i + 2 < n ? s[i + 2] : 0;
        const char four[4] = {digits[first >> 2], digits[(first & 3) << 4 | second >> 4],
                              i + 1 < n ? digits[(second & 15) << 2 | third >> 6] : '=',
                              i + 2 < n ? digits[third & 63] : '='};
        buffer_add(out, four, sizeof four);
    }
}

static void put_file(buffer *out, const char *name, const void *bytes, size_t n, bool is_packed)
{
    buffer_printf(out, "<script type=\"text/plain\" data-file=\"%s\"%s>", name, is_packed ? " data-packed" : "");
    put_base64(out, bytes, n);
    buffer_string(out, "</script>\n");
}

void single_add(buffer *files, const char *name, const void *bytes, size_t n)
{
    put_file(files, name, bytes, n, false);
}

static const asset *asset_of(const char *name, size_t n)
{
    for (const asset *a = assets; a->path; a++)
        if (strlen(a->path) == n + 1 && memcmp(a->path + 1, name, n) == 0)
            return a;
    return NULL;
}

/* The text of a script; </script in its strings would end it. */
static void put_script(buffer *out, const char *name)
{
    static const char end_tag[] = "</script";
    const asset *a = asset_of(name, strlen(name));
    const char *s = a ? (const char *)a->bytes : NULL;
    for (size_t i = 0, n = a ? a->n_bytes : 0; i < n; i++)
        if (n - i >= strlen(end_tag) && memcmp(s + i, end_tag, strlen(end_tag)) == 0)
            buffer_string(out, "<\\"); /* the slash follows */
        else
            buffer_put(out, (unsigned char)s[i]);
}

/* What stands before the end of the body. */
static void put_files(buffer *out, const buffer *files)
{
    static const char *const names[] = {"tabiya.wasm",     "search.wasm",      "openings.tsv",    "published-page.mjs",
                                        "pieces.svg",      "pieces-plain.svg", "pieces-bold.svg", "texts-de.json",
                                        "engine-page.mjs", "engine-frame.html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const asset *a = asset_of(names[i], strlen(names[i]));
        if (a)
            put_file(out, names[i], a->packed ? a->packed : a->bytes, a->packed ? a->n_packed : a->n_bytes,
                     a->packed != NULL);
    }
    buffer_add(out, files->s, files->n);
    buffer_string(out, "<script type=\"module\">\n");
    put_script(out, "single.mjs");
    put_script(out, "page.mjs");
    buffer_string(out, "main();\n</script>\n");
}

/* A line in which pictures of pieces are those of the document: v/VERSION/pieces.svg#wk becomes #pieces-wk. */
static void put_pictures(buffer *out, const char *line, size_t n)
{
    static const char sprite[] = "pieces.svg#";
    buffer text = {0};
    buffer_add(&text, line, n);
    const char *at = text.s ? strstr(text.s, sprite) : NULL, *begin = at;
    while (begin && begin > text.s && begin[-1] != '"')
        begin--;
    buffer_add(out, text.s, at ? (size_t)(begin - text.s) : n);
    if (at) {
        buffer_string(out, "#pieces-");
        buffer_string(out, at + strlen(sprite));
    }
    buffer_free(&text);
}

/* Style sheets come in; other references to files are left out. */
static void put_line(buffer *out, const char *line, size_t n, const buffer *files)
{
    static const char sheet[] = "  <link rel=\"stylesheet\" href=\"", head[] = "  <meta charset=\"utf-8\">";
    static const char *const left_out[] = {"  <link ", "  <script type=\"module\" src="};
    if (n > strlen(sheet) && memcmp(line, sheet, strlen(sheet)) == 0) {
        const char *end = memchr(line + strlen(sheet), '"', n - strlen(sheet)), *name = end;
        while (name && name > line && name[-1] != '/' && name[-1] != '"')
            name--;
        const asset *a = end ? asset_of(name, (size_t)(end - name)) : NULL;
        buffer_string(out, "<style>\n");
        buffer_add(out, a ? a->bytes : NULL, a ? a->n_bytes : 0);
        buffer_string(out, "</style>\n");
        return;
    }
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (n > strlen(left_out[i]) && memcmp(line, left_out[i], strlen(left_out[i])) == 0)
            return;
    if (n >= 7 && memcmp(line, "</body>", 7) == 0)
        put_files(out, files);
    put_pictures(out, line, n);
    if (n > strlen(head) && memcmp(line, head, strlen(head)) == 0)
        buffer_string(out, "  <meta name=\"tabiya-games\" content=\"data/\">\n");
}

bool single_write(buffer *out, const buffer *files)
{
    const asset *page = asset_of("", 0);
    if (!page)
        return false;
    const char *s = (const char *)page->bytes, *end = s + page->n_bytes;
    for (const char *line = s, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        next = newline ? newline + 1 : end;
        put_line(out, line, (size_t)(next - line), files);
    }
    return true;
}
