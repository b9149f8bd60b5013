/*
 * chessboard.c - boards as values, and recognizing the kind of a value.
 *
 *     0      1
 *     +------+---------------------------+
 *     | 0x12 | packed board              |      0x10 and 0x11 begin packed games
 *     +------+---------------------------+
 */
#include "codec/packed.h"

enum { BOARD_HEADER = PACKED_VERSION << 4 | PACKED_BOARD };

/* ---- Kinds ---------------------------------------------------------------------------------------------- */

tby_value_kind tby_value_kind_of(const uint8_t *bytes, size_t n)
{
    if (n == 0 || bytes[0] >> 4 != PACKED_VERSION)
        return TBY_NO_VALUE;
    switch (bytes[0] & 15) {
    case PACKED_START_USUAL:
    case PACKED_START_OTHER: return TBY_CHESSGAME;
    case PACKED_BOARD: return TBY_CHESSBOARD;
    default: return TBY_NO_VALUE;
    }
}

/* ---- Boards --------------------------------------------------------------------------------------------- */

/* A game can continue beyond the largest move number that can be written. */
size_t tby_chessboard_encode(uint8_t out[TBY_CHESSBOARD_SIZE], const tby_setup *setup)
{
    tby_setup s = *setup;
    if (s.fullmove > TBY_FULLMOVE_MAX)
        s.fullmove = TBY_FULLMOVE_MAX;
    out[0] = BOARD_HEADER;
    return 1 + tby_packed_board_encode(out + 1, &s);
}

bool tby_chessboard_decode(tby_setup *out, const uint8_t *bytes, size_t n)
{
    tby_setup setup;
    if (n < 2 || bytes[0] != BOARD_HEADER || tby_packed_board_decode(&setup, bytes + 1, n - 1) != n - 1)
        return false;
    *out = setup;
    return true;
}
