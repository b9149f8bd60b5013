/*
 * parquet_page.c - a column of a table as Parquet pages.
 *
 *     page         header (Thrift), then the body, compressed if the build has zstd
 *     body         which values are present, as a length and runs of 1 and 0 (only if some may be missing), then the
 *                  values: plain, or as dictionary indexes: the width of an index, then runs
 *     plain        numbers lowest byte first; a text after its length in four bytes
 *
 * zstd allocates its own memory, not through the allocator.
 */
#include "codec/bits.h"
#include "table/parquet.h"

#ifdef TABIYA_ZSTD
#include <zstd.h>

enum { LEVEL = 1 };

int32_t parquet_codec(void) { return PARQUET_ZSTD; }

static void put_body(tby_table_piece *piece)
{
    parquet_work *work = piece->work;
    buffer *out = &piece->bytes;
    if (!buffer_reserve(out, ZSTD_compressBound(work->page.n)))
        return;
    const size_t n =
        ZSTD_compressCCtx(work->zstd, out->data + out->n, out->cap - out->n, work->page.data, work->page.n, LEVEL);
    if (ZSTD_isError(n))
        out->has_failed = true;
    else
        out->n += n;
}
#else
int32_t parquet_codec(void) { return PARQUET_UNCOMPRESSED; }

static void put_body(tby_table_piece *piece) { buffer_add(&piece->bytes, piece->work->page.data, piece->work->page.n); }
#endif

/* ---- Values ---------------------------------------------------------------------------------------------- */

static void put_plain(buffer *out, const table_column *c, size_t row)
{
    size_t n;
    if (column_is_text(c)) {
        const char *s = column_text(c, row, &n);
        parquet_put_32(out, (uint32_t)n);
        buffer_add(out, s, n);
        return;
    }
    const uint64_t bits = column_bits(c, row);
    for (unsigned i = 0; i < c->width; i++)
        buffer_put(out, (unsigned)(bits >> 8 * i & 0xff));
}

static void put_all_plain(buffer *out, const table_column *c, size_t n_rows)
{
    if (c->width > 0 && c->n_empty == 0 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        buffer_add(out, c->values.data, n_rows * c->width);
        return;
    }
    for (size_t row = 0; row < n_rows; row++)
        if (column_has(c, row))
            put_plain(out, c, row);
}

static void put_indexes(parquet_work *work)
{
    const unsigned width = work->n_entries ? bit_length(work->n_entries - 1) : 0;
    buffer_put(&work->page, width);
    parquet_runs(&work->page, (const uint32_t *)(const void *)work->indexes.data, work->indexes.n / sizeof(uint32_t),
                 width);
}

/* Which values are present: one run if none is missing. */
static void put_presence(buffer *out, const table_column *c, size_t n_rows, const tby_allocator *allocator)
{
    buffer bits = buffer_begin(allocator);
    const size_t at = out->n;
    parquet_put_32(out, 0);
    if (!buffer_reserve(&bits, n_rows * sizeof(uint32_t))) {
        out->has_failed = true;
        return;
    }
    uint32_t *flags = (uint32_t *)(void *)bits.data;
    for (size_t row = 0; flags && row < n_rows; row++)
        flags[row] = column_has(c, row);
    parquet_runs(out, flags, n_rows, 1);
    buffer_free(&bits);
    for (int i = 0; i < 4 && !out->has_failed; i++)
        out->data[at + (size_t)i] = (uint8_t)((out->n - at - 4) >> 8 * i);
}

/* ---- Pages ----------------------------------------------------------------------------------------------- */

static void put_page_header(buffer *out, int32_t type, size_t n_unpacked, size_t n_packed, size_t n_values,
                            int32_t encoding)
{
    thrift t = thrift_begin(out);
    thrift_i32(&t, 1, type);
    thrift_i32(&t, 2, (int32_t)n_unpacked);
    thrift_i32(&t, 3, (int32_t)n_packed);
    thrift_struct(&t, type == PARQUET_DATA_PAGE ? 5 : 7);
    thrift_i32(&t, 1, (int32_t)n_values);
    thrift_i32(&t, 2, encoding);
    if (type == PARQUET_DATA_PAGE) {
        thrift_i32(&t, 3, PARQUET_RLE);
        thrift_i32(&t, 4, PARQUET_RLE);
    }
    thrift_close(&t);
    thrift_close(&t);
}

/* Compresses the body, in work->page, to a place that leaves room for the header, and moves it when the header's size
   is known. */
