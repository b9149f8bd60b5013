/*
 * varint.h - integers in a variable number of bytes.
 *
 *     0xxxxxxx                                      0 ... 127
 *     1xxxxxxx 0xxxxxxx                           128 ... 16383          seven bits in each byte, lowest first;
 *     1xxxxxxx 1xxxxxxx 0xxxxxxx                16384 ... 2097151        the top bit says that more follow
 *     ... five bytes at most, the last below 16: up to 2^32 - 1
 *
 * Writes   numbers of up to 64 bits, which only Parquet has.
 * Refuses  numbers over 32 bits, truncated numbers, and superfluous zero bytes: every number has one form.
 */
#ifndef TBY_CODEC_VARINT_H
#define TBY_CODEC_VARINT_H

#include "codec/bytes.h"

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
