/*
 * piece_square_read.c - reads a request for a piece-square value: a piece's letter, or a square.
 */
#include "notation/refuse.h"
#include "tabiya_value.h"

/* "N", "n"; TBY_NO_PIECE for other letters. */
static tby_piece piece_of_letter(char c)
{
    static const char letters[] = " PBNRKQ"; /* in the order of tby_kind */
    for (unsigned kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
        if (letters[kind] == (c & ~32))
            return TBY_PIECE((unsigned)(c & 32 ? TBY_BLACK : TBY_WHITE), kind);
    return TBY_NO_PIECE;
}

bool tby_piece_square_read(int *out, const tby_board *board, const char *s, size_t n, tby_error *err)
{
    const tby_piece piece = n == 1 ? piece_of_letter(s[0]) : TBY_NO_PIECE;
    refuse_nothing(err);
    if (piece != TBY_NO_PIECE) {
        *out = tby_piece_square_sum(board, piece);
        return true;
    }
    if (n != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8') {
        refuse(err, TBY_INVALID_PIECE_SQUARE, 0, "one of PNBRQKpnbrqk, or a square, expected");
        return false;
    }
    const tby_square square = TBY_SQUARE(s[0] - 'a', s[1] - '1');
    if (tby_board_piece(board, square) == TBY_NO_PIECE)
        return false;
    *out = tby_piece_square_at(board, square);
    return true;
}
