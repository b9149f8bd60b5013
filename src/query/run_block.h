/*
 * run_block.h - 64 plies of a game side by side: the occupied squares at each ply.
 */
#ifndef TBY_QUERY_RUN_BLOCK_H
#define TBY_QUERY_RUN_BLOCK_H

#include "query/run.h"

#ifdef TBY_VARIANT_V3
#include <immintrin.h>
#endif

enum { WORD = 64 };

/* `n` plies of a game from the first of a word on; `n` is a multiple of four. After the last ply the boards are empty;
   results for them are meaningless and not used. */
typedef struct ply_block {
    const uint64_t *p0, *p1, *p2, *p3;
    size_t first;
    unsigned n;
} ply_block;

static inline ply_block ply_block_of(const tby_query_state *s, size_t w)
{
    const size_t first = w * WORD, left = s->n_positions - first;
    return (ply_block){s->plies.plane[0] + first,
                       s->plies.plane[1] + first,
                       s->plies.plane[2] + first,
                       s->plies.plane[3] + first,
                       first,
                       left < WORD ? ((unsigned)left + 3) & ~3U : WORD};
}

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

/* Adds the squares of one piece. */
static inline void add_piece(tby_bitboard *out, const ply_block *b, unsigned piece)
{
    const uint64_t x0 = piece & 1 ? 0 : ~0ULL, x1 = piece & 2 ? 0 : ~0ULL, x2 = piece & 4 ? 0 : ~0ULL,
                   x3 = piece & 8 ? 0 : ~0ULL;
    for (unsigned i = 0; i < b->n; i++)
        out[i] |= (b->p0[i] ^ x0) & (b->p1[i] ^ x1) & (b->p2[i] ^ x2) & (b->p3[i] ^ x3);
}

/* The squares of such pieces, ply by ply. */
static inline void pieces_squares(tby_bitboard *out, const ply_block *b, const query_who *who)
{
    uint16_t pieces = who->pieces;
    for (unsigned i = 0; i < b->n; i++)
        out[i] = 0;
    if ((pieces & WHO_WHITE) == WHO_WHITE) {
        for (unsigned i = 0; i < b->n; i++)
            out[i] |= (b->p0[i] | b->p1[i] | b->p2[i]) & ~b->p3[i];
        pieces &= (uint16_t)~WHO_WHITE;
    }
    if ((pieces & WHO_BLACK) == WHO_BLACK) {
        for (unsigned i = 0; i < b->n; i++)
            out[i] |= b->p3[i];
        pieces &= (uint16_t)~WHO_BLACK;
    }
    for (; pieces; pieces &= (uint16_t)(pieces - 1))
        add_piece(out, b, (unsigned)__builtin_ctz(pieces));
    if (!who->is_anywhere)
        for (unsigned i = 0; i < b->n; i++)
            out[i] &= who->squares;
}

#ifdef TBY_VARIANT_V3
TBY_INLINE __m256i four(const uint64_t *words) { return _mm256_loadu_si256((const __m256i *)(const void *)words); }
TBY_INLINE __m256i four_times(uint64_t word) { return _mm256_set1_epi64x((long long)word); }
/* Which of the four are not zero? */
TBY_INLINE ply_bits four_bits(__m256i words)
{
    const __m256i empty = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
    return (ply_bits)(~_mm256_movemask_pd(_mm256_castsi256_pd(empty)) & 15);
}
#endif

/* Which of the sets are not empty? */
static inline ply_bits bits_of(const tby_bitboard *sets, unsigned n)
{
    ply_bits bits = 0;
    unsigned i = 0;
#ifdef TBY_VARIANT_V3
    for (; i < n; i += 4)
        bits |= four_bits(four(sets + i)) << i;
#endif
    for (; i < n; i++)
        bits |= (ply_bits)(sets[i] != 0) << i;
    return bits;
}

/* Does a comparison with a number only test whether there is such a piece at all? `*is_none`: it wants none. */
static inline bool asks_if_any(unsigned op, int64_t number, bool *is_none)
{
    *is_none = (number == 0 && (op == OP_EQUAL || op == OP_LESS_EQUAL)) || (number == 1 && op == OP_LESS);
    return *is_none || (number == 0 && (op == OP_UNEQUAL || op == OP_MORE)) || (number == 1 && op == OP_MORE_EQUAL);
}

#endif
