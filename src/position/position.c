/*
 * position.c - questions about a position that need no move: whose turn it is, what attacks, what is pinned.
 *
 * A position is 56 bytes without padding, and every byte follows from the game so far:
 *
 *     board 32 | placement key 8 | castling rooks 8 | ply 4 | clock 2 | en passant 1 | reserved 1
 *
 * Keeps    exactly one king for each side, and the invariants of board.h; the side to move is the lowest bit of `ply`;
 *          castling rights name rooks that stand on their back rank with their king. Positions come from
 *          tby_position_init (src/rules/setup_faults.c), which lets nothing else in, and from playing legal moves.
 */
#include "position/en_passant.h"
#include "position/key.h"
#include "position/play.h"

_Static_assert(sizeof(tby_position) == 56, "a position has no padding, so memcmp compares");

/* Written out because readers need it once per game; test_position compares it with the setup's. */
void tby_position_start(tby_position *pos)
{
    const tby_position start = {
        .board = {{0x52ff00000000ff52, 0x6e0000000000006e, 0x9900000000000099, BB_RANK_7 | BB_RANK_8}},
        .placement_key = zobrist_start,
        .castling = BB_CORNERS,
        .en_passant = TBY_NO_SQUARE,
    };
    *pos = start;
}

void tby_position_setup(tby_setup *setup, const tby_position *pos)
{
    const uint32_t fullmove = tby_position_fullmove(pos);
    const tby_setup out = {
        .board = pos->board,
        .castling = pos->castling,
        .fullmove = fullmove < TBY_FULLMOVE_MAX ? fullmove : TBY_FULLMOVE_MAX,
        .clock = pos->clock,
        .side = (uint8_t)position_side(pos),
        .en_passant = pos->en_passant,
    };
    *setup = out;
}

tby_color tby_position_side(const tby_position *pos) { return position_side(pos); }

uint32_t tby_position_fullmove(const tby_position *pos) { return pos->ply / 2 + 1; }

/* ---- Attacks ------------------------------------------------------------------------------------------- */

tby_bitboard tby_position_attackers(const tby_position *pos, tby_square square, tby_color by)
{
    return square < 64 ? attackers_of(&pos->board, square, by) : 0;
}

tby_bitboard tby_position_checkers(const tby_position *pos)
{
    const tby_color us = position_side(pos);
    return attackers_of(&pos->board, board_king(&pos->board, us), color_other(us));
}

tby_bitboard tby_position_pinned(const tby_position *pos, tby_color color)
{
    const king_bonds bonds = king_bonds_of(&pos->board, board_king(&pos->board, color), color);
    return (bonds.pin_lines | bonds.pin_diagonals) & board_color(&pos->board, color);
}

tby_square tby_position_en_passant_legal(const tby_position *pos)
{
    const tby_color us = position_side(pos);
    if (pos->en_passant == TBY_NO_SQUARE ||
        !en_passant_capturers(&pos->board, pos->en_passant, board_king(&pos->board, us), us))
        return TBY_NO_SQUARE;
    return pos->en_passant;
}

/* ---- Self-check ---------------------------------------------------------------------------------------- */

static bool castling_is_consistent(const tby_position *pos, tby_color color)
{
    const tby_bitboard own = board_color(&pos->board, color), rights = pos->castling & bb_back_rank(color);
    const tby_bitboard king = board_kings(&pos->board) & own & bb_back_rank(color);
    if (!rights)
        return true;
    /* `king - 1` is the set of squares before the king, so each side of it has at most one rook. */
    return king && !(rights & ~(board_rooks(&pos->board) & own)) && !bb_many(rights & (king - 1)) &&
           !bb_many(rights & ~(king - 1));
}

bool tby_position_is_consistent(const tby_position *pos)
{
    const tby_board *b = &pos->board;
    const tby_bitboard kings = board_kings(b), occupied = board_occupied(b);
    return !(b->plane[0] & b->plane[1] & b->plane[2]) && !(b->plane[3] & ~occupied) &&
           bb_count(kings & b->plane[3]) == 1 && bb_count(kings & ~b->plane[3]) == 1 &&
           pos->placement_key == tby_placement_key(b) && pos->reserved == 0 &&
           !(pos->castling & ~(BB_RANK_1 | BB_RANK_8)) && castling_is_consistent(pos, TBY_WHITE) &&
           castling_is_consistent(pos, TBY_BLACK) && en_passant_is_sound(b, pos->en_passant, position_side(pos)) &&
           !attackers_of(b, board_king(b, color_other(position_side(pos))), position_side(pos));
}
