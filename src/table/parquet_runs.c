/*
 * parquet_runs.c - small numbers as runs and packed bits: Parquet's "RLE / bit-packing hybrid".
 *
 *     n << 1       a run of n equal numbers, then the number in whole bytes
 *     g << 1 | 1   g groups of eight numbers, `width` bits each, lowest first; the last group is filled up with 0
 */
#include "table/parquet.h"
#include "table/thrift.h"

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
