/*
 * play.h - makes a legal move on a position.
 *
 * Plain moves take no branch on the piece: its four bits are carried from plane to plane, and the key of an empty
 * square is zero. Castling, en passant and promotion are handled afterwards.
 */
#ifndef TBY_POSITION_PLAY_H
#define TBY_POSITION_PLAY_H

#include "base/tables.h"
#include "position/board.h"

TBY_INLINE tby_color position_side(const tby_position *pos) { return (tby_color)(pos->ply & 1); }

/* Where king and rook stand after castling with the rook on `rook`. */
TBY_INLINE tby_square castling_king_to(unsigned king, unsigned rook)
{
    return (tby_square)((king & 56) | (rook > king ? 6 : 2));
}
TBY_INLINE tby_square castling_rook_to(unsigned king, unsigned rook)
{
    return (tby_square)((king & 56) | (rook > king ? 5 : 3));
}

TBY_INLINE void position_remove(tby_position *pos, unsigned square, tby_piece piece)
{
    board_clear(&pos->board, bb_square(square));
    pos->placement_key ^= zobrist_piece[piece][square];
}

TBY_INLINE void position_add(tby_position *pos, unsigned square, tby_piece piece)
{
    board_add(&pos->board, square, piece);
    pos->placement_key ^= zobrist_piece[piece][square];
}

TBY_INLINE void position_castle(tby_position *pos, unsigned king, unsigned rook, tby_color us)
{
    tby_piece king_piece = TBY_PIECE(us, TBY_KING), rook_piece = TBY_PIECE(us, TBY_ROOK);
    TBY_CONTRACT(board_piece(&pos->board, king) == king_piece && board_piece(&pos->board, rook) == rook_piece);
    position_remove(pos, king, king_piece);
    position_remove(pos, rook, rook_piece);
    position_add(pos, castling_king_to(king, rook), king_piece);
    position_add(pos, castling_rook_to(king, rook), rook_piece);
    pos->castling &= ~bb_back_rank(us);
    pos->ply++;
    pos->clock = (uint16_t)(pos->clock + (pos->clock != TBY_CLOCK_MAX));
    pos->en_passant = TBY_NO_SQUARE;
}

/* Completes an en passant capture or a promotion after position_follow. Returns the captured piece. */
TBY_INLINE tby_piece position_finish_pawn(tby_position *pos, tby_move m, tby_color us, tby_piece captured)
{
    const unsigned to = (m >> 6) & 63, kind = m >> 12;
    if (kind == TBY_PAWN) {
        captured = TBY_PIECE(color_other(us), TBY_PAWN);
        position_remove(pos, to ^ 8, captured);
    } else {
        position_remove(pos, to, TBY_PIECE(us, TBY_PAWN));
        position_add(pos, to, TBY_PIECE(us, kind));
    }
    return captured;
}

/* The same, out of line: rare moves must not cost the usual ones their registers. */
static __attribute__((noinline, cold, unused)) void position_castle_far(tby_position *pos, unsigned king, unsigned rook,
                                                                        tby_color us)
{
    position_castle(pos, king, rook, us);
}

static __attribute__((noinline, cold, unused)) tby_piece position_finish_pawn_far(tby_position *pos, tby_move m,
                                                                                  tby_color us, tby_piece captured)
{
    return position_finish_pawn(pos, m, us, captured);
}

/* After the board has made a move of a piece of `kind`, updates the rest of the position, except for castling, en
   passant and promotion. `after` may be `before`. */
TBY_INLINE void position_follow(tby_position *after, const tby_position *before, unsigned from, unsigned to,
                                tby_color us, tby_kind kind, tby_piece captured)
{
    const unsigned clock = before->clock + (before->clock != TBY_CLOCK_MAX ? 1U : 0U);
    const bool is_pawn = kind == TBY_PAWN, is_king = kind == TBY_KING;
    const tby_piece piece = TBY_PIECE(us, kind);
    after->placement_key = before->placement_key ^ zobrist_piece[piece][from] ^ zobrist_piece[piece][to] ^
                           zobrist_piece[captured][to];
    after->ply = before->ply + 1;
    after->en_passant = is_pawn && (from ^ to) == 16 ? (tby_square)((from + to) / 2) : TBY_NO_SQUARE;
    after->castling = before->castling & ~(bb_square(from) | bb_square(to) | (is_king ? bb_back_rank(us) : 0));
    after->clock = (uint16_t)(captured || is_pawn ? 0 : clock);
}

/* `in_registers` inlines rare moves too, so that a local position never needs an address. */
TBY_INLINE tby_piece position_play_as(tby_position *pos, tby_move m, tby_color us, tby_piece piece, bool in_registers)
{
    const unsigned from = m & 63, to = (m >> 6) & 63, kind = m >> 12;
    if (__builtin_expect(kind == TBY_KING, 0)) {
        if (in_registers)
            position_castle(pos, from, to, us);
        else
            position_castle_far(pos, from, to, us);
        return TBY_NO_PIECE;
    }
    TBY_CONTRACT(TBY_PIECE_COLOR(piece) == us && board_piece(&pos->board, from) == piece);
    const tby_piece captured = in_registers ? board_move_piece(&pos->board, from, to, piece)
                                            : board_move(&pos->board, from, to);
    TBY_CONTRACT(TBY_PIECE_KIND(captured) != TBY_KING && (!captured || TBY_PIECE_COLOR(captured) != us));
    position_follow(pos, pos, from, to, us, TBY_PIECE_KIND(piece), captured);
    if (__builtin_expect(kind != 0, 0))
        return in_registers ? position_finish_pawn(pos, m, us, captured)
                            : position_finish_pawn_far(pos, m, us, captured);
    return captured;
}

/* Plays a legal move of `piece` of `us` and returns the captured piece. Does not support the null move. */
TBY_INLINE tby_piece position_play_piece(tby_position *pos, tby_move m, tby_color us, tby_piece piece)
{
    return position_play_as(pos, m, us, piece, false);
}

TBY_INLINE tby_piece position_play(tby_position *pos, tby_move m, tby_color us)
{
    return position_play_piece(pos, m, us, board_piece(&pos->board, m & 63));
}

#endif
