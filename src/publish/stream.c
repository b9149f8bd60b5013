/*
 * stream.c - chunks with checksums, one after the other, cut into files that are named by their content.
 */
#include "codec/bytes.h"
#include "publish/publish.h"

#include <inttypes.h>
#include <stdio.h>

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

size_t publish_stream_chunk(publish_stream *s, buffer *chunk)
{
    uint8_t checksum[PUBLISH_CHECKSUM];
    const size_t n = chunk->n + PUBLISH_CHECKSUM;
    if (chunk->has_failed || n > TBY_PUBLISH_FILE_MAX) {
        chunk->has_failed ? failure_no_memory(s->failure)
                          : failure_keep(s->failure, TBY_TOO_LONG, "a game or a list is too large to be published");
        return 0;
    }
    bytes_set_32(checksum, crc32_of(0, chunk->data, chunk->n));
    if (s->file.n + n > TBY_PUBLISH_FILE_MAX && !end_file(s))
        return 0;
    buffer_add(&s->file, chunk->s, chunk->n);
    buffer_add(&s->file, checksum, sizeof checksum);
    if (s->file.has_failed) {
        failure_no_memory(s->failure);
        return 0;
    }
    s->at += n;
    buffer_clear(chunk);
    return n;
}

bool publish_stream_end(publish_stream *s) { return end_file(s); }
