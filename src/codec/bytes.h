/*
 * bytes.h - numbers in bytes, of fixed size (highest byte first) or variable, a cursor over bytes, and checksums.
 */
#ifndef TBY_CODEC_BYTES_H
#define TBY_CODEC_BYTES_H

#include "support/buffer.h"

static inline void buffer_put_24(buffer *b, uint32_t word)
{
    buffer_put(b, word >> 16 & 0xff);
    buffer_put(b, word >> 8 & 0xff);
    buffer_put(b, word & 0xff);
}

static inline void bytes_set_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t bytes_get_32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint32_t bytes_get_24(const uint8_t *at) { return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]; }

typedef struct byte_cursor {
    const uint8_t *start, *at, *end;
} byte_cursor;

/* `bytes` may be NULL if there are none. */
static inline byte_cursor cursor_begin(const uint8_t *bytes, size_t n)
{
    return (byte_cursor){bytes, bytes, bytes ? bytes + n : NULL};
}

static inline size_t cursor_left(const byte_cursor *c) { return (size_t)(c->end - c->at); }
static inline size_t cursor_offset(const byte_cursor *c) { return (size_t)(c->at - c->start); }

/* ---- Checksums (crc32.c) ----------------------------------------------------------------------------------------- */

/* The checksum of `n` bytes that follow bytes with the checksum `crc` (0 at the beginning). */
uint32_t crc32_of(uint32_t crc, const uint8_t *bytes, size_t n);

/* ---- Numbers of variable size ------------------------------------------------------------------------------------ */

/*
 *     0xxxxxxx                                      0 ... 127
 *     1xxxxxxx 0xxxxxxx                           128 ... 16383          seven bits in each byte, lowest first;
 *     1xxxxxxx 1xxxxxxx 0xxxxxxx                16384 ... 2097151        the top bit says that more follow
 *     ... five bytes at most, the last below 16: up to 2^32 - 1
 *
 * Writes   numbers of up to 64 bits, which only Parquet has.
 * Refuses  numbers over 32 bits, truncated numbers, and superfluous zero bytes: every number has one form.
 */
enum { VARINT_SIZE = 5 };

static inline void varint_put(buffer *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buffer_put(b, (unsigned)(value & 0x7f) | 0x80);
    buffer_put(b, (unsigned)value);
}

/* False, and nothing read, if there is no valid number. */
static inline bool varint_take(byte_cursor *c, uint32_t *out)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < VARINT_SIZE && i < cursor_left(c); i++) {
        const unsigned byte = c->at[i];
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte & 0x80)
            continue;
        if (value > UINT32_MAX || (byte == 0 && i > 0))
            return false;
        c->at += i + 1;
        *out = (uint32_t)value;
        return true;
    }
    return false;
}

#endif
