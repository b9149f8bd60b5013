/*
 * record.h - a position as a few words for counting, exact or as a fingerprint.
 *
 * The identity of a position is four words: the planes of its board (position/board.h), in which unused piece codes
 * represent the remaining state. The ply determines the side to move.
 *
 *     0111, 1111   a rook that may castle          1000   a pawn that may be captured en passant
 *
 *     exact         w0 mixed, upper half | w2 | w0 mixed, lower half | w1 | w3       8 words of 32 bits
 *     fingerprint   w0 mixed, upper half | hash of all                               3 words
 *
 * The mixing of w0 is a permutation that depends on the other words, so it can be undone; its upper half is practically
 * random. The hashes are sums of products (multilinear, 128 bits; the upper 64 are kept): two positions have
 * the same hash with a probability of 2^-64, and the same fingerprint with 2^-96.
 *
 * Keeps    records sort by their words; both kinds of records of a position begin with the same word, so they are in
 *          the same partition, in nearly the same order; words 1 and 2 are never both zero.
 */
#ifndef TBY_TREE_RECORD_H
#define TBY_TREE_RECORD_H

#include "position/board.h"
#include "tabiya_tree.h"

enum { RECORD_FINGERPRINT = 3, RECORD_EXACT = 8 };

/* Random numbers. */
static const uint64_t RECORD_KEYS[14] = {
    0x6edd3a249018775aULL, 0x8687b18d8ce14c8bULL, 0x1ed40c227dab7ad2ULL, 0x3fe6e7be9ba05717ULL, 0xcb674d999253f6b7ULL,
    0x57b39e4dbda513bdULL, 0xbafcaba920f0ac5cULL, 0x06082c084826f652ULL, 0xa93f99f2e8a4987eULL, 0xe2c532cf9756a036ULL,
    0x70db71c4a6d5169eULL, 0xb51d8b61ea81606dULL, 0x7f5364eb98d00ba6ULL, 0x88b065e74dd5a9ecULL,
};
/* The product of these two is 1 modulo 2^64. */
#define RECORD_FACTOR 0x2d38de7c3bec5519ULL
#define RECORD_INVERSE 0x79ff0817758e3729ULL

/* The upper half of a 128-bit product. */
TBY_INLINE uint64_t record_upper(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    return (uint64_t)((uint128)a * b >> 64);
#else
    const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    return a_high * b_high + (middle >> 32) + (((uint32_t)middle + a_low * b_high) >> 32);
#endif
}

TBY_INLINE uint64_t record_hash(const uint64_t *words, int n, const uint64_t *keys)
{
    uint64_t low = 0, high = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t product = words[i] * keys[2 * i];
        low += product;
        high += record_upper(words[i], keys[2 * i]) + (low < product) + words[i] * keys[2 * i + 1];
    }
    return high;
}

TBY_INLINE uint64_t record_mix(uint64_t x)
{
    x = (x ^ x >> 32) * RECORD_FACTOR;
    x = (x ^ x >> 32) * RECORD_FACTOR;
    return x ^ x >> 32;
}

TBY_INLINE uint64_t record_unmix(uint64_t x)
{
    x = (x ^ x >> 32) * RECORD_INVERSE;
    x = (x ^ x >> 32) * RECORD_INVERSE;
    return x ^ x >> 32;
}

TBY_INLINE void record_of_words(uint32_t *out, const uint64_t w[4], int width)
{
    const uint64_t mixed = record_mix(w[0] ^ record_hash(w + 1, 3, RECORD_KEYS));
    uint64_t second = w[2];
    if (width == RECORD_FINGERPRINT) {
        second = record_hash(w, 4, RECORD_KEYS + 6);
        second += second == 0;
    }
    out[0] = (uint32_t)(mixed >> 32);
    out[1] = (uint32_t)(second >> 32);
    out[2] = (uint32_t)second;
    if (width == RECORD_FINGERPRINT)
        return;
    out[3] = (uint32_t)mixed;
    out[4] = (uint32_t)(w[1] >> 32);
    out[5] = (uint32_t)w[1];
    out[6] = (uint32_t)(w[3] >> 32);
    out[7] = (uint32_t)w[3];
}

TBY_INLINE void record_of_position(uint32_t *out, const tby_position *pos, int width)
{
    uint64_t w[4] = {pos->board.plane[0] | pos->castling, pos->board.plane[1] | pos->castling, pos->board.plane[2],
                     pos->board.plane[3]};
    if (pos->en_passant != TBY_NO_SQUARE && tby_position_en_passant_legal(pos) != TBY_NO_SQUARE) {
        const tby_bitboard pawn = bb_square(pos->en_passant ^ 8u);
        w[0] &= ~pawn;
        w[3] |= pawn;
    }
    record_of_words(out, w, width);
}

TBY_INLINE uint64_t record_pair(const uint32_t *words) { return (uint64_t)words[0] << 32 | words[1]; }

/* Decodes an exact record. */
TBY_INLINE void record_words(uint64_t w[4], const uint32_t *record)
{
    w[1] = record_pair(record + 4);
    w[2] = record_pair(record + 1);
    w[3] = record_pair(record + 6);
    w[0] = record_unmix((uint64_t)record[0] << 32 | record[3]) ^ record_hash(w + 1, 3, RECORD_KEYS);
}

/* Suitable for generating and playing moves; has no placement key. */
TBY_INLINE tby_position record_position(const uint32_t *record, tby_color side)
{
    uint64_t w[4];
    record_words(w, record);
    const tby_bitboard castling = w[0] & w[1] & w[2], pawn = w[3] & ~(w[0] | w[1] | w[2]);
    tby_position pos = {.castling = castling, .ply = side, .en_passant = TBY_NO_SQUARE};
    pos.board.plane[0] = (w[0] & ~castling) | pawn;
    pos.board.plane[1] = w[1] & ~castling;
    pos.board.plane[2] = w[2];
    pos.board.plane[3] = side == TBY_WHITE ? w[3] : w[3] & ~pawn; /* the other side's pawn */
    if (pawn)
        pos.en_passant = bb_first(pawn) ^ 8u;
    return pos;
}

TBY_INLINE int record_compare(const uint32_t *a, const uint32_t *b, int width)
{
    for (int i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

TBY_INLINE bool record_is_free(const uint32_t *record) { return (record[1] | record[2]) == 0; }

#endif
