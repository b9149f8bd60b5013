/*
 * attackers.h - which pieces attack a square, and what restricts a king: checks and pins.
 */
#ifndef TBY_POSITION_ATTACKERS_H
#define TBY_POSITION_ATTACKERS_H

#include "base/attacks.h"
#include "position/board.h"

/* The pieces of both colours that attack `square`, given the `occupied` squares. */
TBY_INLINE tby_bitboard attackers_to(const tby_board *b, unsigned square, tby_bitboard occupied)
{
    const tby_bitboard pawns = board_pawns(b), target = bb_square(square);
    return (knight_attacks(square) & board_knights(b)) | (king_attacks(square) & board_kings(b)) |
           (bb_pawn_attacks(target, TBY_BLACK) & pawns & ~board_black(b)) |
           (bb_pawn_attacks(target, TBY_WHITE) & pawns & board_black(b)) |
           (rook_attacks(square, occupied) & board_line_sliders(b)) |
           (bishop_attacks(square, occupied) & board_diagonal_sliders(b));
}

/* The pieces of `by` that attack `square` on this board. */
TBY_INLINE tby_bitboard attackers_of(const tby_board *b, unsigned square, tby_color by)
{
    return attackers_to(b, square, board_occupied(b)) & board_color(b, by);
}

/* The pieces that attack the king of `us`, as attackers_of would find them, in the fewest operations. */
TBY_INLINE tby_bitboard king_attackers(const tby_board *b, tby_color us)
{
    const tby_bitboard p0 = b->plane[0], p1 = b->plane[1], p2 = b->plane[2], either = p1 | p2, black = b->plane[3];
    const tby_bitboard enemy = us == TBY_BLACK ? ~black : black;
    const unsigned king = bb_first(p0 & p2 & ~enemy);
    const tby_bitboard steppers = (knight_attacks(king) & p1) | (king_attacks(king) & p2) |
                                  (pawn_attacks(king, us) & ~either);
    const tby_bitboard sliders = attacking_sliders(king, p0 | either, p2, p1);
    return ((steppers & p0) | (sliders & ~p0)) & enemy;
}

/* Checks and pins of the king of `us`. A piece on a pin line may only move along it. Pin lines never cross where a
   pinned piece could change from one to another, so two masks hold them all. */
typedef struct king_bonds {
    tby_bitboard checkers;
    tby_bitboard pin_lines;     /* between king and a pinning rook or queen, the pinner included */
    tby_bitboard pin_diagonals; /* the same for bishop or queen */
} king_bonds;

TBY_INLINE king_bonds king_bonds_of(const tby_board *b, unsigned king, tby_color us)
{
    const tby_bitboard occupied = board_occupied(b), own = board_color(b, us), enemy = occupied ^ own;
    king_bonds bonds = {0, 0, 0};

    bonds.checkers = (knight_attacks(king) & board_knights(b)) | (pawn_attacks(king, us) & board_pawns(b));
    bonds.checkers &= enemy;
    const tby_bitboard lines = board_line_sliders(b) & enemy & rook_rays(king);
    if (lines) {
        const tby_bitboard seen = rook_attacks(king, occupied);
        tby_bitboard pinners = rook_attacks(king, occupied & ~(seen & own)) & ~seen & lines;
        bonds.checkers |= seen & lines;
        for (; pinners; pinners = bb_rest(pinners))
            bonds.pin_lines |= squares_between(king, bb_first(pinners)) | (pinners & -pinners);
    }
    const tby_bitboard diagonals = board_diagonal_sliders(b) & enemy & bishop_rays(king);
    if (diagonals) {
        const tby_bitboard seen = bishop_attacks(king, occupied);
        tby_bitboard pinners = bishop_attacks(king, occupied & ~(seen & own)) & ~seen & diagonals;
        bonds.checkers |= seen & diagonals;
        for (; pinners; pinners = bb_rest(pinners))
            bonds.pin_diagonals |= squares_between(king, bb_first(pinners)) | (pinners & -pinners);
    }
    return bonds;
}

/* The squares from which pieces could attack any of a set of squares, if nothing were in their way. */
typedef struct attack_origins {
    tby_bitboard knights, diagonals, lines;
} attack_origins;

TBY_INLINE attack_origins attack_origins_of(tby_bitboard squares)
{
    attack_origins from = {0, 0, 0};
    for (; squares; squares = bb_rest(squares)) {
        const unsigned square = bb_first(squares);
        from.knights |= knight_attacks(square);
        from.diagonals |= bishop_rays(square);
        from.lines |= rook_rays(square);
    }
    return from;
}

/* Every square that `by` attacks, given the `occupied` squares. If these leave out the king's own square, sliders see
   through the king. If `from` is not NULL, only the squares it was made for matter: pieces elsewhere are left out. */
TBY_INLINE tby_bitboard attacked_squares(const tby_board *b, tby_color by, tby_bitboard occupied,
                                         const attack_origins *from)
{
    const tby_bitboard mine = by == TBY_BLACK ? board_black(b) : ~board_black(b);
    tby_bitboard attacked = bb_pawn_attacks(board_pawns(b) & mine, by) | king_attacks(board_king(b, by));

    for (tby_bitboard set = board_knights(b) & mine & (from ? from->knights : ~0ULL); set; set = bb_rest(set))
        attacked |= knight_attacks(bb_first(set));
    for (tby_bitboard set = board_diagonal_sliders(b) & mine & (from ? from->diagonals : ~0ULL); set;
         set = bb_rest(set))
        attacked |= bishop_attacks(bb_first(set), occupied);
    for (tby_bitboard set = board_line_sliders(b) & mine & (from ? from->lines : ~0ULL); set; set = bb_rest(set))
        attacked |= rook_attacks(bb_first(set), occupied);
    return attacked;
}

#endif
