/*
 * material.c - can a side ever give mate with the material on the board?
 *
 *     pawn, rook, queen    yes
 *     king alone           no
 *     a knight             yes, unless it is the only piece and the enemy has just king and queens: other pieces may
 *                          block their own king, but a queen that close can always capture the knight
 *     bishops only         no, if all bishops, the enemy's too, are on squares of one colour and nothing can block
 *                          a square of the other colour: neither side has a knight or a pawn
 *
 * The answer is exact for the material: "can" means that some position with these pieces leads to mate. The given
 * position may still be dead (src/rules/dead.c).
 */
#include "position/board.h"

bool tby_material_is_insufficient(const tby_board *board, tby_color color)
{
    const tby_bitboard own = board_color(board, color), enemy = board_color(board, color_other(color));
    const tby_bitboard kings = board_kings(board), knights = board_knights(board), bishops = board_bishops(board);

    if (own & (board_pawns(board) | board_rooks(board) | board_queens(board)))
        return false;
    if (own & knights)
        return !bb_many(own & ~kings) && !(enemy & ~(kings | board_queens(board)));
    if (own & bishops)
        return !(knights | board_pawns(board)) && (!(bishops & BB_LIGHT) || !(bishops & ~BB_LIGHT));
    return true;
}

bool tby_material_is_draw(const tby_board *board)
{
    return tby_material_is_insufficient(board, TBY_WHITE) && tby_material_is_insufficient(board, TBY_BLACK);
}
