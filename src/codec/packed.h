/*
 * packed.h - what the parts of the packed game codec share.
 */
#ifndef TBY_CODEC_PACKED_H
#define TBY_CODEC_PACKED_H

#include "tabiya_value.h"

/* The header byte: the version in the upper half, the kind of start in the lower. */
enum { PACKED_VERSION = 1, PACKED_START_USUAL = 0, PACKED_START_OTHER = 1, PACKED_BOARD = 2 };
/* A null move has the code after the last one, and no move begins with 0xff. */
enum { PACKED_ONE_BYTE_CODES = 253 };

/* The byte after a promoting move. */
enum { PACKED_PROMOTION_FIRST = 1, PACKED_PROMOTION_LAST = 4 };
static const uint8_t PACKED_PROMOTIONS[4] = {TBY_BISHOP, TBY_KNIGHT, TBY_QUEEN, TBY_ROOK};

/* Offsets in the trailer; trailer.h says what they mean. */
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

#endif
