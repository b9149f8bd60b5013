/*
 * setup_faults.c - why a setup is not a legal position, and how to make a position from a setup.
 *
 * There are two kinds of faults. Those of the first kind make moves meaningless: a missing king, a king that could be
 * captured, rights without their pieces. With the second kind the board is playable, but no game leads to it: too many
 * pieces, checks that no last move can have given. A caller may allow the second kind.
 *
 * No position of any game, standard or Chess960, has a fault; not every position without one can be reached.
 *
 * Reads    any bytes: bits that are not a piece are one fault and then count as empty squares; a side other than 0 and
 *          1 counts as its lowest bit
 * Keeps    positions are made only here, so the invariants in position.c hold everywhere
 */
#include "base/variant.h"
#include "position/en_passant.h"
#include "position/key.h"
#include "rules/sound.h"

/* ---- Faults of one side: each white fault's bit lies just below black's --------------------------------- */

static tby_faults king_faults(const tby_board *b, tby_color color)
{
    const tby_bitboard kings = board_kings(b) & board_color(b, color);
    if (!kings)
        return (tby_faults)TBY_FAULT_NO_WHITE_KING << color;
    return bb_many(kings) ? (tby_faults)TBY_FAULT_MANY_WHITE_KINGS << color : 0;
}

static unsigned excess(tby_bitboard pieces, unsigned at_first)
{
    const unsigned n = bb_count(pieces);
    return n > at_first ? n - at_first : 0;
}

/* The least number of promoted pawns: the pieces beyond those of the start position, counting bishops by the colour
   of their squares. */
static unsigned n_promoted(const tby_board *b, tby_bitboard own)
{
    const tby_bitboard bishops = board_bishops(b) & own;
    return excess(board_queens(b) & own, 1) + excess(board_rooks(b) & own, 2) + excess(board_knights(b) & own, 2) +
           excess(bishops & BB_LIGHT, 1) + excess(bishops & ~BB_LIGHT, 1);
}

static tby_faults count_faults(const tby_board *b, tby_color color)
{
    const tby_bitboard own = board_color(b, color);
    const unsigned n_pawns = bb_count(board_pawns(b) & own), n_missing = n_pawns < 8 ? 8 - n_pawns : 0;
    tby_faults faults = 0;
    if (bb_count(own) > 16)
        faults |= TBY_FAULT_MANY_WHITE_PIECES;
    if (n_pawns > 8)
        faults |= TBY_FAULT_MANY_WHITE_PAWNS;
    if (n_promoted(b, own) > n_missing)
        faults |= TBY_FAULT_WHITE_PROMOTIONS;
    return faults << color;
}

/* ---- Faults of the whole board -------------------------------------------------------------------------- */

static bool kings_are_adjacent(const tby_board *b)
{
    for (tby_bitboard set = board_kings(b) & ~board_black(b); set; set = bb_rest(set))
        if (king_attacks(bb_first(set)) & board_kings(b) & board_black(b))
            return true;
    return false;
}

static bool any_king_attacked(const tby_board *b, tby_color color)
{
    for (tby_bitboard set = board_kings(b) & board_color(b, color); set; set = bb_rest(set))
        if (attackers_of(b, bb_first(set), color_other(color)))
            return true;
    return false;
}

/*
 * The last move gives check with the piece moved, or opens a line, or both; en passant may open two. So at least one of
 * two checkers is a slider. Two checkers on one line with the king between them would need a piece that left its square
 * on one side of the king and gave check from the other: no piece that moves along a line can jump over the king.
 */
