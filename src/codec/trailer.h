/*
 * trailer.h - the trailer of a packed game, collected while its moves are packed.
 *
 * The trailer, after the 0x00 that ends the moves, has the data that must not affect the sort order:
 *
 *     0   result (bits 0-1), white has promoted (bit 2), black has (bit 3)
 *     1   white pawns * 16 + knights             2   white bishops * 16 + rooks
 *     3   white queens * 16 + black pawns        4   black knights * 16 + bishops
 *     5   black rooks * 16 + queens
 *     6   how many of the 16 pawns have left home
 *     7   which, in that order, half a byte each: white's a2 = 0 ... black's h7 = 15; then zeros
 */
#ifndef TBY_CODEC_TRAILER_H
#define TBY_CODEC_TRAILER_H

#include "codec/home_pawns.h"
#include "codec/packed.h"
#include "position/play.h"

#include <string.h>

TBY_INLINE unsigned count_piece(const tby_board *b, tby_color color, tby_kind kind)
{
    const unsigned n = bb_count(board_kind(b, kind) & board_color(b, color));
    return n < 15 ? n : 15;
}

/* The data of a trailer, collected along the game. */
typedef struct trailer_maker {
    unsigned promotions, home, n_gone;
    uint64_t gone; /* half a byte each, the first lowest */
} trailer_maker;

/* Called with the board after each move, and first with the start, where some pawns may be missing. */
TBY_INLINE void trailer_see(trailer_maker *s, const tby_board *b)
{
    const unsigned home = home_pawn_bits(home_pawn_squares(b));
    for (unsigned left = s->home & ~home; left; left &= left - 1)
        s->gone |= (uint64_t)bb_first(left) << (4 * s->n_gone++);
    s->home = home;
}

TBY_INLINE trailer_maker trailer_begin(const tby_position *start)
{
    trailer_maker s = {0, 0xffff, 0, 0};
    trailer_see(&s, &start->board);
    return s;
}

TBY_INLINE void trailer_play(trailer_maker *s, const tby_position *after, tby_move m)
{
    if (TBY_MOVE_IS_PROMOTION(m))
        s->promotions |= 2U >> position_side(after); /* by the side that just moved */
    trailer_see(s, &after->board);
}

TBY_INLINE void trailer_end(uint8_t out[TBY_PACKED_TRAILER_SIZE], const trailer_maker *s, const tby_board *b,
                            tby_result result)
{
    static const tby_kind kinds[5] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    memset(out, 0, TBY_PACKED_TRAILER_SIZE);
    out[TRAILER_FLAGS] = (uint8_t)((unsigned)result | s->promotions << 2);
    for (unsigned i = 0; i < 10; i++) {
        const unsigned n = count_piece(b, i < 5 ? TBY_WHITE : TBY_BLACK, kinds[i % 5]);
        out[TRAILER_MATERIAL + i / 2] = (uint8_t)(out[TRAILER_MATERIAL + i / 2] | (i % 2 ? n : n << 4));
    }
    out[TRAILER_N_GONE] = (uint8_t)s->n_gone;
    for (unsigned i = 0; i < 8; i++)
        out[TRAILER_GONE + i] = (uint8_t)(s->gone >> (8 * i));
}

#endif
