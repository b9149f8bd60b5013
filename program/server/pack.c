/*
 * pack.c - compresses bodies for clients that accept gzip.
 */
#include "pack.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "gzip", "br, gzip;q=0.5", "*"; not "gzip;q=0". */
bool accepts_gzip(const char *s)
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

#ifdef TABIYA_ZLIB

#include <zlib.h>

enum { PACKED_LEAST = 1024, LEVEL = 5, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

void response_pack(response *r, const char *accept_encoding)
{
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
}

#else

void response_pack(response *r, const char *accept_encoding)
{
    (void)r;
    (void)accept_encoding;
}

#endif
