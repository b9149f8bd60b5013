/*
 * site_files.c - the files of the page, entity tags, and compression for clients that accept gzip.
 */
#include "site_files.h"
#include "engine_files.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#ifdef TABIYA_ZLIB
#include <zlib.h>
#endif

/* ---- Entity tags ------------------------------------------------------------------------------------------------ */

bool etag_is_any(const char *known) { return known && strcmp(known, "*") == 0; }

bool etag_is_listed(const char *known, const char *tag) { return known && strstr(known, strchr(tag, '"')); }

/* ---- Compression ------------------------------------------------------------------------------------------------ */

/* "gzip", "br, gzip;q=0.5", "*"; not "gzip;q=0". */
static bool accepts_gzip(const char *s)
{
    while (s && *s) {
        s += strspn(s, " \t,");
        const size_t n = strcspn(s, ",;");
        const size_t name = strcspn(s, " \t,;");
        const bool is_gzip = (name == 4 && strncasecmp(s, "gzip", 4) == 0) || (name == 1 && *s == '*');
        const size_t whole = n + strcspn(s + n, ",");
        const char *quality = is_gzip && s[n] == ';' ? strstr(s + n, "q=") : NULL;
        const bool has_weight = quality && quality < s + whole;
        if (is_gzip && (!has_weight || strspn(quality + 2, "0.") < strcspn(quality + 2, ", \t")))
            return true;
        s += whole;
    }
    return false;
}

void response_pack(response *r, const char *accept_encoding)
{
#ifdef TABIYA_ZLIB
    enum { PACKED_LEAST = 1024, LEVEL = 5, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    z_stream z = {0};
    buffer packed = {0};
    if (r->asset || r->fixed || r->stream || r->body.n < PACKED_LEAST || !accepts_gzip(accept_encoding) ||
        deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    z.next_in = (unsigned char *)r->body.s;
    z.avail_in = (unsigned)r->body.n;
    z.next_out = (unsigned char *)buffer_room(&packed, r->body.n);
    z.avail_out = (unsigned)r->body.n;
    if (z.next_out && deflate(&z, Z_FINISH) == Z_STREAM_END) {
        packed.n = z.total_out;
        buffer_free(&r->body);
        r->body = packed;
        packed = (buffer){0};
        response_header(r, "Content-Encoding", "gzip");
    }
    deflateEnd(&z);
    buffer_free(&packed);
#else
    (void)r;
    (void)accept_encoding;
#endif
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static const asset *find_asset(const char *path, size_t n)
{
    for (const asset *a = assets; a->path; a++)
        if (strncmp(a->path, path, n) == 0 && a->path[n] == '\0')
            return a;
    return NULL;
}

bool site_has_board(void) { return find_asset("/tabiya.wasm", strlen("/tabiya.wasm")) != NULL; }

/* The length of "/v/VERSION" at the start of a path; 0 if it has none. */
static size_t version_length(const char *path, size_t n)
{
    const size_t whole = strlen("/v/") + strlen(assets_version);
    if (n <= whole || strncmp(path, "/v/", 3) != 0 || path[whole] != '/')
        return 0;
    return 3 + strspn(path + 3, "0123456789abcdef") == whole ? whole : 0;
}

/* The page itself has no version, because it names the version of the others. */
web_file file_find(const engine_files *engine, const char *path, size_t n)
{
    for (size_t i = 0; engine && i < engine->n; i++)
        if (strlen(engine->of[i].path) == n && memcmp(engine->of[i].path, path, n) == 0)
            return (web_file){&engine->of[i], false};
    const size_t skipped = version_length(path, n);
    if (skipped == 0)
        return (web_file){find_asset(path, n), false};
    const bool is_page = n == skipped + 1;
    return (web_file){is_page ? NULL : find_asset(path + skipped, n - skipped),
                      strncmp(path + 3, assets_version, strlen(assets_version)) == 0};
}

/* Unless the file never changes, a browser asks each time, and gets a short answer if it has not changed. */
bool answer_file(const web_file *f, const question *q)
{
    response *out = q->response;
    const asset *a = f->asset;
    const char *known = q->request->if_none_match;
    const bool is_same = etag_is_any(known) || etag_is_listed(known, a->etag);
    out->asset = is_same ? NULL : a;
    out->status = is_same ? 304 : 200;
    snprintf(out->etag, sizeof out->etag, "%s", a->etag);
    response_header(out, "Cache-Control", f->is_fixed ? "public, max-age=31536000, immutable" : "no-cache");
    if (is_same)
        return true;
    out->is_packed = a->packed && accepts_gzip(q->request->accept_encoding);
    response_header(out, "Content-Type", a->type);
    if (out->is_packed)
        response_header(out, "Content-Encoding", "gzip");
    return true;
}
