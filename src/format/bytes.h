/*
 * bytes.h - a buffer of bytes that grows, and a cursor over bytes that are there.
 *
 * A buffer that could not grow stays as it is, takes nothing more and says so in `has_failed`: writers look once, at
 * the end. Numbers of fixed size are stored highest byte first.
 */
#ifndef TBY_FORMAT_BYTES_H
#define TBY_FORMAT_BYTES_H

#include "support/array.h"

#include <string.h>

typedef struct buffer {
    uint8_t *data;
    size_t n, cap;
    bool has_failed;
    tby_allocator allocator;
} buffer;

static inline buffer buffer_begin(const tby_allocator *allocator)
{
    return (buffer){NULL, 0, 0, false, allocator_or_default(allocator)};
}

static inline void buffer_free(buffer *b)
{
    if (b->data)
        b->allocator.resize(b->allocator.context, b->data, b->cap, 0);
    b->data = NULL;
    b->n = b->cap = 0;
}

/* Apart, because it is rare: what is appended a million times stays small. */
static __attribute__((noinline, cold, unused)) bool buffer_grow(buffer *b, size_t more)
{
    if (!b->has_failed)
        b->has_failed = more > SIZE_MAX - b->n || !array_reserve(&b->data, &b->cap, b->n + more, 1, &b->allocator);
    return !b->has_failed;
}

/* Room for `more` bytes after those that are there. */
static inline bool buffer_reserve(buffer *b, size_t more)
{
    return (!b->has_failed && more <= b->cap - b->n) || buffer_grow(b, more);
}

static inline void buffer_put(buffer *b, unsigned byte)
{
    if (buffer_reserve(b, 1))
        b->data[b->n++] = (uint8_t)byte;
}

static inline void buffer_add(buffer *b, const void *s, size_t n)
{
    if (n > 0 && buffer_reserve(b, n)) {
        memcpy(b->data + b->n, s, n);
        b->n += n;
    }
}

/* The same as a tby_sink. */
static inline bool buffer_sink(void *buffer, const char *s, size_t n)
{
    buffer *b = buffer;
    buffer_add(b, s, n);
    return !b->has_failed;
}

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
