/*
 * polyglot.c - the key under which Polyglot opening books file a position.
 *
 *     key = xor of one published number for each piece on its square, each castling right, the en passant file and
 *           white to move
 *
 * For interchange only, never for identity: the book format counts en passant as soon as a pawn stands ready to
 * capture, whether or not that is legal, and it cannot say which rook may castle. Rights of Chess960 count as
 * king-side or queen-side by the side of the king on which the rook stands.
 */
#include "position/en_passant.h"
#include "position/play.h"
#include "position/polyglot_random.h"

/* Black pawn 0, white pawn 1, black knight 2 ... white king 11; indexed by tby_kind. */
static const uint8_t POLYGLOT_KIND[8] = {
    [TBY_PAWN] = 0, [TBY_KNIGHT] = 2, [TBY_BISHOP] = 4, [TBY_ROOK] = 6, [TBY_QUEEN] = 8, [TBY_KING] = 10};

static uint64_t pieces_key(const tby_board *b)
{
    uint64_t key = 0;
    for (tby_bitboard set = board_occupied(b); set; set = bb_rest(set)) {
        const tby_piece piece = board_piece(b, bb_first(set));
        const unsigned row = POLYGLOT_KIND[TBY_PIECE_KIND(piece)] + (TBY_PIECE_COLOR(piece) == TBY_WHITE ? 1u : 0u);
        key ^= POLYGLOT_RANDOM[64 * row + bb_first(set)];
    }
    return key;
}

static uint64_t castling_key(const tby_position *pos, tby_color color)
{
    const tby_bitboard rooks = pos->castling & bb_back_rank(color);
    const tby_bitboard before_king = bb_square(board_king(&pos->board, color)) - 1;
    const unsigned king_side = POLYGLOT_CASTLING + 2 * (unsigned)color;
    return (rooks & ~before_king ? POLYGLOT_RANDOM[king_side] : 0) ^
           (rooks & before_king ? POLYGLOT_RANDOM[king_side + 1] : 0);
}

uint64_t tby_polyglot_key(const tby_position *pos)
{
    const tby_color us = position_side(pos);
    uint64_t key = pieces_key(&pos->board) ^ castling_key(pos, TBY_WHITE) ^ castling_key(pos, TBY_BLACK);
    if (pos->en_passant != TBY_NO_SQUARE && en_passant_ready(&pos->board, pos->en_passant, us))
        key ^= POLYGLOT_RANDOM[POLYGLOT_EN_PASSANT + TBY_FILE(pos->en_passant)];
    if (us == TBY_WHITE)
        key ^= POLYGLOT_RANDOM[POLYGLOT_WHITE];
    return key;
}
