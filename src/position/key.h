/*
 * key.h - the keys of a placement and of a position, inline for callers that compute them often.
 */
#ifndef TBY_POSITION_KEY_H
#define TBY_POSITION_KEY_H

#include "position/en_passant.h"
#include "position/play.h"

/* Squares whose bits are not a piece count as empty. */
#ifdef TBY_SMALL_CODE
TBY_INLINE uint64_t placement_key(const tby_board *b)
{
    uint64_t key = 0;
    for (unsigned square = 0; square < 64; square++)
        key ^= zobrist_piece[board_piece(b, square)][square];
    return key;
}

/* The key of `after`, given that of `before`. */
TBY_INLINE uint64_t placement_key_after(uint64_t key, const tby_board *before, const tby_board *after)
{
    (void)key, (void)before;
    return placement_key(after);
}
#else
/* The key of one plane, rank by rank. */
TBY_INLINE uint64_t plane_key(const uint64_t ranks[8][256], tby_bitboard plane)
{
    return ranks[0][plane & 0xff] ^ ranks[1][plane >> 8 & 0xff] ^ ranks[2][plane >> 16 & 0xff] ^
           ranks[3][plane >> 24 & 0xff] ^ ranks[4][plane >> 32 & 0xff] ^ ranks[5][plane >> 40 & 0xff] ^
           ranks[6][plane >> 48 & 0xff] ^ ranks[7][plane >> 56];
}

TBY_INLINE uint64_t placement_key(const tby_board *b)
{
    const tby_bitboard nonsense = (b->plane[0] & b->plane[1] & b->plane[2]) | (board_black(b) & ~board_occupied(b));
    uint64_t key = 0;
    for (int i = 0; i < 4; i++)
        key ^= plane_key(zobrist_planes[i], b->plane[i] & ~nonsense);
    return key;
}

/* Looks up only the ranks that differ. */
TBY_INLINE uint64_t placement_key_after(uint64_t key, const tby_board *before, const tby_board *after)
{
    tby_bitboard changed[4], any = 0;
    for (int i = 0; i < 4; i++)
        any |= changed[i] = before->plane[i] ^ after->plane[i];
    while (any) {
        const unsigned shift = bb_first(any) & 56;
        for (int i = 0; i < 4; i++)
            key ^= zobrist_planes[i][shift / 8][changed[i] >> shift & 0xff];
        any &= ~(0xffULL << shift);
    }
    return key;
}
#endif

/* Adds en passant to `key`: rare, so out of line. */
static __attribute__((noinline, cold, unused)) uint64_t with_en_passant(uint64_t key, const tby_position *pos,
                                                                        tby_color us)
{
    const tby_square king = board_king(&pos->board, us);
    if (en_passant_capturers(&pos->board, pos->en_passant, king, us))
        key ^= zobrist_en_passant[TBY_FILE(pos->en_passant)];
    return key;
}

/* See base/tables.h. `us` is the side to move. */
TBY_INLINE uint64_t position_key(const tby_position *pos, tby_color us)
{
    uint64_t key = pos->placement_key ^ zobrist_castling[TBY_WHITE][pos->castling & 0xff] ^
                   zobrist_castling[TBY_BLACK][pos->castling >> 56];
    key ^= us == TBY_BLACK ? zobrist_black : 0;
    return pos->en_passant == TBY_NO_SQUARE ? key : with_en_passant(key, pos, us);
}

/* ---- Positions from setups that have been checked ---------------------------------------------------------------- */

/* Checks nothing: `setup` must have no fault that makes it unplayable. */
TBY_INLINE tby_position position_of_setup(const tby_setup *setup)
{
    const tby_position pos = {
        .board = setup->board,
        .placement_key = placement_key(&setup->board),
        .castling = setup->castling,
        .ply = 2 * (setup->fullmove - 1) + setup->side,
        .clock = setup->clock,
        .en_passant = setup->en_passant,
    };
    return pos;
}

#endif
