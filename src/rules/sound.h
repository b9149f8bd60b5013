/*
 * sound.h - a quick test that a setup has no fault, which is true of most.
 */
#ifndef TBY_RULES_SOUND_H
#define TBY_RULES_SOUND_H

#include "position/en_passant.h"

/* In Chess960 the king starts between its rooks: it never castles from a corner, and each side has one rook. */
TBY_INLINE bool castling_is_sound_for(const tby_board *b, tby_bitboard rights, tby_color color)
{
    const tby_bitboard own = board_color(b, color), back_rank = bb_back_rank(color);
    const tby_bitboard king = board_kings(b) & own & back_rank;
    const tby_bitboard rooks = rights & back_rank;
    if (!rooks)
        return true;
    return king && !bb_many(king) && !(king & BB_CORNERS) && !(rooks & ~(board_rooks(b) & own)) &&
           !bb_many(rooks & (king - 1)) && !bb_many(rooks & ~(king - 1));
}

TBY_INLINE bool castling_is_sound(const tby_board *b, tby_bitboard rights)
{
    return !(rights & ~(BB_RANK_1 | BB_RANK_8)) && castling_is_sound_for(b, rights, TBY_WHITE) &&
           castling_is_sound_for(b, rights, TBY_BLACK);
}

/* Takes the double step back. If the king was attacked even then, its side had left it in check, so the double step
   cannot have been the last move. Only an actual check counts: a pawn that closed a line behind it is accepted. */
TBY_INLINE bool en_passant_check_is_sound(const tby_board *b, tby_square target, tby_square king, tby_color us)
{
    const tby_color them = color_other(us);
    if (!(attackers_of(b, king, them) & ~board_kings(b)))
        return true;
    tby_board before = *b;
    board_put(&before, target ^ 8, TBY_NO_PIECE);
    board_put(&before, us == TBY_WHITE ? target + 8u : target - 8u, TBY_PIECE(them, TBY_PAWN));
    return !(attackers_of(&before, king, them) & ~board_kings(b));
}

#ifdef TBY_VARIANT_V3

/* The sets of four kinds, one in each lane: planes that a kind does not have are inverted. */
TBY_INLINE __m256i four_kinds(const tby_board *b, __m256i not0, __m256i not1, __m256i not2)
{
    const __m256i p0 = _mm256_set1_epi64x((long long)b->plane[0]), p1 = _mm256_set1_epi64x((long long)b->plane[1]),
                  p2 = _mm256_set1_epi64x((long long)b->plane[2]);
    return _mm256_and_si256(_mm256_xor_si256(p0, not0),
                            _mm256_and_si256(_mm256_xor_si256(p1, not1), _mm256_xor_si256(p2, not2)));
}

TBY_INLINE __m256i four_rests(__m256i sets)
{
    return _mm256_and_si256(sets, _mm256_add_epi64(sets, _mm256_set1_epi64x(-1)));
}

/* Has a side more than one king, queen, bishop on light or on dark squares, or more than two rooks or knights? */
TBY_INLINE bool has_too_many(const tby_board *b)
{
    const __m256i black = _mm256_set1_epi64x((long long)b->plane[3]);
    /* King, queen and both bishops. */
    const __m256i squares = _mm256_setr_epi64x(-1, -1, (long long)BB_LIGHT, (long long)~BB_LIGHT);
    const __m256i ones =
        _mm256_and_si256(squares, four_kinds(b, _mm256_setr_epi64x(0, -1, -1, -1), _mm256_setr_epi64x(-1, 0, 0, 0),
                                             _mm256_setr_epi64x(0, 0, -1, -1)));
    const __m256i second =
        _mm256_or_si256(four_rests(_mm256_and_si256(ones, black)), four_rests(_mm256_andnot_si256(black, ones)));
    /* Rooks and knights of Black, then of White. */
    const __m256i rook = _mm256_setr_epi64x(-1, 0, -1, 0), knight = _mm256_setr_epi64x(0, -1, 0, -1);
    const __m256i side = _mm256_xor_si256(black, _mm256_setr_epi64x(0, 0, -1, -1));
    const __m256i twos = _mm256_and_si256(side, four_kinds(b, rook, rook, knight));
    const __m256i too_many = _mm256_or_si256(second, four_rests(four_rests(twos)));
    return !_mm256_testz_si256(too_many, too_many);
}

#else

/* All pieces of each side except its first, or its first two. */
TBY_INLINE tby_bitboard beyond_one(tby_bitboard squares, tby_bitboard black)
{
    return bb_rest(squares & black) | bb_rest(squares & ~black);
}

TBY_INLINE tby_bitboard beyond_two(tby_bitboard squares, tby_bitboard black)
{
    return bb_rest(bb_rest(squares & black)) | bb_rest(bb_rest(squares & ~black));
}

TBY_INLINE bool has_too_many(const tby_board *b)
{
    const tby_bitboard black = board_black(b), bishops = board_bishops(b);
    return (beyond_one(board_kings(b), black) | beyond_one(board_queens(b), black) |
            beyond_one(bishops & BB_LIGHT, black) | beyond_one(bishops & ~BB_LIGHT, black) |
            beyond_two(board_rooks(b), black) | beyond_two(board_knights(b), black)) != 0;
}

#endif

/* Could the pieces be from a game without promotions: one king per side, and no more of any kind than at the start? */
TBY_INLINE bool pieces_are_plain(const tby_board *b)
{
    const tby_bitboard black = board_black(b), kings = board_kings(b), pawns = board_pawns(b);
    const tby_bitboard nonsense = (b->plane[0] & b->plane[1] & b->plane[2]) | (black & ~board_occupied(b));
    return !has_too_many(b) && !(nonsense | (pawns & (BB_RANK_1 | BB_RANK_8))) && (kings & black) && (kings & ~black) &&
           bb_count(pawns & black) <= 8 && bb_count(pawns & ~black) <= 8;
}

/* False means that tby_setup_faults must look closely. */
TBY_INLINE bool setup_is_sound_but_for_castling(const tby_setup *setup)
{
    const tby_board *b = &setup->board;
    if (!pieces_are_plain(b) || setup->side > TBY_BLACK || setup->fullmove - 1u >= TBY_FULLMOVE_MAX)
        return false;
    const tby_color us = (tby_color)setup->side;
    if (king_attackers(b, color_other(us)) | bb_rest(king_attackers(b, us)))
        return false;
    return setup->en_passant == TBY_NO_SQUARE ||
           (en_passant_is_sound(b, setup->en_passant, us) &&
            en_passant_check_is_sound(b, setup->en_passant, board_king(b, us), us));
}

TBY_INLINE bool setup_is_plainly_sound(const tby_setup *setup)
{
    return setup_is_sound_but_for_castling(setup) &&
           (!setup->castling || castling_is_sound(&setup->board, setup->castling));
}

#endif
