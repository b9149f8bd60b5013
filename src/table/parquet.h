/*
 * parquet.h - what the parts of the Parquet writer share.
 *
 *     parquet.c         the file: header, row groups, footer
 *     parquet_page.c    a column of a table as pages: plain or by dictionary, compressed
 *     parquet_runs.c    small numbers as runs and packed bits
 */
#ifndef TBY_TABLE_PARQUET_H
#define TBY_TABLE_PARQUET_H

#include "codec/bytes.h"
#include "table/format.h"

/* The numbers of the format. */
enum { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_BY_DICTIONARY = 8 };
enum { PARQUET_UNCOMPRESSED = 0, PARQUET_ZSTD = 6 };
enum { PARQUET_DATA_PAGE = 0, PARQUET_DICTIONARY_PAGE = 2 };

enum { DICTIONARY_MAX = 1 << 13 };

/* A column of a row group: a dictionary page perhaps, and one page of values. */
typedef struct parquet_chunk {
    uint64_t offset; /* in the row group */
    uint64_t data;   /* of the page of values, likewise */
    uint64_t n_bytes, n_unpacked;
    uint64_t n_empty;
    bool has_dictionary;
} parquet_chunk;

/* Memory that is reused for each column. */
typedef struct parquet_work {
    buffer page;    /* one page before it is compressed */
    buffer indexes; /* uint32_t: dictionary indexes, or 0 and 1 for missing and present */
    void *zstd;     /* a compressor */
    uint32_t n_entries;
    uint32_t entries[DICTIONARY_MAX];   /* the row in which each value of the dictionary occurs first */
    uint16_t slots[4 * DICTIONARY_MAX]; /* entry + 1, by hash */
} parquet_work;

/* Adds the pages of a column, and describes them in `chunk`. */
void parquet_column(tby_table_piece *piece, const table_column *c, size_t n_rows, parquet_chunk *chunk);
/* False if there are too many different values for a dictionary; otherwise fills the indexes. */
bool parquet_dictionary(parquet_work *work, const table_column *c, size_t n_rows);
/* Numbers of `width` bits. */
void parquet_runs(buffer *out, const uint32_t *values, size_t n, unsigned width);
int32_t parquet_codec(void);

static inline void parquet_put_32(buffer *out, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    buffer_add(out, bytes, sizeof bytes);
}

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
