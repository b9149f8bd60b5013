/*
 * bits.h - numbers of any width in bits, stored one after the other, highest bit of each byte first.
 *
 *     number(k)   [ zeros: n ][ 1 ][ n bits ][ k bits ]       (value >> k) + 1 in n + 1 bits, then the
 *                                                             lowest k bits of value
 *
 * So values below 2^k take k + 1 bits, and each doubling two more.
 */
#ifndef TBY_CODEC_BITS_H
#define TBY_CODEC_BITS_H

#include "codec/bytes.h"

/* The most bits read or written at once, and the most leading zeros of a number. */
enum { BITS_MOST = 56, BITS_ZEROS = 32 };

/* How many bits a number has; 0 for 0. */
static inline unsigned bit_length(uint64_t value) { return value ? 64 - (unsigned)__builtin_clzll(value) : 0; }

/* ---- Writing -------------------------------------------------------------------------------------------- */

typedef struct bit_buffer {
    buffer bytes;
    uint64_t word; /* pending bits, lowest in the word */
    unsigned n;    /* how many are pending, at most 7 */
} bit_buffer;

/* Whole bytes leave the word at once: eight are written, and only the complete ones are counted. */
static inline void bits_put(bit_buffer *b, uint64_t value, unsigned n)
{
    b->word = b->word << n | value;
    b->n += n;
    if (b->n < 8)
        return;
    uint64_t bytes = b->word << (64 - b->n);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    if (buffer_reserve(&b->bytes, sizeof bytes)) {
        memcpy(b->bytes.data + b->bytes.n, &bytes, sizeof bytes);
        b->bytes.n += b->n / 8;
    }
    b->n %= 8;
}

static inline void bits_put_number(bit_buffer *b, uint64_t value, unsigned k)
{
    const uint64_t upper = (value >> k) + 1, lower = value & (((uint64_t)1 << k) - 1);
    const unsigned n = bit_length(upper);
    if (2 * n - 1 + k <= BITS_MOST) { /* the usual case */
        bits_put(b, upper << k | lower, 2 * n - 1 + k);
        return;
    }
    bits_put(b, 0, n - 1);
    bits_put(b, upper, n);
    bits_put(b, lower, k);
}

/* Pads with zeros to a whole byte. */
static inline void bits_fill(bit_buffer *b)
{
    if (b->n)
        bits_put(b, 0, 8 - b->n);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* At least 57 bits from `at` on, in the top bits; zeros after the last byte. */
static inline uint64_t bits_peek(const uint8_t *bytes, uint64_t at, uint64_t end)
{
    uint64_t word = 0;
    const uint64_t byte = at >> 3, n = end >> 3;
    if (byte + 8 <= n) {
        memcpy(&word, bytes + byte, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        word = __builtin_bswap64(word);
#endif
    } else {
        for (uint64_t i = byte; i < n; i++)
            word |= (uint64_t)bytes[i] << (56 - 8 * (i - byte));
    }
    return word << (at & 7);
}

/* Both may step past the end if there are too few bits: check `*at` afterwards. */
static inline uint64_t bits_take(const uint8_t *bytes, uint64_t *at, uint64_t end, unsigned n)
{
    const uint64_t word = n ? bits_peek(bytes, *at, end) >> (64 - n) : 0;
    *at += n;
    return word;
}

static inline uint64_t bits_take_number(const uint8_t *bytes, uint64_t *at, uint64_t end, unsigned k)
{
    const uint64_t word = bits_peek(bytes, *at, end);
    const unsigned zeros = word >> (63 - BITS_ZEROS) ? (unsigned)__builtin_clzll(word) : BITS_ZEROS + 1;
    if (zeros > BITS_ZEROS) {
        *at = end + 1;
        return 0;
    }
    if (2 * zeros + 1 + k <= BITS_MOST) { /* the usual case */
        *at += 2 * zeros + 1 + k;
        const uint64_t upper = (word << zeros >> (63 - zeros)) - 1;
        return k ? upper << k | word << (2 * zeros + 1) >> (64 - k) : upper;
    }
    *at += zeros;
    const uint64_t upper = bits_take(bytes, at, end, zeros + 1) - 1;
    return upper << k | bits_take(bytes, at, end, k);
}

#endif
