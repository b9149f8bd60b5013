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

/* All pieces of each side except its first, or its first two. */
TBY_INLINE tby_bitboard beyond_one(tby_bitboard squares, tby_bitboard black)
{
    return bb_rest(squares & black) | bb_rest(squares & ~black);
}

TBY_INLINE tby_bitboard beyond_two(tby_bitboard squares, tby_bitboard black)
{
    return bb_rest(bb_rest(squares & black)) | bb_rest(bb_rest(squares & ~black));
}

/* Could the pieces be from a game without promotions: one king per side, and no more of any kind than at the start? */
TBY_INLINE bool pieces_are_plain(const tby_board *b)
{
    const tby_bitboard black = board_black(b), kings = board_kings(b), bishops = board_bishops(b),
                       pawns = board_pawns(b);
    const tby_bitboard too_many = beyond_one(kings, black) | beyond_one(board_queens(b), black) |
                                  beyond_one(bishops & BB_LIGHT, black) | beyond_one(bishops & ~BB_LIGHT, black) |
                                  beyond_two(board_rooks(b), black) | beyond_two(board_knights(b), black);
    const tby_bitboard nonsense = (b->plane[0] & b->plane[1] & b->plane[2]) | (black & ~board_occupied(b));
    return !(too_many | nonsense | (pawns & (BB_RANK_1 | BB_RANK_8))) && (kings & black) && (kings & ~black) &&
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
