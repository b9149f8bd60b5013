/*
 * published_base.c - the manifest of games that are published in two steps: see docs/formats/published.md.
 *
 *     {..., "digest":"0123456789abcdef","files":["NAME",...],"delta":{...}}
 *
 * Reads only manifests as this program writes them; for any other the games are published as a whole.
 */
#include "published_base.h"
#include "console.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MANIFEST_MAX = 1 << 20, NAME_LENGTH = 20 };

static const char FILES[] = "\"files\":[", DIGEST[] = "\"digest\":\"",
                  GAMES[] = ",\"games\":", BYTES[] = ",\"bytes\":", TITLE[] = "\"title\":", DELTA[] = ",\"delta\":";

static const char *after(const buffer *text, const char *what)
{
    const char *at = strstr(text->s, what);
    return at ? at + strlen(what) : NULL;
}

static bool number_after(uint64_t *out, const buffer *text, const char *what, int base)
{
    const char *at = after(text, what);
    char *end = NULL;
    if (at)
        *out = strtoull(at, &end, base);
    return at && end != at;
}

bool published_base_read(published_base *b, const char *dir)
{
    buffer path = {0};
    *b = (published_base){.n_games = 0};
    buffer_printf(&path, "%sdata/manifest.json", dir);
    FILE *file = path.has_failed ? NULL : fopen(path.s, "rb");
    buffer_free(&path);
    bool is_good = file && file_read(&b->text, file, MANIFEST_MAX) && b->text.n && !memchr(b->text.s, 0, b->text.n);
    is_good = is_good && strncmp(b->text.s, "{\"format\":\"tabiya-published\",\"version\":1,\"title\":", 49) == 0 &&
              number_after(&b->n_games, &b->text, GAMES, 10) && number_after(&b->n_bytes, &b->text, BYTES, 10) &&
              number_after(&b->digest, &b->text, DIGEST, 16);
    const char *files = is_good ? after(&b->text, FILES) : NULL, *end = files ? strchr(files, ']') : NULL;
    if (!end) {
        published_base_free(b);
        return false;
    }
    b->text.n = (size_t)(end + 1 - b->text.s);
    b->text.s[b->text.n] = '\0';
    return true;
}

void published_base_free(published_base *b)
{
    buffer_free(&b->text);
    *b = (published_base){.n_games = 0};
}

bool published_base_file(const published_base *b, size_t index, char name[PUBLISHED_NAME_SIZE])
{
    const char *at = after(&b->text, FILES);
    at = at && strlen(at) >= index * (NAME_LENGTH + 3) + NAME_LENGTH + 2 ? at + index * (NAME_LENGTH + 3) : NULL;
    if (!at || *at != '"' || at[NAME_LENGTH + 1] != '"')
        return false;
    memcpy(name, at + 1, NAME_LENGTH);
    name[NAME_LENGTH] = '\0';
    return true;
}

void published_base_write(buffer *out, const buffer *manifest, uint64_t digest, const buffer *names)
{
    const char *separator = "";
    buffer_add(out, manifest->s, manifest->n - strlen("}\n"));
    buffer_printf(out, ",%s%016" PRIx64 "\",%s", DIGEST, digest, FILES);
    for (size_t at = 0; at < names->n; at += strlen(names->s + at) + 1)
        if (strlen(names->s + at) == NAME_LENGTH) { /* all but the manifest itself */
            buffer_printf(out, "%s\"%s\"", separator, names->s + at);
            separator = ",";
        }
    buffer_string(out, "]}\n");
}

void published_base_write_delta(buffer *out, const published_base *b, const buffer *delta)
{
    const char *old = after(&b->text, TITLE), *old_end = strstr(b->text.s, GAMES);
    const char *fresh = delta ? after(delta, TITLE) : NULL, *fresh_end = fresh ? strstr(fresh, GAMES) : NULL;
    if (fresh_end && old && old_end) {
        buffer_add(out, b->text.s, (size_t)(old - b->text.s));
        buffer_add(out, fresh, (size_t)(fresh_end - fresh));
        buffer_string(out, old_end);
    } else {
        buffer_add(out, b->text.s, b->text.n);
    }
    if (delta) {
        buffer_string(out, DELTA);
        buffer_add(out, delta->s, delta->n - strlen("\n"));
    }
    buffer_string(out, "}\n");
}
