/*
 * play.c - plays moves and takes them back.
 *
 * A move destroys little: the clock, the rights, the en passant square, a captured piece. tby_undo keeps these, and the
 * old key, which is cheaper to copy than to compute backwards. Undo then only moves pieces:
 *
 *     plain       the piece goes back, the captured one reappears on `to`
 *     promotion   the same, but what goes back is a pawn
 *     en passant  the captured pawn reappears beside `from`, not on `to`
 *     castling    king and rook leave their new squares before they return: in Chess960 the old and new ones overlap
 *     null move   nothing moves
 *
 * Keeps    after undo every byte of the position is as before play
 */
#include "position/play.h"
#include "base/variant.h"
#include "position/attackers.h"

/* Out of line, so that replaying, which needs no undo, keeps its registers. */
static __attribute__((noinline)) void play_to_undo(tby_position *pos, tby_move m, tby_undo *undo)
{
    undo->placement_key = pos->placement_key;
    undo->castling = pos->castling;
    undo->move = m;
    undo->clock = pos->clock;
    undo->en_passant = pos->en_passant;
    undo->captured = position_play(pos, m, position_side(pos));
}

TBY_KERNEL(void, tby_position_play, (tby_position * pos, tby_move m, tby_undo *undo), (pos, m, undo))
{
    if (undo)
        play_to_undo(pos, m, undo);
    else
        position_play(pos, m, position_side(pos));
}

static void undo_castling(tby_board *b, unsigned king, unsigned rook, tby_color us)
{
    board_put(b, castling_king_to(king, rook), TBY_NO_PIECE);
    board_put(b, castling_rook_to(king, rook), TBY_NO_PIECE);
    board_put(b, king, TBY_PIECE(us, TBY_KING));
    board_put(b, rook, TBY_PIECE(us, TBY_ROOK));
}

static void undo_plain(tby_board *b, tby_move m, tby_piece captured, tby_color us)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    const tby_piece piece = TBY_MOVE_IS_PROMOTION(m) ? TBY_PIECE(us, TBY_PAWN) : board_piece(b, to);
    if (TBY_MOVE_IS_EN_PASSANT(m)) {
        board_put(b, to, TBY_NO_PIECE);
        board_put(b, to ^ 8, captured);
    } else
        board_put(b, to, captured);
    board_put(b, from, piece);
}

TBY_KERNEL(void, tby_position_undo, (tby_position * pos, const tby_undo *undo), (pos, undo))
{
    const tby_move m = undo->move;
    TBY_CONTRACT(m == TBY_MOVE_NULL || TBY_MOVE_IS_CASTLING(m) ||
                 board_piece(&pos->board, TBY_MOVE_TO(m)) != TBY_NO_PIECE);
    pos->ply--;
    if (TBY_MOVE_IS_CASTLING(m))
        undo_castling(&pos->board, TBY_MOVE_FROM(m), TBY_MOVE_TO(m), position_side(pos));
    else if (m != TBY_MOVE_NULL)
        undo_plain(&pos->board, m, undo->captured, position_side(pos));
    pos->placement_key = undo->placement_key;
    pos->castling = undo->castling;
    pos->clock = undo->clock;
    pos->en_passant = undo->en_passant;
}

TBY_KERNEL(tby_status, tby_position_play_null, (tby_position * pos, tby_undo *undo), (pos, undo))
{
    const tby_color us = position_side(pos);
    if (attackers_of(&pos->board, board_king(&pos->board, us), color_other(us)))
        return TBY_ILLEGAL_NULL_MOVE;
    if (undo) {
        const tby_undo kept = {pos->placement_key, pos->castling,   TBY_MOVE_NULL,
                               pos->clock,         pos->en_passant, TBY_NO_PIECE};
        *undo = kept;
    }
    pos->ply++;
    pos->clock = (uint16_t)(pos->clock + (pos->clock != TBY_CLOCK_MAX));
    pos->en_passant = TBY_NO_SQUARE;
    return TBY_OK;
}
