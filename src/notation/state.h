/*
 * state.h - castling rights, en passant and the move count as stored in boardinfo and base64 positions.
 *
 * Both notations have four castling rights, for a king on the e-file with the rook in a corner, and count plies where a
 * setup counts full moves. Their readers and writers refuse a right or an en passant square that the board contradicts,
 * so the reader accepts everything that the writer writes.
 */
#ifndef TBY_NOTATION_STATE_H
#define TBY_NOTATION_STATE_H

#include "notation/fen.h"
#include "notation/refuse.h"

enum { STATE_PLY_MAX = 2 * (TBY_FULLMOVE_MAX - 1) + 1 };

/* The corners whose rook could castle: rook and king are on their home squares. */
static inline tby_bitboard state_home_rights(const tby_board *b)
{
    const tby_bitboard rooks = board_rooks(b) & BB_CORNERS, kings = board_kings(b), black = board_black(b);
    tby_bitboard rights = 0;
    if (kings & ~black & bb_square(TBY_SQUARE(4, 0)))
        rights |= rooks & ~black & BB_RANK_1;
    if (kings & black & bb_square(TBY_SQUARE(4, 7)))
        rights |= rooks & black & BB_RANK_8;
    return rights;
}

/* NULL, or why no pawn can have just passed the en passant square. */
static inline const char *state_en_passant_flaw(const tby_setup *setup)
{
    if (setup->en_passant > TBY_NO_SQUARE)
        return "not a square";
    if (setup->en_passant == TBY_NO_SQUARE)
        return NULL;
    return en_passant_flaw(&setup->board, setup->en_passant, setup->side == TBY_BLACK ? TBY_BLACK : TBY_WHITE);
}

static inline uint64_t state_ply(const tby_setup *setup)
{
    const uint64_t n_before = setup->fullmove > 0 ? setup->fullmove - 1 : 0;
    return 2 * n_before + (setup->side == TBY_BLACK);
}

/* Sets the move number from the ply; the side must be set. NULL, or what is wrong. */
static inline const char *state_set_ply(tby_setup *setup, uint64_t ply)
{
    if (ply > STATE_PLY_MAX)
        return "the ply is over 131069";
    if ((ply & 1) != setup->side)
        return "white moves at even plies, black at odd ones";
    setup->fullmove = (uint32_t)(ply / 2 + 1);
    return NULL;
}

/* Refuses rights and en passant squares that these notations cannot store; with TBY_LOSSY drops them. */
static inline tby_status state_fit(tby_setup *setup, unsigned flags, tby_error *err)
{
    const tby_bitboard rights = setup->castling & state_home_rights(&setup->board);
    if (rights != setup->castling && !(flags & TBY_LOSSY))
        return refuse(err, TBY_CANNOT_HOLD, 0, "a castling right of a king or rook that is not on its usual square");
    setup->castling = rights;
    if (state_en_passant_flaw(setup)) {
        if (!(flags & TBY_LOSSY))
            return refuse(err, TBY_CANNOT_HOLD, 0, "an en passant square that no pawn has just passed");
        setup->en_passant = TBY_NO_SQUARE;
    }
    return TBY_OK;
}

#endif