static tby_faults checker_faults(const tby_board *b, tby_square king, tby_color us)
{
    const tby_bitboard checkers = attackers_of(b, king, color_other(us)) & ~board_kings(b);
    tby_faults faults = 0;
    if (bb_count(checkers) > 2)
        faults |= TBY_FAULT_MANY_CHECKERS;
    if (bb_many(checkers & (board_pawns(b) | board_knights(b))))
        faults |= TBY_FAULT_STEPPER_CHECKERS;
    for (tby_bitboard set = checkers; set; set = bb_rest(set))
        for (tby_bitboard other = bb_rest(set); other; other = bb_rest(other))
            if (squares_between(bb_first(set), bb_first(other)) & bb_square(king))
                faults |= TBY_FAULT_ALIGNED_CHECKERS;
    return faults;
}

static tby_faults check_faults(const tby_board *b, const tby_setup *setup, tby_color us, bool is_en_passant)
{
    const tby_bitboard kings = board_kings(b) & board_color(b, us);
    if (!kings || bb_many(kings))
        return 0;
    tby_faults faults = checker_faults(b, bb_first(kings), us);
    if (is_en_passant && !en_passant_check_is_sound(b, setup->en_passant, bb_first(kings), us))
        faults |= TBY_FAULT_EN_PASSANT_CHECK;
    return faults;
}

/* ---- All together --------------------------------------------------------------------------------------- */

/* The board without the bits that break the invariants of board.h. */
static tby_board real_board(const tby_board *b)
{
    const tby_bitboard nonsense = (b->plane[0] & b->plane[1] & b->plane[2]) | (b->plane[3] & ~board_occupied(b));
    tby_board real = *b;
    for (int i = 0; i < 4; i++)
        real.plane[i] &= ~nonsense;
    return real;
}

static bool is_malformed(const tby_setup *setup, const tby_board *real)
{
    for (int i = 0; i < 4; i++)
        if (setup->board.plane[i] != real->plane[i])
            return true;
    return setup->side > TBY_BLACK || setup->fullmove == 0 || setup->fullmove > TBY_FULLMOVE_MAX;
}

static tby_faults board_faults(const tby_board *b)
{
    tby_faults faults = king_faults(b, TBY_WHITE) | king_faults(b, TBY_BLACK) | count_faults(b, TBY_WHITE) |
                        count_faults(b, TBY_BLACK);
    if (kings_are_adjacent(b))
        faults |= TBY_FAULT_KINGS_ADJACENT;
    if (board_pawns(b) & (BB_RANK_1 | BB_RANK_8))
        faults |= TBY_FAULT_PAWN_BACKRANK;
    return faults;
}

static tby_faults faults_of(const tby_setup *setup)
{
    if (setup_is_plainly_sound(setup))
        return 0;
    const tby_board board = real_board(&setup->board), *b = &board;
    const tby_color us = (tby_color)(setup->side & 1);
    const bool en_passant = en_passant_is_sound(b, setup->en_passant, us);
    tby_faults faults = board_faults(b);

    if (is_malformed(setup, b))
        faults |= TBY_FAULT_MALFORMED;
    if (any_king_attacked(b, color_other(us)))
        faults |= TBY_FAULT_OPPONENT_CHECK;
    if (!castling_is_sound(b, setup->castling))
        faults |= TBY_FAULT_CASTLING;
    if (!en_passant)
        faults |= TBY_FAULT_EN_PASSANT;
    return faults | check_faults(b, setup, us, en_passant && setup->en_passant != TBY_NO_SQUARE);
}

TBY_KERNEL(tby_faults, tby_setup_faults, (const tby_setup *setup), (setup)) { return faults_of(setup); }

TBY_KERNEL(tby_status, tby_position_init,
           (tby_position * pos, const tby_setup *setup, tby_faults allowed, tby_error *err), (pos, setup, allowed, err))
{
    const tby_faults faults = faults_of(setup) & ~(allowed & TBY_FAULTS_UNREACHABLE);
    if (faults) {
        const tby_error error = {.status = TBY_ILLEGAL_POSITION, .detail = tby_fault_text(faults & -faults)};
        if (err)
            *err = error;
        return TBY_ILLEGAL_POSITION;
    }
    *pos = position_of_setup(setup);
    return TBY_OK;
}
