/*
 * attacks.h - what a piece on a square attacks, given what is occupied.
 *
 * Sliders have two implementations with the same results. In the x86-64-v3 variant, one pext gathers the occupied
 * squares that matter into a table index. Elsewhere, and in files that define TBY_SMALL_TABLES because they use the
 * table too rarely to keep it in the cache, each line is looked up separately: a multiplication gathers its inner six
 * squares (the outer two do not matter) into an index. An entry holds the attacks along a rank, repeated on all ranks, or
 * along a file, repeated on all files; the line's mask selects its own. A diagonal has at most one square on each file,
 * so it is treated as a rank: the entry of the rank table, masked by the diagonal.
 */
#ifndef TBY_BASE_ATTACKS_H
#define TBY_BASE_ATTACKS_H

#include "base/bitboard.h"
#include "base/tables.h"

#if defined(TBY_VARIANT_V3) && !defined(TBY_SMALL_TABLES)

#include <immintrin.h>

TBY_INLINE tby_bitboard rook_attacks(unsigned square, tby_bitboard occupied)
{
    const uint64_t index = _pext_u64(occupied, attack_tables.rook_mask[square]);
    return _pdep_u64(attack_tables.rook[square][index], attack_tables.rook_rays[square]);
}

TBY_INLINE tby_bitboard bishop_attacks(unsigned square, tby_bitboard occupied)
{
    const uint64_t index = _pext_u64(occupied, attack_tables.bishop_mask[square]);
    return _pdep_u64(attack_tables.bishop[square][index], attack_tables.bishop_rays[square]);
}

#else

/* The inner six squares of a line, as an index. */
TBY_INLINE size_t line_index(tby_bitboard occupied, tby_bitboard line, uint64_t factor)
{
    return (size_t)((occupied & line) * factor >> 58);
}

TBY_INLINE tby_bitboard rook_attacks(unsigned square, tby_bitboard occupied)
{
    const struct rook_lines *lines = &rook_line_table[square];
    return (rank_attack_table[square & 7][line_index(occupied, lines->rank, lines->rank_factor)] & lines->rank) |
           (file_attack_table[square >> 3][line_index(occupied, lines->file, lines->file_factor)] & lines->file);
}

TBY_INLINE tby_bitboard diagonal_attacks(tby_bitboard diagonal, unsigned square, tby_bitboard occupied)
{
    return rank_attack_table[square & 7][line_index(occupied, diagonal, BB_FILE_A << 1)] & diagonal;
}

TBY_INLINE tby_bitboard bishop_attacks(unsigned square, tby_bitboard occupied)
{
    return diagonal_attacks(diagonal_table[square][0], square, occupied) |
           diagonal_attacks(diagonal_table[square][1], square, occupied);
}

#endif

/* The pieces of `lines` (rooks, queens) and `diagonals` (bishops, queens) that attack a square. */
#if defined(TBY_VARIANT_V3) && defined(TBY_SMALL_TABLES)

#include <immintrin.h>

/* Sets every bit below a set bit. */
TBY_INLINE __m256i filled_down(__m256i bits)
{
    bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 1));
    bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 2));
    bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 4));
    bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 8));
    bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 16));
    return _mm256_or_si256(bits, _mm256_srli_epi64(bits, 32));
}

/* All four lines in one vector. Above, up to the lowest blocker; below, down to the highest. */
TBY_INLINE tby_bitboard attacking_sliders(unsigned square, tby_bitboard occupied, tby_bitboard lines,
                                          tby_bitboard diagonals)
{
    const __m256i rook = _mm256_loadu_si256((const __m256i *)&line_mask_table[square][0]);
    const __m256i bishop = _mm256_loadu_si256((const __m256i *)&line_mask_table[square][2]);
    const __m256i above = _mm256_unpacklo_epi64(rook, bishop), below = _mm256_unpackhi_epi64(rook, bishop);
    const __m256i blockers = _mm256_set1_epi64x((long long)occupied);
    const __m256i up = _mm256_and_si256(blockers, above);
    const __m256i down = filled_down(_mm256_and_si256(blockers, below));
    const __m256i seen_up = _mm256_and_si256(_mm256_xor_si256(up, _mm256_add_epi64(up, _mm256_set1_epi64x(-1))), above);
    const __m256i seen_down = _mm256_andnot_si256(_mm256_srli_epi64(down, 1), below);
    const __m256i sliders = _mm256_broadcastsi128_si256(_mm_set_epi64x((long long)diagonals, (long long)lines));
    const __m256i found = _mm256_and_si256(_mm256_or_si256(seen_up, seen_down), sliders);
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(found), _mm256_extracti128_si256(found, 1));
    return (tby_bitboard)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
}

#else

TBY_INLINE tby_bitboard attacking_sliders(unsigned square, tby_bitboard occupied, tby_bitboard lines,
                                          tby_bitboard diagonals)
{
    return (rook_attacks(square, occupied) & lines) | (bishop_attacks(square, occupied) & diagonals);
}

#endif

TBY_INLINE tby_bitboard knight_attacks(unsigned square) { return attack_tables.knight[square]; }
TBY_INLINE tby_bitboard king_attacks(unsigned square) { return attack_tables.king[square]; }
/* The squares that a pawn of `color` attacks. */
TBY_INLINE tby_bitboard pawn_attacks(unsigned square, tby_color color) { return attack_tables.pawn[color][square]; }
/* What sliders attack on the empty board. */
TBY_INLINE tby_bitboard rook_rays(unsigned square) { return attack_tables.rook_rays[square]; }
TBY_INLINE tby_bitboard bishop_rays(unsigned square) { return attack_tables.bishop_rays[square]; }

/* The squares between two squares on a line; none if they are not on one. */
#ifdef TBY_SMALL_CODE
TBY_INLINE tby_bitboard squares_between(unsigned a, unsigned b)
{
    for (int i = 0; i < 4; i++) {
        if (line_mask_table[a][i].above & bb_square(b))
            return line_mask_table[a][i].above & line_mask_table[b][i].below;
        if (line_mask_table[a][i].below & bb_square(b))
            return line_mask_table[a][i].below & line_mask_table[b][i].above;
    }
    return 0;
}
#else
TBY_INLINE tby_bitboard squares_between(unsigned a, unsigned b) { return between_table[a][b]; }
#endif

#endif
