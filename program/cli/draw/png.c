/*
 * png.c - writes a picture as PNG (RFC 2083): eight bits for each of red, green and blue.
 *
 * Its bytes are deflated (RFC 1951) with the fixed code. What repeats is looked for in two places only, the pixel to
 * the left and the row above, which is enough for drawings.
 */
#include "png.h"

#include <string.h>

/* ---- Checksums -------------------------------------------------------------------------------------------------- */

static uint32_t crc32_of(const char *s, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= (uint8_t)s[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t adler32_of(const uint8_t *s, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + s[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- Deflate ---------------------------------------------------------------------------------------------------- */

typedef struct bits {
    buffer *out;
    uint32_t held;
    unsigned n;
} bits;

static void put_bits(bits *b, uint32_t value, unsigned n)
{
    b->held |= value << b->n;
    for (b->n += n; b->n >= 8; b->n -= 8, b->held >>= 8)
        buffer_add(b->out, &(const char){(char)b->held}, 1);
}

/* Codes are written with their first bit first. */
static void put_code(bits *b, uint32_t code, unsigned n)
{
    uint32_t turned = 0;
    for (unsigned i = 0; i < n; i++)
        turned |= (code >> i & 1) << (n - 1 - i);
    put_bits(b, turned, n);
}

static void put_symbol(bits *b, unsigned symbol)
{
    if (symbol < 144)
        put_code(b, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(b, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(b, symbol - 256, 7);
    else
        put_code(b, 0xc0 + symbol - 280, 8);
}

/* Lengths and distances grow by powers of two with some bits more: `groups` have 1 << steps values of the same size. */
static void put_length(bits *b, unsigned length)
{
    if (length == 258) {
        put_symbol(b, 285);
        return;
    }
    unsigned extra = 0;
    const unsigned value = length - 3;
    while (value >> (extra + 3))
        extra++;
    put_symbol(b, 257 + extra * 4 + (value >> extra));
    put_bits(b, value & ((1u << extra) - 1), extra);
}

static void put_distance(bits *b, unsigned distance)
{
    unsigned extra = 0;
    const unsigned value = distance - 1;
    while (value >> (extra + 2))
        extra++;
    put_code(b, extra * 2 + (value >> extra), 5);
    put_bits(b, value & ((1u << extra) - 1), extra);
}

static unsigned match_length(const uint8_t *s, size_t at, size_t n, size_t distance)
{
    unsigned length = 0;
    if (distance > at || distance > 32768)
        return 0;
    while (length < 258 && at + length < n && s[at + length] == s[at + length - distance])
        length++;
    return length;
}

static void deflate(buffer *out, const uint8_t *s, size_t n, size_t stride)
{
    bits b = {.out = out};
    put_bits(&b, 1, 1); /* the last block */
    put_bits(&b, 1, 2); /* the fixed code */
    for (size_t i = 0; i < n;) {
        const unsigned left = match_length(s, i, n, 3), above = match_length(s, i, n, stride);
        const unsigned length = left > above ? left : above;
        if (length < 3) {
            put_symbol(&b, s[i++]);
            continue;
        }
        put_length(&b, length);
        put_distance(&b, (unsigned)(left >= above ? 3 : stride));
        i += length;
    }
    put_symbol(&b, 256);
    put_bits(&b, 0, b.n ? 8 - b.n : 0);
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

static void add_number(buffer *out, uint32_t value)
{
    const char bytes[4] = {(char)(value >> 24), (char)(value >> 16), (char)(value >> 8), (char)value};
    buffer_add(out, bytes, sizeof bytes);
}

static void add_chunk(buffer *out, const char *name, const char *data, size_t n)
{
    add_number(out, (uint32_t)n);
    const size_t begin = out->n;
    buffer_add(out, name, 4);
    buffer_add(out, data, n);
    add_number(out, crc32_of(out->s + begin, out->n - begin));
}

void png_write(buffer *out, const uint8_t *rgb, unsigned width, unsigned height)
{
    buffer head = {0}, rows = {0}, packed = {0};
    const size_t row = (size_t)width * 3;
    buffer_add(out, "\x89PNG\r\n\x1a\n", 8);
    add_number(&head, width);
    add_number(&head, height);
    buffer_add(&head, "\x08\x02\x00\x00\x00", 5); /* eight bits, colours, as they are */
    add_chunk(out, "IHDR", head.s, head.n);
    for (unsigned y = 0; y < height; y++) {
        buffer_add(&rows, "", 1); /* no filter */
        buffer_add(&rows, (const char *)rgb + y * row, row);
    }
    buffer_add(&packed, "\x78\x01", 2);
    deflate(&packed, (const uint8_t *)rows.s, rows.n, row + 1);
    add_number(&packed, adler32_of((const uint8_t *)rows.s, rows.n));
    add_chunk(out, "IDAT", packed.s, packed.n);
    add_chunk(out, "IEND", "", 0);
    buffer_free(&head);
    buffer_free(&rows);
    buffer_free(&packed);
}
