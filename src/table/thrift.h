/*
 * thrift.h - the part of Thrift's compact protocol that Parquet's headers need.
 *
 *     a field    one byte: the difference to the last field's number << 4 | type, then its value
 *     numbers    zigzag, then seven bits in each byte, lowest first        text   its length, then its bytes
 *     a list     one byte: n << 4 | type (n < 15), or 15 << 4 | type and n         a struct ends in a byte 0
 */
#ifndef TBY_TABLE_THRIFT_H
#define TBY_TABLE_THRIFT_H

#include "codec/varint.h"

enum {
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_BYTE = 3,
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_TEXT = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12
};

typedef struct thrift {
    buffer *out;
    int last[8]; /* the last field of each struct that is open */
    int depth;
} thrift;

static inline void thrift_integer(buffer *out, int64_t value)
{
    varint_put(out, ((uint64_t)value << 1) ^ (uint64_t)(value < 0 ? -1 : 0));
}

static inline thrift thrift_begin(buffer *out) { return (thrift){out, {0}, 0}; }

/* Field numbers must increase, by less than 16. */
static inline void thrift_field(thrift *t, int number, unsigned type)
{
    buffer_put(t->out, (unsigned)(number - t->last[t->depth]) << 4 | type);
    t->last[t->depth] = number;
}

static inline void thrift_i32(thrift *t, int number, int32_t value)
{
    thrift_field(t, number, THRIFT_I32);
    thrift_integer(t->out, value);
}

static inline void thrift_i64(thrift *t, int number, int64_t value)
{
    thrift_field(t, number, THRIFT_I64);
    thrift_integer(t->out, value);
}

static inline void thrift_bytes(buffer *out, const void *s, size_t n)
{
    varint_put(out, n);
    buffer_add(out, s, n);
}

static inline void thrift_text(thrift *t, int number, const char *s)
{
    thrift_field(t, number, THRIFT_TEXT);
    thrift_bytes(t->out, s, strlen(s));
}

static inline void thrift_list(thrift *t, int number, unsigned type, size_t n)
{
    thrift_field(t, number, THRIFT_LIST);
    buffer_put(t->out, (unsigned)(n < 15 ? n : 15) << 4 | type);
    if (n >= 15)
        varint_put(t->out, n);
}

/* An element of a list. */
static inline void thrift_open(thrift *t) { t->last[++t->depth] = 0; }

static inline void thrift_struct(thrift *t, int number)
{
    thrift_field(t, number, THRIFT_STRUCT);
    thrift_open(t);
}

static inline void thrift_close(thrift *t)
{
    buffer_put(t->out, 0);
    if (t->depth > 0)
        t->depth--;
}

#endif
