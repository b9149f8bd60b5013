/*
 * move.c - one move: is it legal, what does it capture, where does it end, and which of two comes first?
 *
 * Legality is decided for the move itself, without a list of moves: the piece must be ours, it must be able to reach
 * the square over empty squares, and the king must be safe afterwards. Except for king moves, en passant and castling,
 * the last test takes two masks: a check must be captured or blocked, and a pinned piece stays on its line.
 *
 * Reads    any 16 bits; bits that are not a move are not legal
 * Sorts    in the order of the tree of chess: from-square, destination (both a8, b8 ... h1), promotion B N Q R. In
 *          Chess960 a king may step and castle to the same square: the step comes first.
 */
#include "rules/legal.h"

/* ---- Legality ------------------------------------------------------------------------------------------- */

static tby_bitboard pawn_targets(const tby_board *b, unsigned from, tby_color us)
{
    const tby_bitboard occupied = board_occupied(b), pawn = bb_square(from);
    const tby_bitboard single = bb_forward(pawn, us) & ~occupied;
    const tby_bitboard dbl = bb_forward(single & (us == TBY_WHITE ? BB_RANK_3 : BB_RANK_6), us) & ~occupied;
    return single | dbl | (bb_pawn_attacks(pawn, us) & board_color(b, color_other(us)));
}

/* Where a piece other than the king can go, even if its king is then in check. */
static tby_bitboard piece_targets(const tby_board *b, tby_kind kind, unsigned from, tby_color us)
{
    const tby_bitboard occupied = board_occupied(b), free_squares = ~board_color(b, us);
    switch (kind) {
    case TBY_PAWN: return pawn_targets(b, from, us);
    case TBY_KNIGHT: return knight_attacks(from) & free_squares;
    case TBY_BISHOP: return bishop_attacks(from, occupied) & free_squares;
    case TBY_ROOK: return rook_attacks(from, occupied) & free_squares;
    case TBY_QUEEN: return (bishop_attacks(from, occupied) | rook_attacks(from, occupied)) & free_squares;
    default: return 0;
    }
}

static bool en_passant_is_legal(const tby_position *pos, unsigned from, unsigned to, tby_color us)
{
    const tby_board *b = &pos->board;
    return pos->en_passant == to && (en_passant_ready(b, to, us) & bb_square(from)) &&
           en_passant_is_safe(b, from, to, board_king(b, us), us);
}

static bool king_step_is_legal(const tby_board *b, unsigned king, unsigned to, tby_color us)
{
    return (king_attacks(king) & ~board_color(b, us) & bb_square(to)) && king_move_is_safe(b, king, to, us);
}

/* A plain move or a promotion. */
static bool step_is_legal(const tby_board *b, tby_kind piece, tby_move m, tby_color us)
{
    const unsigned from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m), king = board_king(b, us);
    const bool must_promote = piece == TBY_PAWN && (bb_square(to) & (BB_RANK_1 | BB_RANK_8));
    if (must_promote != (TBY_MOVE_KIND(m) != 0))
        return false;
    if (piece == TBY_KING)
        return king_step_is_legal(b, from, to, us);
    if (!(piece_targets(b, piece, from, us) & bb_square(to)))
        return false;
    const king_bonds bonds = king_bonds_of(b, king, us);
    return legal_origins(bb_square(from), to, king, &bonds) != 0;
}

bool tby_move_is_legal(const tby_position *pos, tby_move m)
{
    const tby_color us = position_side(pos);
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    if (!(board_color(&pos->board, us) & bb_square(from)))
        return false;
    switch (TBY_MOVE_KIND(m)) {
    case TBY_NO_KIND:
    case TBY_BISHOP:
    case TBY_KNIGHT:
    case TBY_ROOK:
    case TBY_QUEEN: return step_is_legal(&pos->board, TBY_PIECE_KIND(board_piece(&pos->board, from)), m, us);
    case TBY_KING:
        return from == board_king(&pos->board, us) && (pos->castling & bb_back_rank(us) & bb_square(to)) &&
               castling_is_legal(pos, from, to, us);
    case TBY_PAWN: return en_passant_is_legal(pos, from, to, us);
    default: return false;
    }
}

/* ---- Facts of a legal move ------------------------------------------------------------------------------ */

tby_square tby_move_destination(tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    return TBY_MOVE_IS_CASTLING(m) ? castling_king_to(from, to) : to;
}

tby_piece tby_move_captured(const tby_position *pos, tby_move m)
{
    if (TBY_MOVE_IS_CASTLING(m))
        return TBY_NO_PIECE;
    if (TBY_MOVE_IS_EN_PASSANT(m))
        return TBY_PIECE(color_other(position_side(pos)), TBY_PAWN);
    return board_piece(&pos->board, TBY_MOVE_TO(m));
}

/* ---- Selection and order -------------------------------------------------------------------------------- */

size_t tby_moves_from(tby_move out[TBY_MOVES_MAX], const tby_position *pos, tby_square from)
{
    const size_t n_all = tby_moves_list(out, pos);
    size_t n = 0;
    for (size_t i = 0; i < n_all; i++)
        if (TBY_MOVE_FROM(out[i]) == from)
            out[n++] = out[i];
    return n;
}

/* The move's rank in the order of the tree as one number; ^ 56 reverses the ranks, so that a8 comes first. */
static unsigned sort_key(tby_move m)
{
    static const uint8_t LETTER[16] = {
        [TBY_BISHOP] = 1, [TBY_KNIGHT] = 2, [TBY_QUEEN] = 3, [TBY_ROOK] = 4, [TBY_KING] = 5};
    return (TBY_MOVE_FROM(m) ^ 56u) << 9 | (tby_move_destination(m) ^ 56u) << 3 | LETTER[TBY_MOVE_KIND(m)];
}

/* Insertion sort: lists are short and almost sorted. */
void tby_moves_sort(tby_move *moves, size_t n_moves)
{
    for (size_t i = 1; i < n_moves; i++) {
        const tby_move m = moves[i];
        const unsigned key = sort_key(m);
        size_t j = i;
        for (; j > 0 && sort_key(moves[j - 1]) > key; j--)
            moves[j] = moves[j - 1];
        moves[j] = m;
    }
}
