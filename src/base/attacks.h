/*
 * attacks.h - what a piece on a square attacks, given what is occupied.
 *
 * Sliders have two implementations with the same answers. In the x86-64-v3 variant the occupied squares that matter
 * are gathered by one pext into an index of a table. Elsewhere, and in files that define TBY_SMALL_TABLES because they
 * ask too seldom to have it in the cache, it is hyperbola quintessence: along a line o with the slider s, o - 2s flips
 * the bits from the slider up to its first blocker; the same on the mirrored board gives the other direction. Mirroring
 * swaps bytes, which turns files and diagonals round but not ranks: those are looked up.
 */
#ifndef TBY_BASE_ATTACKS_H
#define TBY_BASE_ATTACKS_H

#include "base/bitboard.h"
#include "base/tables.h"

#if defined(TBY_VARIANT_V3) && !defined(TBY_SMALL_TABLES)

#include <immintrin.h>

TBY_INLINE tby_bitboard rook_attacks(unsigned square, tby_bitboard occupied)
{
    const struct tby_slider *s = &tby_rook_sliders[square];
    return _pdep_u64(tby_rook_table[s->offset + _pext_u64(occupied, s->mask)], s->rays);
}

TBY_INLINE tby_bitboard bishop_attacks(unsigned square, tby_bitboard occupied)
{
    const struct tby_slider *s = &tby_bishop_sliders[square];
    return _pdep_u64(tby_bishop_table[s->offset + _pext_u64(occupied, s->mask)], s->rays);
}

#else

TBY_INLINE tby_bitboard line_attacks(unsigned square, tby_bitboard occupied, tby_bitboard line)
{
    tby_bitboard up = occupied & line, down = __builtin_bswap64(up);
    up -= 2 * bb_square(square);
    down -= 2 * __builtin_bswap64(bb_square(square));
    return (up ^ __builtin_bswap64(down)) & line;
}

TBY_INLINE tby_bitboard rook_attacks(unsigned square, tby_bitboard occupied)
{
    unsigned file = square & 7, rank_shift = square & 56;
    tby_bitboard line = bb_file(file) & ~bb_square(square);
    tby_bitboard rank = tby_rank_attacks[file][(occupied >> (rank_shift + 1)) & 63];
    return line_attacks(square, occupied, line) | rank << rank_shift;
}

TBY_INLINE tby_bitboard bishop_attacks(unsigned square, tby_bitboard occupied)
{
    return line_attacks(square, occupied, tby_diagonals[square][0]) |
           line_attacks(square, occupied, tby_diagonals[square][1]);
}

#endif

TBY_INLINE tby_bitboard knight_attacks(unsigned square) { return tby_knight_attacks[square]; }
TBY_INLINE tby_bitboard king_attacks(unsigned square) { return tby_king_attacks[square]; }
TBY_INLINE tby_bitboard squares_between(unsigned a, unsigned b) { return tby_between[a][b]; }

#endif
