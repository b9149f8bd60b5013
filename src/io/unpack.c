/*
 * unpack.c - gzip and zstd as streams: bytes in, bytes out.
 *
 * Reads    any number of gzip members or zstd frames, one after the other; zeros after a gzip member, as tape archives
 * have them. Refuses  damaged data; formats that are recognized but not supported (xz, bzip2, zip); gzip or
 *          zstd if the program was built without zlib or libzstd.
 */
#include "io/unpack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef TABIYA_ZLIB
#include <zlib.h>
#undef FAR /* a macro of zlib.h; elsewhere it is a name */
#endif
#ifdef TABIYA_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

struct unpacker {
    size_t (*some)(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                   tby_failure *failure);
    void (*end)(unpacker *u);
    bool is_whole;
#ifdef TABIYA_ZLIB
    z_stream gzip;
#endif
#ifdef TABIYA_ZSTD
    ZSTD_DStream *zstd;
#endif
};

/* ---- gzip ------------------------------------------------------------------------------------------------------- */

#ifdef TABIYA_ZLIB
enum { GZIP_WINDOW_BITS = 15 + 16 /* the largest window, gzip's header */ };

/* Between members: another begins, or zeros follow to the end. */
static bool gzip_next_member(unpacker *u, const unsigned char *s, size_t n, size_t *at)
{
    while (*at < n && s[*at] == 0)
        ++*at;
    if (*at == n)
        return false;
    inflateReset(&u->gzip);
    u->is_whole = false;
    return true;
}

static size_t gzip_some(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                        tby_failure *failure)
{
    if (u->is_whole && !gzip_next_member(u, s, n, at))
        return 0;
    u->gzip.next_in = (unsigned char *)(uintptr_t)(s + *at); /* zlib's pointer is not const */
    u->gzip.avail_in = (unsigned)(n - *at);
    u->gzip.next_out = (unsigned char *)out;
    u->gzip.avail_out = (unsigned)cap;
    const int code = inflate(&u->gzip, Z_NO_FLUSH);
    *at = n - u->gzip.avail_in;
    if (code == Z_STREAM_END)
        u->is_whole = true;
    else if (code == Z_MEM_ERROR)
        failure_no_memory(failure);
    else if (code != Z_OK && code != Z_BUF_ERROR)
        failure_keep(failure, TBY_IO_ERROR, "damaged gzip data");
    return cap - u->gzip.avail_out;
}

static void gzip_end(unpacker *u) { inflateEnd(&u->gzip); }

static bool gzip_begin(unpacker *u, tby_failure *failure)
{
    u->some = gzip_some;
    u->end = gzip_end;
    if (inflateInit2(&u->gzip, GZIP_WINDOW_BITS) == Z_OK)
        return true;
    failure_no_memory(failure);
    return false;
}
#else
#define gzip_begin NULL
#endif

/* ---- zstd ------------------------------------------------------------------------------------------------------- */

#ifdef TABIYA_ZSTD
static size_t zstd_some(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                        tby_failure *failure)
{
    ZSTD_inBuffer from = {s, n, *at};
    ZSTD_outBuffer to = {out, cap, 0};
    const size_t code = ZSTD_decompressStream(u->zstd, &to, &from);
    const bool moved = from.pos > *at || to.pos > 0;
    *at = from.pos;
    if (ZSTD_isError(code))
        ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation
            ? failure_no_memory(failure)
            : failure_keep(failure, TBY_IO_ERROR, "%s", ZSTD_getErrorName(code));
    else if (moved) /* without input or output the answer is only a hint for the next frame */
        u->is_whole = code == 0;
    return to.pos;
}

static void zstd_end(unpacker *u) { ZSTD_freeDStream(u->zstd); }

static bool zstd_begin(unpacker *u, tby_failure *failure)
{
    u->some = zstd_some;
    u->end = zstd_end;
    u->zstd = ZSTD_createDStream();
    if (u->zstd)
        return true;
    failure_no_memory(failure);
    return false;
}
#else
#define zstd_begin NULL
#endif

/* ---- Which? ----------------------------------------------------------------------------------------------------- */

typedef struct format {
    const char *magic;
    size_t n;
    unsigned char first_mask, last_mask; /* the bits of the first and last byte that count */
    bool (*begin)(unpacker *u, tby_failure *failure);
    const char *refused; /* why, if there is no `begin` */
} format;

#define GZIP gzip_begin, "compressed with gzip, and this tabiya was built without zlib"
#define ZSTD zstd_begin, "compressed with zstd, and this tabiya was built without libzstd"
#define OTHER NULL, "compressed with xz, bzip2 or zip, which cannot be read: unpack it, or use gzip or zstd"
static const format formats[] = {
    {"\x1f\x8b\x08", 3, 0xff, 0xff, GZIP},     {"\x28\xb5\x2f\xfd", 4, 0xff, 0xff, ZSTD},
    {"\x50\x2a\x4d\x18", 4, 0xf0, 0xff, ZSTD}, /* a skippable frame may be the first of a zstd file */
    {"\xfd\x37zXZ", 5, 0xff, 0xff, OTHER},     {"BZh9", 4, 0xff, 0xf0, OTHER},
    {"PK\x03\x04", 4, 0xff, 0xff, OTHER},
};

static const format *find_format(const unsigned char *s, size_t n)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const format *f = &formats[i];
        const unsigned char *magic = (const unsigned char *)f->magic;
        if (n >= f->n && ((s[0] ^ magic[0]) & f->first_mask) == 0 && memcmp(s + 1, magic + 1, f->n - 2) == 0 &&
            ((s[f->n - 1] ^ magic[f->n - 1]) & f->last_mask) == 0)
            return f;
    }
    return NULL;
}

unpacker *unpack_new(const unsigned char *s, size_t n, tby_failure *failure)
{
    const format *found = find_format(s, n);
    failure_clear(failure);
    if (!found)
        return NULL;
    unpacker *u = found->begin ? calloc(1, sizeof *u) : NULL;
    if (!found->begin)
        failure_keep(failure, TBY_IO_ERROR, "%s", found->refused);
    else if (!u)
        failure_no_memory(failure);
    else if (found->begin(u, failure))
        return u;
    free(u);
    return NULL;
}

void unpack_free(unpacker *u)
{
    if (u)
        u->end(u);
    free(u);
}

size_t unpack_some(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                   tby_failure *failure)
{
    return u->some(u, s, n, at, out, cap, failure);
}

bool unpack_is_whole(const unpacker *u) { return u->is_whole; }
