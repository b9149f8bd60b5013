/*
 * stream.c - chunks, one after the other, cut into files that are named by their content. Each is a file of gzip,
 * so it has a checksum; most are compressed, in several threads.
 */
#include "os/threads.h"
#include "publish/publish.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef TABIYA_ZLIB
#include <zlib.h>
#endif

uint64_t publish_hash(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *s = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ s[i]) * 0x100000001b3ULL;
    return hash;
}

void publish_stream_name(char name[PUBLISH_NAME_SIZE], const uint8_t *bytes, size_t n, const char *ending)
{
    snprintf(name, PUBLISH_NAME_SIZE, "%016" PRIx64 "%s", publish_hash(PUBLISH_HASH_BEGIN, bytes, n), ending);
}

static bool end_file(publish_stream *s)
{
    char name[PUBLISH_NAME_SIZE];
    if (s->file.n == 0)
        return true;
    publish_stream_name(name, s->file.data, s->file.n, ".tby");
    if (!s->put(s->context, name, s->file.data, s->file.n))
        return failure_keep(s->failure, TBY_IO_ERROR, "%s could not be written", name);
    buffer_printf(&s->files, "%s[\"%s\",%zu]", s->files.n ? "," : "", name, s->file.n);
    buffer_clear(&s->file);
    return true;
}

size_t publish_stream_chunk(publish_stream *s, const buffer *chunk)
{
    if (chunk->has_failed || chunk->n > TBY_PUBLISH_FILE_MAX) {
        chunk->has_failed ? failure_no_memory(s->failure)
                          : failure_keep(s->failure, TBY_TOO_LONG, "a game or a list is too large to be published");
        return 0;
    }
    if (s->file.n + chunk->n > TBY_PUBLISH_FILE_MAX && !end_file(s))
        return 0;
    buffer_add(&s->file, chunk->s, chunk->n);
    if (s->file.has_failed) {
        failure_no_memory(s->failure);
        return 0;
    }
    s->at += chunk->n;
    return chunk->n;
}

size_t publish_stream_pack(publish_stream *s, buffer *bytes)
{
    buffer chunk = {0};
    publish_pack(&chunk, bytes);
    const size_t n = publish_stream_chunk(s, &chunk);
    buffer_free(&chunk);
    buffer_clear(bytes);
    return n;
}

bool publish_stream_end(publish_stream *s) { return end_file(s); }

/* ---- gzip (RFC 1952) ------------------------------------------------------------------------------------ */

#ifdef TABIYA_ZLIB
static bool deflate_all(buffer *out, const buffer *bytes)
{
    enum { LEVEL = 6, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    const size_t most = deflateBound(&z, (uLong)bytes->n);
    z.next_in = bytes->data;
    z.avail_in = (uInt)bytes->n;
    z.next_out = (Bytef *)buffer_room(out, most);
    z.avail_out = (uInt)most;
    const bool is_good = z.next_out && deflate(&z, Z_FINISH) == Z_STREAM_END;
    out->n += is_good ? z.total_out : 0;
    deflateEnd(&z);
    return is_good;
}

static uint32_t checksum_of(const buffer *bytes) { return (uint32_t)crc32(0, bytes->data, (uInt)bytes->n); }
#else
static bool deflate_all(buffer *out, const buffer *bytes)
{
    publish_store(out, bytes);
    return !out->has_failed;
}

static uint32_t checksum_of(const buffer *bytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes->n; i++) {
        crc ^= bytes->data[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}
#endif

static void put_little(buffer *b, uint32_t number, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        buffer_put(b, number >> (8 * i) & 0xff);
}

/* The header, and blocks: 0 or, for the last, 1; the size and its complement. */
void publish_store(buffer *out, const buffer *bytes)
{
    static const char header[10] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    size_t at = 0;
    buffer_add(out, header, sizeof header);
    do {
        const size_t n = bytes->n - at < UINT16_MAX ? bytes->n - at : UINT16_MAX;
        put_little(out, at + n == bytes->n, 1);
        put_little(out, (uint32_t)n, 2);
        put_little(out, ~(uint32_t)n, 2);
        if (n)
            buffer_add(out, bytes->s + at, n);
        at += n;
    } while (at < bytes->n);
    put_little(out, checksum_of(bytes), 4);
    put_little(out, (uint32_t)bytes->n, 4);
    out->has_failed |= bytes->has_failed;
}

void publish_pack(buffer *out, const buffer *bytes)
{
    if (bytes->has_failed || bytes->n > UINT32_MAX / 2 || !deflate_all(out, bytes))
        buffer_fail(out);
}

/* ---- Chunks that are made in several threads ------------------------------------------------------------ */

enum { BATCH = 128 };

typedef struct packing {
    const publish_chunks *chunks;
    size_t first, end; /* of the batch */
    buffer packed[BATCH];
    atomic_size_t next;
} packing;

static void pack_chunks(void *context, unsigned number)
{
    packing *w = context;
    buffer bytes = {0};
    (void)number;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->end;) {
        buffer_clear(&bytes);
        buffer_clear(&w->packed[i - w->first]);
        w->chunks->make(w->chunks->context, i, &bytes);
        publish_pack(&w->packed[i - w->first], &bytes);
    }
    buffer_free(&bytes);
}

bool publish_chunks_write(tby_publisher *p, const publish_chunks *chunks)
{
    packing *w = calloc(1, sizeof *w);
    bool is_good = w || failure_no_memory(p->failure);
    for (size_t first = 0; is_good && first < chunks->n; first += BATCH) {
        w->chunks = chunks;
        w->first = first;
        w->end = chunks->n - first < BATCH ? chunks->n : first + BATCH;
        atomic_store(&w->next, first);
        threads_run(publish_threads(p), pack_chunks, w);
        for (size_t i = first; is_good && i < w->end; i++) {
            const size_t size = publish_stream_chunk(&p->out, &w->packed[i - first]);
            is_good = size > 0;
            if (is_good)
                chunks->take(chunks->context, i, size);
        }
        is_good = is_good && publish_report(p, p->fraction);
    }
    for (size_t i = 0; w && i < BATCH; i++)
        buffer_free(&w->packed[i]);
    free(w);
    return is_good;
}
