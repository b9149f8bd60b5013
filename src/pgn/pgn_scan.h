/*
 * pgn_scan.h - searches PGN for bytes, sixteen or more at a time where the processor can.
 *
 * The window ends with a NUL and then has PGN_WINDOW_SLACK bytes to spare, so that a scan may read a vector from any of
 * its bytes. Every x86-64 has SSE2; elsewhere the same is done byte by byte.
 */
#ifndef TBY_PGN_PGN_SCAN_H
#define TBY_PGN_PGN_SCAN_H

#include "base/bitboard.h"

#ifdef __SSE2__

#ifdef TBY_VARIANT_V3
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

TBY_INLINE __m128i pgn_sixteen(const char *s) { return _mm_loadu_si128((const __m128i *)s); }
TBY_INLINE __m128i pgn_equal(__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }
TBY_INLINE unsigned pgn_bits(__m128i bytes) { return (unsigned)_mm_movemask_epi8(bytes); }

/* The number of letters at s, if there are 1 to 15 and then a blank; otherwise 0. */
TBY_INLINE unsigned pgn_letters(const char *s)
{
    const __m128i bytes = pgn_sixteen(s), small = _mm_or_si128(bytes, _mm_set1_epi8(32));
    const __m128i letters =
        _mm_and_si128(_mm_cmpgt_epi8(small, _mm_set1_epi8('a' - 1)), _mm_cmpgt_epi8(_mm_set1_epi8('z' + 1), small));
    const unsigned others = ~pgn_bits(letters), n = (unsigned)__builtin_ctz(others);
    return n < 16 && s[n] == ' ' ? n : 0;
}

/* The first byte from s on that is `a`, `b`, a control character (NUL ends the window), or not ASCII. */
#ifdef TBY_VARIANT_V3
TBY_INLINE const char *pgn_find_plain(const char *s, char a, char b)
{
    for (;; s += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)s);
        const __m256i others = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), bytes);
        const __m256i either = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(a)),
                                               _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b)));
        const unsigned found = (unsigned)_mm256_movemask_epi8(_mm256_or_si256(either, others));
        if (found)
            return s + __builtin_ctz(found);
    }
}
#else
TBY_INLINE const char *pgn_find_plain(const char *s, char a, char b)
{
    for (;; s += 16) {
        const __m128i bytes = pgn_sixteen(s), others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
        const unsigned found = pgn_bits(_mm_or_si128(_mm_or_si128(pgn_equal(bytes, a), pgn_equal(bytes, b)), others));
        if (found)
            return s + __builtin_ctz(found);
    }
}
#endif

/* The first byte of s..limit that is a brace, a bracket at the start of a line, or not ASCII; else limit. */
TBY_INLINE const char *pgn_find_brace(const char *s, const char *limit)
{
    for (; s < limit; s += 16) {
        const __m128i bytes = pgn_sixteen(s);
        const __m128i braces = _mm_or_si128(pgn_equal(bytes, '}'), pgn_equal(bytes, '{'));
        const unsigned ends = pgn_bits(_mm_or_si128(pgn_equal(bytes, '\n'), pgn_equal(bytes, '\r')));
        const unsigned begins = ends << 1 | (s[-1] == '\n' || s[-1] == '\r');
        const unsigned found = pgn_bits(_mm_or_si128(braces, bytes)) | (begins & pgn_bits(pgn_equal(bytes, '[')));
        if (found)
            return s + __builtin_ctz(found) < limit ? s + __builtin_ctz(found) : limit;
    }
    return limit;
}

/* Is there a closing brace or a line end within n bytes? May read up to 15 bytes beyond them. */
TBY_INLINE bool pgn_has_brace_or_end(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i += 16) {
        const __m128i bytes = pgn_sixteen(s + i), ends = _mm_or_si128(pgn_equal(bytes, '\n'), pgn_equal(bytes, '\r'));
        const unsigned found = pgn_bits(_mm_or_si128(ends, pgn_equal(bytes, '}')));
        if (n - i < 16 ? found << (32 - (n - i)) : found)
            return true;
    }
    return false;
}

TBY_INLINE size_t pgn_count_bytes(const char *s, size_t n, char c)
{
    const __m128i zero = _mm_setzero_si128();
    size_t count = 0;
    while (n >= 16) {
        const char *end = s + (n < 255 * 16 ? n & ~(size_t)15 : 255 * 16); /* so that no byte of the sums overflows */
        __m128i sums = zero;
        n -= (size_t)(end - s);
        for (; s < end; s += 16)
            sums = _mm_sub_epi8(sums, pgn_equal(pgn_sixteen(s), c));
        sums = _mm_sad_epu8(sums, zero);
        count += (size_t)_mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums)));
    }
    for (; n > 0; s++, n--)
        count += *s == c;
    return count;
}

#else

TBY_INLINE unsigned pgn_letters(const char *s)
{
    unsigned n = 0;
    while (n < 16 && ((unsigned)s[n] | 32) - 'a' < 26)
        n++;
    return n < 16 && s[n] == ' ' ? n : 0;
}

TBY_INLINE const char *pgn_find_plain(const char *s, char a, char b)
{
    while (*s != a && *s != b && (unsigned char)(*s - ' ') < 0x60)
        s++;
    return s;
}

TBY_INLINE const char *pgn_find_brace(const char *s, const char *limit)
{
    for (; s < limit && *s != '}' && *s != '{' && (unsigned char)*s < 0x80; s++)
        if (*s == '[' && (s[-1] == '\n' || s[-1] == '\r'))
            break;
    return s;
}

TBY_INLINE bool pgn_has_brace_or_end(const char *s, size_t n)
{
    for (; n > 0; s++, n--)
        if (*s == '}' || *s == '\n' || *s == '\r')
            return true;
    return false;
}

TBY_INLINE size_t pgn_count_bytes(const char *s, size_t n, char c)
{
    size_t count = 0;
    for (; n > 0; s++, n--)
        count += *s == c;
    return count;
}

#endif

#endif
