/*
 * pgn_word.h - finds the words of plain move text: moves, after blanks and move numbers.
 *
 *     "  12. Nbxd5+ "        blanks, a number with its dots, blanks; a word of SAN bytes; a byte that ends it
 *
 * The finders refuse anything else, and words longer than PGN_PLAIN_BYTES: the readers of single tokens then take over.
 * The start of a word that is refused for its bytes is still reported. The x86-64-v3 variant classifies all bytes at
 * once: each class is a set of low nibbles times a set of high nibbles, one bit in each of two tables.
 */
#ifndef TBY_GAME_PGN_WORD_H
#define TBY_GAME_PGN_WORD_H

#include "game/pgn_lex.h"

enum { PGN_PLAIN_BYTES = 32 };

typedef struct pgn_span {
    const char *s, *end;
} pgn_span;

#ifdef TBY_VARIANT_V3

#include <immintrin.h>

/* The bits of a class. Digits are also bytes of words; a few other bytes have the second highest bit. */
enum {
    PGN_BYTE_BLANKS = 3,   /* \t to \r; space */
    PGN_BYTE_DIGIT = 4,    /* 0 to 9 */
    PGN_BYTE_DOT = 8,      /* . */
    PGN_BYTE_SKIPPED = 15, /* any of these */
    PGN_BYTE_WORD = 0xf4   /* digits; + #; a to h; A B K N Q R [ ^; x */
};

TBY_INLINE __m256i pgn_byte_classes(__m256i bytes)
{
    /* 0x09-0x0d 1, 0x20 2, 0x30-0x39 4, 0x2e 8, 0x23 0x2b 16, 0x61-0x68 32, 0x41 0x42 0x4b 0x4e 0x5. 64, 0x78 128 */
    const __m256i low = _mm256_broadcastsi128_si256(_mm_setr_epi8(2 | 4, 4 | 32 | 64, 4 | 32 | 64, 4 | 16 | 32, 4 | 32,
                                                                  4 | 32, 4 | 32, 4 | 32, (char)(4 | 32 | 128), 1 | 4,
                                                                  1, 1 | 16 | 64, 1, 1, 8 | 64, 0));
    const __m256i high =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 2 | 8 | 16, 4, 64, 64, 32, (char)128, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i halves = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, halves));
}

/* A bit for each byte whose class has none of the bits. */
TBY_INLINE uint32_t pgn_bytes_without(__m256i classes, int bits)
{
    const __m256i wanted = _mm256_and_si256(classes, _mm256_set1_epi8((char)bits));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(wanted, _mm256_setzero_si256()));
}

/* Is the text empty, or one run of digits and then one of dots? */
TBY_INLINE bool pgn_is_number(uint32_t digits, uint32_t dots)
{
    if (!(digits | dots))
        return true;
    const uint32_t behind = digits + (digits & -digits), first_dot = dots & -dots;
    return ((first_dot ^ behind) | (behind & digits) | ((dots + first_dot) & dots)) == 0;
}

TBY_INLINE bool pgn_next_plain_word(pgn_span *word, const char *at)
{
    const __m256i classes = pgn_byte_classes(_mm256_loadu_si256((const __m256i *)at));
    const uint32_t digits = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(classes, 5));
    const uint32_t dots = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(classes, 4));
    const unsigned begin = _tzcnt_u32(pgn_bytes_without(classes, PGN_BYTE_SKIPPED));
    const unsigned n = _tzcnt_u32(pgn_bytes_without(classes, PGN_BYTE_WORD) >> (begin & 31));
    const bool is_number = pgn_is_number(_bzhi_u32(digits, begin), _bzhi_u32(dots, begin));
    word->s = is_number ? at + begin : at;
    word->end = at + begin + n;
    return is_number && n > 1 && begin + n < PGN_PLAIN_BYTES && pgn_ends_word(*word->end);
}

TBY_INLINE bool pgn_plain_word(pgn_span *word, const char *at)
{
    const __m256i classes = pgn_byte_classes(_mm256_loadu_si256((const __m256i *)at));
    const unsigned n = _tzcnt_u32(pgn_bytes_without(classes, PGN_BYTE_WORD));
    word->s = at;
    word->end = at + n;
    return n > 1 && n < PGN_PLAIN_BYTES && pgn_ends_word(*word->end);
}

#else

TBY_INLINE bool pgn_plain_word(pgn_span *word, const char *at)
{
    const char *end = at;
    while (pgn_class_of(*end) == PGN_WORD || pgn_class_of(*end) == PGN_DIGIT)
        end++;
    word->s = at;
    word->end = end;
    return end - at > 1 && pgn_ends_word(*end);
}

TBY_INLINE bool pgn_next_plain_word(pgn_span *word, const char *at)
{
    const char *limit = at + PGN_PLAIN_BYTES;
    while (pgn_is_blank(*at))
        at++;
    word->s = word->end = at;
    if (pgn_class_of(*at) == PGN_DIGIT) {
        while (pgn_class_of(*at) == PGN_DIGIT)
            at++;
        if (*at != '.')
            return false;
        while (*at == '.')
            at++;
        while (pgn_is_blank(*at))
            at++;
    }
    return at < limit && pgn_class_of(*at) == PGN_WORD && pgn_plain_word(word, at);
}

#endif

#endif
