/*
 * board.c - lists the pieces on a board, even on one with invalid bits.
 *
 * A caller may have filled a board by hand: a square whose bits are not a piece counts as empty.
 */
#include "position/board.h"

/* The squares that hold one of the twelve pieces: all the occupied ones, unless the board has invalid bits. */
static tby_bitboard real_pieces(const tby_board *b)
{
    return board_occupied(b) & ~(b->plane[0] & b->plane[1] & b->plane[2]);
}

tby_piece tby_board_piece(const tby_board *board, tby_square square)
{
    const tby_piece piece = square < 64 ? board_piece(board, square) : TBY_NO_PIECE;
    return is_piece(piece) ? piece : TBY_NO_PIECE;
}

tby_bitboard tby_board_pieces(const tby_board *board, tby_piece piece)
{
    if (!is_piece(piece))
        return 0;
    return board_kind(board, TBY_PIECE_KIND(piece)) & tby_board_color(board, TBY_PIECE_COLOR(piece));
}

tby_bitboard tby_board_color(const tby_board *board, tby_color color)
{
    return real_pieces(board) & (color == TBY_BLACK ? board_black(board) : ~board_black(board));
}
