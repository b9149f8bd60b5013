/*
 * bitboard.h - sets of squares as 64-bit words, bit n = square n, a1 = 0.
 */
#ifndef TBY_BASE_BITBOARD_H
#define TBY_BASE_BITBOARD_H

#include "base/contract.h"
#include "tabiya.h"

#define BB_FILE_A 0x0101010101010101ULL
#define BB_FILE_H 0x8080808080808080ULL
#define BB_RANK_1 0x00000000000000ffULL
#define BB_RANK_2 0x000000000000ff00ULL
#define BB_RANK_3 0x0000000000ff0000ULL
#define BB_RANK_6 0x0000ff0000000000ULL
#define BB_RANK_7 0x00ff000000000000ULL
#define BB_RANK_8 0xff00000000000000ULL
#define BB_LIGHT 0x55aa55aa55aa55aaULL
#define BB_CORNERS 0x8100000000000081ULL

/* Always inline, so that constants are folded. A small build leaves the choice to the compiler, except in the files
   compiled as hot; a coverage build has each function only once. */
#if (defined(TBY_SMALL_CODE) && !defined(TBY_HOT_CODE)) || defined(TBY_COVERAGE)
#define TBY_INLINE static inline __attribute__((unused))
#else
#define TBY_INLINE static inline __attribute__((always_inline))
#endif

TBY_INLINE tby_bitboard bb_square(unsigned square) { return 1ULL << (square & 63); }
TBY_INLINE unsigned bb_count(tby_bitboard b) { return (unsigned)__builtin_popcountll(b); }
/* The lowest square; `b` is not empty. */
TBY_INLINE tby_square bb_first(tby_bitboard b)
{
    TBY_CONTRACT(b != 0);
    return (tby_square)__builtin_ctzll(b);
}
TBY_INLINE tby_bitboard bb_rest(tby_bitboard b) { return b & (b - 1); }
TBY_INLINE bool bb_many(tby_bitboard b) { return bb_rest(b) != 0; }
TBY_INLINE tby_bitboard bb_rank(unsigned rank) { return BB_RANK_1 << (8 * rank); }
TBY_INLINE tby_bitboard bb_file(unsigned file) { return BB_FILE_A << file; }
/* Two squares of a rank and the squares between them. */
TBY_INLINE tby_bitboard bb_span(unsigned a, unsigned b)
{
    TBY_CONTRACT((a ^ b) < 8);
    return a < b ? (2ULL << b) - (1ULL << a) : (2ULL << a) - (1ULL << b);
}
TBY_INLINE tby_bitboard bb_back_rank(tby_color color) { return color == TBY_WHITE ? BB_RANK_1 : BB_RANK_8; }

TBY_INLINE tby_color color_other(tby_color color) { return color == TBY_WHITE ? TBY_BLACK : TBY_WHITE; }

/* One step forward, and forward to the left and right. Forward is `color`'s direction; left and right are white's. */
TBY_INLINE tby_bitboard bb_forward(tby_bitboard b, tby_color color) { return color == TBY_WHITE ? b << 8 : b >> 8; }
TBY_INLINE tby_bitboard bb_forward_west(tby_bitboard b, tby_color color)
{
    return color == TBY_WHITE ? (b & ~BB_FILE_A) << 7 : (b & ~BB_FILE_A) >> 9;
}
TBY_INLINE tby_bitboard bb_forward_east(tby_bitboard b, tby_color color)
{
    return color == TBY_WHITE ? (b & ~BB_FILE_H) << 9 : (b & ~BB_FILE_H) >> 7;
}
/* All squares that pawns of `color` on `b` attack. */
TBY_INLINE tby_bitboard bb_pawn_attacks(tby_bitboard b, tby_color color)
{
    return bb_forward_west(b, color) | bb_forward_east(b, color);
}

#endif
