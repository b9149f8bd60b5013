/*
 * packed_game.c - steps through packed games: the hot half of the codec.
 *
 *      0        1                                             end
 *     +--------+-----------------+----------------------+------+---------+
 *     | header | start, if other | moves: 1 or 2 bytes  | 0x00 | trailer |
 *     +--------+-----------------+----------------------+------+---------+
 *
 * A move is its code + 1 (see move_code.h), so that no move begins with 0; where a position has more than 255 codes,
 * two bytes of 1 + code / 128 and 1 + code % 128. A promotion is followed by a byte for its piece.
 */
#include "base/variant.h"
#include "codec/move_code.h"
#include "codec/packed.h"
#include "position/key.h"

/* The castling move that a king's code means; TBY_MOVE_NONE if its right is gone or its squares are taken, which only
   bytes that were never checked can bring about. */
static tby_move read_castling(const tby_position *pos, const coded_move *m, tby_color us)
{
    const tby_bitboard above = ~(bb_square(m->from) | (bb_square(m->from) - 1));
    const tby_bitboard wing = m->code == CODE_CASTLE_KING_SIDE ? above : ~above;
    const tby_bitboard rook = pos->castling & bb_back_rank(us) & wing;
    if (m->kind != CODE_KING || m->code < CODE_CASTLE_KING_SIDE || !rook)
        return TBY_MOVE_NONE;
    const unsigned king_to = castling_king_to(m->from, bb_first(rook)),
                   rook_to = castling_rook_to(m->from, bb_first(rook));
    const tby_bitboard others = board_occupied(&pos->board) & ~rook & ~bb_square(m->from);
    if (others & (bb_square(king_to) | bb_square(rook_to)))
        return TBY_MOVE_NONE;
    return TBY_MOVE(m->from, bb_first(rook), TBY_KING);
}

/* A pawn's move beyond the plain ones: a promotion, whose piece is the next byte, or en passant. */
TBY_INLINE tby_move read_pawn(const tby_position *pos, const coded_move *m, const uint8_t **at, const uint8_t *end)
{
    if (__builtin_expect((bb_square(m->to) & (BB_RANK_1 | BB_RANK_8)) != 0, 0)) {
        if (*at >= end || **at < PACKED_PROMOTION_FIRST || **at > PACKED_PROMOTION_LAST)
            return TBY_MOVE_NONE;
        return TBY_MOVE(m->from, m->to, PACKED_PROMOTIONS[*(*at)++ - PACKED_PROMOTION_FIRST]);
    }
    const bool is_en_passant = m->code >= 2 && m->to == pos->en_passant;
    return TBY_MOVE(m->from, m->to, is_en_passant ? TBY_PAWN : 0);
}

/* Plays the next move; TBY_MOVE_NONE, and no step further, at the end or where the bytes mean no move. Whatever they
   say, each side keeps its king: all that the code below relies on. */
TBY_INLINE tby_move step(tby_packed *cursor, tby_color us)
{
    tby_position *pos = &cursor->pos;
    const uint8_t *at = cursor->at, *end = cursor->end;
    if (at >= end || *at == 0)
        return TBY_MOVE_NONE;
    const code_space space = code_space_of(&pos->board, us);
    unsigned code = *at++ - 1U;
    if (__builtin_expect(space.n_codes > PACKED_ONE_BYTE_CODES, 0)) {
        if (at >= end || *at == 0 || *at > 128)
            return TBY_MOVE_NONE;
        code = code * 128 + (*at++ - 1U);
    }
    if (__builtin_expect(code >= space.n_codes, 0))
        return TBY_MOVE_NONE;
    const coded_move m = code_read(&space, code, us);
    tby_move move = TBY_MOVE(m.from, m.to, 0);
    if (__builtin_expect(m.to > 63, 0))
        move = read_castling(pos, &m, us);
    else if (__builtin_expect((board_kings(&pos->board) & bb_square(m.to)) != 0, 0))
        return TBY_MOVE_NONE;
    else if (m.kind == CODE_PAWN)
        move = read_pawn(pos, &m, &at, end);
    if (__builtin_expect(move == TBY_MOVE_NONE, 0))
        return TBY_MOVE_NONE;
    position_play_piece(pos, move, us, TBY_PIECE(us, CODE_TO_KIND[m.kind]));
    cursor->at = at;
    return move;
}

TBY_INLINE tby_move step_any(tby_packed *cursor)
{
    return position_side(&cursor->pos) == TBY_WHITE ? step(cursor, TBY_WHITE) : step(cursor, TBY_BLACK);
}

TBY_KERNEL(tby_move, tby_packed_next, (tby_packed * cursor), (cursor)) { return step_any(cursor); }

TBY_KERNEL(size_t, tby_packed_position_keys, (uint64_t * out, size_t cap, const uint8_t *bytes, size_t n),
           (out, cap, bytes, n))
{
    tby_packed cursor;
    size_t n_keys = 0;
    if (!tby_packed_begin(&cursor, bytes, n))
        return 0;
    do {
        if (n_keys < cap)
            out[n_keys] = position_key(&cursor.pos, position_side(&cursor.pos));
        n_keys++;
    } while (step_any(&cursor) != TBY_MOVE_NONE);
    return n_keys;
}

/* No later position can be the target: a piece that it has is gone, or a pawn that it has at home. */
TBY_INLINE bool is_past(const tby_target *t, const tby_board *b, unsigned n_pieces)
{
    const tby_bitboard pawns = board_pawns(b);
    const tby_bitboard home = pawns & ((BB_RANK_2 & ~board_black(b)) | (BB_RANK_7 & board_black(b)));
    return n_pieces < t->n_pieces || (t->home & ~home);
}

TBY_KERNEL(int, tby_target_step, (const tby_target *target, tby_packed *cursor, int max_ply), (target, cursor, max_ply))
{
    for (int ply = 0; ply <= max_ply; ply++) {
        const tby_position *pos = &cursor->pos;
        const unsigned n_pieces = bb_count(board_occupied(&pos->board));
        if (is_past(target, &pos->board, n_pieces))
            return -1;
        if (n_pieces == target->n_pieces &&
            (target->is_placement ? pos->placement_key : position_key(pos, position_side(pos))) == target->key)
            return ply;
        if (step_any(cursor) == TBY_MOVE_NONE)
            return cursor->at < cursor->end && *cursor->at == 0 ? -1 : -2;
    }
    return -1;
}
