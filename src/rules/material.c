/*
 * material.c - can a side ever give mate with what is on the board?
 *
 *     pawn, rook, queen    yes
 *     king alone           no
 *     a knight             yes, unless it is all there is and the enemy has only king and queens: other pieces may
 *                          stand in their own king's way, but a queen that near can always take the knight
 *     bishops only         no, if all bishops of the board, the enemy's too, stand on one colour and nothing could
 *                          block a square of the other: no knight and no pawn of either side
 *
 * The answer is exact for the material: where it says "can", some position with these pieces leads to mate; this
 * very position may still be dead (src/rules/dead.c).
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