static void put_page(tby_table_piece *piece, parquet_chunk *chunk, int32_t type, size_t n_values, int32_t encoding)
{
    enum { HEADER_MAX = 64 };
    buffer *out = &piece->bytes;
    const buffer *page = &piece->work->page;
    const size_t begin = out->n;
    if (page->has_failed || page->n > INT32_MAX || !buffer_reserve(out, HEADER_MAX)) {
        out->has_failed = true;
        return;
    }
    out->n += HEADER_MAX;
    put_body(piece);
    if (out->has_failed)
        return;
    const size_t n_packed = out->n - begin - HEADER_MAX;
    out->n = begin;
    put_page_header(out, type, page->n, n_packed, n_values, encoding);
    const size_t n_header = out->n - begin;
    memmove(out->data + out->n, out->data + begin + HEADER_MAX, n_packed);
    out->n += n_packed;
    chunk->n_unpacked += n_header + page->n;
}

static void put_dictionary_page(tby_table_piece *piece, const table_column *c, parquet_chunk *chunk)
{
    parquet_work *work = piece->work;
    work->page.n = 0;
    for (uint32_t i = 0; i < work->n_entries; i++)
        put_plain(&work->page, c, work->entries[i]);
    put_page(piece, chunk, PARQUET_DICTIONARY_PAGE, work->n_entries, PARQUET_PLAIN);
}

void parquet_column(tby_table_piece *piece, const table_column *c, size_t n_rows, parquet_chunk *chunk)
{
    parquet_work *work = piece->work;
    *chunk = (parquet_chunk){.offset = piece->bytes.n, .n_empty = c->n_empty};
    chunk->has_dictionary = parquet_dictionary(work, c, n_rows);
    if (chunk->has_dictionary)
        put_dictionary_page(piece, c, chunk);
    chunk->data = piece->bytes.n;
    work->page.n = 0;
    if (c->about.may_be_empty)
        put_presence(&work->page, c, n_rows, &piece->allocator);
    if (chunk->has_dictionary)
        put_indexes(work);
    else
        put_all_plain(&work->page, c, n_rows);
    put_page(piece, chunk, PARQUET_DATA_PAGE, n_rows, chunk->has_dictionary ? PARQUET_BY_DICTIONARY : PARQUET_PLAIN);
    chunk->n_bytes = piece->bytes.n - chunk->offset;
}

/* ---- Small numbers as runs and packed bits: "RLE / bit-packing hybrid" ------------------------------------------- */

/*
 *     n << 1       a run of n equal numbers, then the number in whole bytes
 *     g << 1 | 1   g groups of eight numbers, `width` bits each, lowest first; the last group is filled up with 0
 */
enum { GROUP = 8 };

static size_t run_length(const uint32_t *values, size_t n)
{
    size_t length = 1;
    while (length < n && values[length] == values[0])
        length++;
    return length;
}

static void put_run(buffer *out, uint32_t value, size_t n, unsigned width)
{
    varint_put(out, (uint64_t)n << 1);
    for (unsigned bits = 0; bits < width; bits += 8)
        buffer_put(out, value >> bits & 0xff);
}

static void put_packed(buffer *out, const uint32_t *values, size_t n, unsigned width)
{
    const size_t n_groups = (n + GROUP - 1) / GROUP;
    uint64_t bits = 0;
    unsigned n_bits = 0;
    if (n == 0 || !buffer_reserve(out, 10 + n_groups * width))
        return;
    varint_put(out, (uint64_t)n_groups << 1 | 1);
    uint8_t *p = out->data + out->n;
    for (size_t i = 0; i < n_groups * GROUP; i++) {
        bits |= (uint64_t)(i < n ? values[i] : 0) << n_bits;
        for (n_bits += width; n_bits >= 8; n_bits -= 8, bits >>= 8)
            *p++ = (uint8_t)bits;
    }
    out->n = (size_t)(p - out->data);
}

void parquet_runs(buffer *out, const uint32_t *values, size_t n, unsigned width)
{
    size_t begin = 0; /* numbers from here on are not packed yet */
    for (size_t i = 0; i < n;) {
        size_t length = run_length(values + i, n - i);
        const size_t missing = (GROUP - (i - begin) % GROUP) % GROUP; /* to complete the group */
        if (length < missing + GROUP) {
            i += length;
            continue;
        }
        put_packed(out, values + begin, i + missing - begin, width);
        put_run(out, values[i], length - missing, width);
        i += length;
        begin = i;
    }
    put_packed(out, values + begin, n - begin, width);
}
