/*
 * bytes.h - numbers of fixed size, highest byte first, and a cursor over bytes.
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

#endif
