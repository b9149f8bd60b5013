/*
 * movegen.c - the legal moves of a position: all, of one piece, to one square, how many, whether any.
 *
 * All of these functions use the generator in movegen.h, each for its own purpose.
 *
 * TBY_MOVES_MAX = 720 suffices for every playable board, reachable by a game or not. Let n be the number of own pieces,
 * the king included.
 *
 *     by origin   No piece has more than 27 moves: that is a queen in the middle of an empty board. A pawn has at most
 *                 three targets, 12 moves where it promotes; a king 8 and two castlings. So at most 27 n.
 *     by target   A move ends on one of the 64 - n squares without an own piece. From each of the eight directions only
 *                 the nearest piece can get there, and a knight from each of eight squares: 16 per square, whatever the
 *                 pieces are; a double step and an en passant capture come from one of the eight as well. A promotion
 *                 counts four times: at most three pawns reach a square of the last rank, which adds 3 * 3 to each of
 *                 eight squares. The two castlings end on an own rook. So at most 16 (64 - n) + 72 + 2.
 *
 * Up to n = 23 the first bound is 621 or less; from n = 24 on, the second is 714 or less.
 */
#include "rules/movegen.h"
#include "base/variant.h"

_Static_assert(TBY_MOVES_MAX >= 27 * 23 && TBY_MOVES_MAX >= 16 * (64 - 24) + 72 + 2, "see the proof above");

TBY_INLINE void append(void *taker, tby_move m, tby_kind kind)
{
    (void)kind;
    tby_move **end = taker;
    *(*end)++ = m;
}

TBY_KERNEL(size_t, tby_moves_list, (tby_move out[TBY_MOVES_MAX], const tby_position *pos), (out, pos))
{
    tby_move *end = out;
    if (position_side(pos) == TBY_WHITE)
        generate_each(pos, TBY_WHITE, append, &end);
    else
        generate_each(pos, TBY_BLACK, append, &end);
    return (size_t)(end - out);
}

TBY_KERNEL(size_t, tby_moves_count, (const tby_position *pos), (pos))
{
    return position_side(pos) == TBY_WHITE ? generate_count(pos, TBY_WHITE, COUNT_MOVES, NULL)
                                           : generate_count(pos, TBY_BLACK, COUNT_MOVES, NULL);
}

TBY_KERNEL(bool, tby_moves_any, (const tby_position *pos), (pos))
{
    return (position_side(pos) == TBY_WHITE ? generate_count(pos, TBY_WHITE, ANY_MOVE, NULL)
                                            : generate_count(pos, TBY_BLACK, ANY_MOVE, NULL)) != 0;
}
