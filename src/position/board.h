/*
 * board.h - the 64 squares as four bit planes.
 *
 * The piece on a square is four bits, one in each plane: three for its kind, one for its colour.
 *
 *                  pawn  bishop  knight  rook  king  queen
 *     plane[0]       1      0       1      0     1      0
 *     plane[1]       0      1       1      0     0      1
 *     plane[2]       0      0       0      1     1      1
 *     plane[3]     1 = black
 *
 * The kinds are numbered so that the sets that the rules need take one or two operations: diagonal sliders (bishops
 * and queens) are plane 1 without plane 0, and line sliders (rooks and queens) are plane 2 without plane 0. Putting,
 * moving and capturing need no branch and no list of pieces.
 *
 * Keeps: an empty square has no bit in any plane; no square has all three kind bits.
 */
#ifndef TBY_POSITION_BOARD_H
#define TBY_POSITION_BOARD_H

#include "base/bitboard.h"

#ifdef TBY_VARIANT_V3
#include <immintrin.h>
#endif

TBY_INLINE tby_bitboard board_occupied(const tby_board *b) { return b->plane[0] | b->plane[1] | b->plane[2]; }
TBY_INLINE tby_bitboard board_black(const tby_board *b) { return b->plane[3]; }
TBY_INLINE tby_bitboard board_color(const tby_board *b, tby_color color)
{
    return color == TBY_BLACK ? b->plane[3] : board_occupied(b) & ~b->plane[3];
}

TBY_INLINE tby_bitboard board_pawns(const tby_board *b) { return b->plane[0] & ~(b->plane[1] | b->plane[2]); }
TBY_INLINE tby_bitboard board_knights(const tby_board *b) { return b->plane[0] & b->plane[1]; }
TBY_INLINE tby_bitboard board_bishops(const tby_board *b) { return b->plane[1] & ~(b->plane[0] | b->plane[2]); }
TBY_INLINE tby_bitboard board_rooks(const tby_board *b) { return b->plane[2] & ~(b->plane[0] | b->plane[1]); }
TBY_INLINE tby_bitboard board_queens(const tby_board *b) { return b->plane[1] & b->plane[2]; }
TBY_INLINE tby_bitboard board_kings(const tby_board *b) { return b->plane[0] & b->plane[2]; }
TBY_INLINE tby_bitboard board_diagonal_sliders(const tby_board *b) { return b->plane[1] & ~b->plane[0]; }
TBY_INLINE tby_bitboard board_line_sliders(const tby_board *b) { return b->plane[2] & ~b->plane[0]; }

TBY_INLINE tby_bitboard board_kind(const tby_board *b, tby_kind kind)
{
    tby_bitboard squares = board_occupied(b);
    for (int i = 0; i < 3; i++)
        squares &= (kind >> i) & 1 ? b->plane[i] : ~b->plane[i];
    return squares;
}

#ifdef TBY_VARIANT_V3
/* The four planes are one vector: a shift moves the square's bits to the four sign bits. */
TBY_INLINE tby_piece board_piece(const tby_board *b, unsigned square)
{
    const __m256i planes = _mm256_loadu_si256((const __m256i *)b->plane);
    const __m256i shifted = _mm256_sll_epi64(planes, _mm_cvtsi32_si128((int)(63 - square)));
    return (tby_piece)_mm256_movemask_pd(_mm256_castsi256_pd(shifted));
}
#else
TBY_INLINE tby_piece board_piece(const tby_board *b, unsigned square)
{
    return (tby_piece)(((b->plane[0] >> square) & 1) | ((b->plane[1] >> square) & 1) << 1 |
                       ((b->plane[2] >> square) & 1) << 2 | ((b->plane[3] >> square) & 1) << 3);
}
#endif

/* Puts `piece` on `square`, which is empty. */
TBY_INLINE void board_add(tby_board *b, unsigned square, tby_piece piece)
{
    TBY_CONTRACT(square < 64 && piece < 16 && !(board_occupied(b) & bb_square(square)));
    b->plane[0] |= (tby_bitboard)(piece & 1) << square;
    b->plane[1] |= (tby_bitboard)((piece >> 1) & 1) << square;
    b->plane[2] |= (tby_bitboard)((piece >> 2) & 1) << square;
    b->plane[3] |= (tby_bitboard)(piece >> 3) << square;
}

