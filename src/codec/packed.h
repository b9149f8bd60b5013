/*
 * packed.h - what the parts of the packed game codec share.
 */
#ifndef TBY_CODEC_PACKED_H
#define TBY_CODEC_PACKED_H

#include "position/play.h"
#include "tabiya_value.h"

#include <string.h>

/* The header byte: the version in the upper half, the kind of start in the lower. */
enum { PACKED_VERSION = 1, PACKED_START_USUAL = 0, PACKED_START_OTHER = 1, PACKED_BOARD = 2 };
/* A null move has the code after the last one, and no move begins with 0xff. */
enum { PACKED_ONE_BYTE_CODES = 253 };

/* The byte after a promoting move. */
enum { PACKED_PROMOTION_FIRST = 1, PACKED_PROMOTION_LAST = 4 };
static const uint8_t PACKED_PROMOTIONS[4] = {TBY_BISHOP, TBY_KNIGHT, TBY_QUEEN, TBY_ROOK};

/* Offsets in the trailer; its meaning is below. */
enum { TRAILER_FLAGS = 0, TRAILER_MATERIAL = 1, TRAILER_N_GONE = 6, TRAILER_GONE = 7 };

/* The i-th pawn that left home. */
static inline unsigned trailer_gone(const uint8_t *trailer, unsigned i)
{
    return (trailer[TRAILER_GONE + i / 2] >> (4 * (i & 1))) & 15;
}

/* The positions of a game side by side, ply by ply, for callers that run one test on all of them. */
typedef struct packed_plies {
    uint64_t *plane[4];
    tby_bitboard *castling;
    tby_square *en_passant;
    tby_move *moves; /* played from there; TBY_MOVE_NONE from the last */
    uint64_t *keys;  /* of the positions, or NULL, which is faster */
} packed_plies;
/* Lists positions from the cursor on; returns how many, at most `cap`, which is at least 1. The cursor is left after
   the last move; its clock is then meaningless, and without `keys` so is its key. */
size_t packed_read_plies(const packed_plies *out, size_t cap, tby_packed *cursor);

/* ---- Pawns on their initial squares: one that has left never comes back ------------------------------------------ */

/* The squares of these pawns. */
TBY_INLINE tby_bitboard home_pawn_squares(const tby_board *b)
{
    return board_pawns(b) & ((BB_RANK_2 & ~board_black(b)) | (BB_RANK_7 & board_black(b)));
}

/* The same in 16 bits: 0-7 white's a2 to h2, 8-15 black's a7 to h7. */
TBY_INLINE unsigned home_pawn_bits(tby_bitboard squares)
{
    return (unsigned)(squares >> 8 & 0xff) | (unsigned)(squares >> 40 & 0xff00);
}

/* ---- The trailer, collected while moves are packed --------------------------------------------------------------- */

/*
 * The trailer, after the 0x00 that ends the moves, has the data that must not affect the sort order:
 *
 *     0   result (bits 0-1), white has promoted (bit 2), black has (bit 3)
 *     1   white pawns * 16 + knights             2   white bishops * 16 + rooks
 *     3   white queens * 16 + black pawns        4   black knights * 16 + bishops
 *     5   black rooks * 16 + queens
 *     6   how many of the 16 pawns have left home
 *     7   which, in that order, half a byte each: white's a2 = 0 ... black's h7 = 15; then zeros
 */
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