TBY_INLINE void board_clear(tby_board *b, tby_bitboard squares)
{
    b->plane[0] &= ~squares;
    b->plane[1] &= ~squares;
    b->plane[2] &= ~squares;
    b->plane[3] &= ~squares;
}

/* Puts `piece` (or nothing) on `square`, replacing any piece there. */
TBY_INLINE void board_put(tby_board *b, unsigned square, tby_piece piece)
{
    board_clear(b, bb_square(square));
    board_add(b, square, piece);
}

/* Moves `piece` from `from` to `to` and returns the piece that was on `to`. Works plane by plane, for callers that
   read the planes again at once. */
TBY_INLINE tby_piece board_move_piece(tby_board *b, unsigned from, unsigned to, tby_piece piece)
{
    const tby_piece captured = (tby_piece)(((b->plane[0] >> to) & 1) | ((b->plane[1] >> to) & 1) << 1 |
                                           ((b->plane[2] >> to) & 1) << 2 | ((b->plane[3] >> to) & 1) << 3);
    board_clear(b, bb_square(from) | bb_square(to));
    board_add(b, to, piece);
    return captured;
}

/* Moves the piece on `from` to `to` and returns the piece that was on `to`. `out` may be `b`. */
#ifdef TBY_VARIANT_V3

/* Clears both squares in all planes at once; the piece's sign bits choose the planes in which `to` is set. */
TBY_INLINE tby_piece board_moved(tby_board *out, const tby_board *b, unsigned from, unsigned to)
{
    const __m128i to_sign = _mm_cvtsi32_si128((int)(63 - to)), from_sign = _mm_cvtsi32_si128((int)(63 - from));
    const __m256i planes = _mm256_loadu_si256((const __m256i *)b->plane), sign = _mm256_set1_epi64x(INT64_MIN);
    const __m256i target = _mm256_srl_epi64(sign, to_sign), origin = _mm256_srl_epi64(sign, from_sign);
    const __m256i piece = _mm256_sll_epi64(planes, from_sign), captured = _mm256_sll_epi64(planes, to_sign);
    const __m256i without = _mm256_andnot_si256(_mm256_or_si256(target, origin), planes);
    const __m256d both = _mm256_castsi256_pd(_mm256_or_si256(without, target));
    _mm256_storeu_pd((double *)out->plane,
                     _mm256_blendv_pd(_mm256_castsi256_pd(without), both, _mm256_castsi256_pd(piece)));
    return (tby_piece)_mm256_movemask_pd(_mm256_castsi256_pd(captured));
}

#else

TBY_INLINE tby_piece board_moved(tby_board *out, const tby_board *b, unsigned from, unsigned to)
{
    *out = *b;
    return board_move_piece(out, from, to, board_piece(b, from));
}

#endif

/* Clears `cleared` squares, and sets `target` in the planes that are all ones in `planes`. */
#ifdef TBY_VARIANT_V3
TBY_INLINE void board_replace(tby_board *out, const tby_board *b, tby_bitboard cleared, tby_bitboard target,
                              const tby_bitboard planes[4])
{
    const __m256i kept =
        _mm256_andnot_si256(_mm256_set1_epi64x((long long)cleared), _mm256_loadu_si256((const __m256i *)b->plane));
    const __m256i added =
        _mm256_and_si256(_mm256_set1_epi64x((long long)target), _mm256_loadu_si256((const __m256i *)planes));
    _mm256_storeu_si256((__m256i *)out->plane, _mm256_or_si256(kept, added));
}
#else
TBY_INLINE void board_replace(tby_board *out, const tby_board *b, tby_bitboard cleared, tby_bitboard target,
                              const tby_bitboard planes[4])
{
    for (int i = 0; i < 4; i++)
        out->plane[i] = (b->plane[i] & ~cleared) | (target & planes[i]);
}
#endif

TBY_INLINE tby_piece board_move(tby_board *b, unsigned from, unsigned to) { return board_moved(b, b, from, to); }

/* The square of the king, which must exist. */
TBY_INLINE tby_square board_king(const tby_board *b, tby_color color)
{
    TBY_CONTRACT(bb_count(board_kings(b) & board_color(b, color)) == 1);
    return bb_first(board_kings(b) & (color == TBY_BLACK ? b->plane[3] : ~b->plane[3]));
}

TBY_INLINE bool is_piece(tby_piece piece)
{
    return piece < 16 && TBY_PIECE_KIND(piece) >= TBY_PAWN && TBY_PIECE_KIND(piece) <= TBY_QUEEN;
}

#endif
