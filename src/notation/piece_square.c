/*
 * piece_square.c - what a piece gains or loses by the square it stands on, in centipawns.
 *
 *     value = (middlegame * weight + endgame * (24 - weight)) / 24          rounded towards zero
 *     weight = min(24, knights + bishops + 2 * rooks + 4 * queens)          of both sides; 24 at the start
 *
 * The tables are drawn like the board: rank 8 first, files a to d; files e to h mirror them. They are white's; black
 * reads them with the ranks reversed. So a value is from the owner's view: positive is good for the piece's owner.
 * The reasons for the numbers, and the whole tables, are in docs/piece-square.md; a test compares the two.
 *
 * Keeps    the tables are symmetric left to right and between white and black. A piece's material is not part of its
 *          value. An empty square and a square off the board are worth 0.
 */
#include "base/text.h"
#include "notation/refuse.h"
#include "position/board.h"
#include "tabiya_value.h"

enum { FULL_WEIGHT = 24 };

static const int8_t TABLES[2][7][8][4] = {
    {
        /* middlegame */
        [TBY_PAWN] =
            {
                {0, 0, 0, 0},
                {48, 52, 54, 56},
                {18, 24, 30, 34},
                {4, 8, 14, 24},
                {-2, 0, 10, 20},
                {-2, 2, 4, 8},
                {0, 4, 2, -12},
                {0, 0, 0, 0},
            },
        [TBY_KNIGHT] =
            {
                {-52, -34, -24, -20},
                {-30, -14, 2, 6},
                {-14, 6, 20, 26},
                {-8, 10, 24, 32},
                {-10, 6, 20, 26},
                {-16, 2, 14, 16},
                {-28, -12, 0, 4},
                {-46, -26, -20, -16},
            },
        [TBY_BISHOP] =
            {
                {-16, -12, -12, -14},
                {-10, 0, 2, 0},
                {-4, 6, 8, 10},
                {-2, 10, 10, 16},
                {-2, 6, 14, 16},
                {0, 10, 10, 10},
                {0, 14, 6, 8},
                {-14, -8, -16, -12},
            },
        [TBY_ROOK] =
            {
                {8, 10, 12, 14},
                {18, 22, 26, 26},
                {0, 4, 6, 8},
                {-4, 0, 2, 4},
                {-8, -2, 0, 4},
                {-10, -2, 0, 2},
                {-12, -4, 0, 2},
                {-6, -2, 6, 12},
            },
        [TBY_QUEEN] =
            {
                {-10, -4, 0, 2},
                {-8, -6, 2, 4},
                {-4, 0, 6, 8},
                {-6, -2, 2, 4},
                {-6, 0, 2, 2},
                {-4, 4, 2, 2},
                {-8, 0, 6, 6},
                {-12, -8, -4, 4},
            },
        [TBY_KING] =
            {
                {-64, -70, -76, -80},
                {-58, -66, -72, -76},
                {-52, -60, -66, -72},
                {-42, -50, -58, -64},
                {-30, -38, -46, -52},
                {-14, -20, -28, -34},
                {12, 12, -8, -20},
                {18, 28, 8, -4},
            },
    },
    {
        /* endgame */
        [TBY_PAWN] =
            {
                {0, 0, 0, 0},
                {92, 90, 88, 86},
                {56, 54, 52, 50},
                {32, 30, 28, 26},
                {16, 14, 12, 10},
                {6, 5, 4, 3},
                {0, 0, 0, 0},
                {0, 0, 0, 0},
            },
        [TBY_KNIGHT] =
            {
                {-44, -28, -18, -14},
                {-26, -10, -2, 2},
                {-16, -2, 10, 14},
                {-12, 4, 14, 20},
                {-12, 4, 14, 20},
                {-18, -4, 8, 12},
                {-28, -12, -4, 0},
                {-44, -28, -20, -16},
            },
        [TBY_BISHOP] =
            {
                {-14, -10, -8, -6},
                {-8, -4, 0, 2},
                {-4, 2, 4, 6},
                {-2, 4, 8, 10},
                {-2, 4, 8, 10},
                {-4, 2, 6, 8},
                {-8, -4, 0, 2},
                {-14, -10, -8, -6},
            },
        [TBY_ROOK] =
            {
                {10, 10, 10, 10},
                {14, 14, 14, 14},
                {6, 6, 6, 6},
                {4, 4, 3, 3},
                {2, 2, 1, 1},
                {-2, -1, -1, -1},
                {-4, -3, -2, -2},
                {-6, -4, -2, -2},
            },
        [TBY_QUEEN] =
            {
                {-16, -8, -4, 0},
                {-10, 2, 8, 10},
                {-6, 6, 14, 18},
                {0, 10, 20, 26},
                {0, 10, 18, 24},
                {-8, 2, 10, 12},
                {-14, -8, -4, 0},
                {-22, -18, -14, -10},
            },
        [TBY_KING] =
            {
                {-50, -32, -22, -18},
                {-28, -8, 4, 8},
                {-16, 8, 22, 28},
                {-12, 12, 30, 38},
                {-16, 8, 28, 36},
                {-24, -2, 14, 20},
                {-36, -16, -4, 2},
                {-56, -38, -28, -24},
            },
    },
};

int tby_piece_square_value(tby_piece piece, tby_square square, tby_phase phase)
{
    unsigned kind = piece & 7U, file = square & 7U;
    if (kind == 7 || piece > 15 || square > 63)
        return 0;
    unsigned row = TBY_PIECE_COLOR(piece) == TBY_WHITE ? 7U - square / 8U : square / 8U;
    return TABLES[phase == TBY_ENDGAME][kind][row][file < 4 ? file : 7 - file];
}

static int middlegame_weight(const tby_board *board)
{
    unsigned weight = bb_count(board_knights(board)) + bb_count(board_bishops(board)) +
                      2 * bb_count(board_rooks(board)) + 4 * bb_count(board_queens(board));
    return weight < FULL_WEIGHT ? (int)weight : FULL_WEIGHT;
}

/* C's division rounds towards zero, so the two colours round alike. */
static int mixed_value(tby_piece piece, tby_square square, int weight)
{
    int middlegame = tby_piece_square_value(piece, square, TBY_MIDDLEGAME);
    int endgame = tby_piece_square_value(piece, square, TBY_ENDGAME);
    return (middlegame * weight + endgame * (FULL_WEIGHT - weight)) / FULL_WEIGHT;
}

int tby_piece_square_at(const tby_board *board, tby_square square)
{
    if (square > 63)
        return 0;
    return mixed_value(board_piece(board, square), square, middlegame_weight(board));
}

int tby_piece_square_sum(const tby_board *board, tby_piece piece)
{
    int sum = 0, weight = middlegame_weight(board);
    tby_bitboard squares = board_kind(board, TBY_PIECE_KIND(piece)) & board_color(board, TBY_PIECE_COLOR(piece));
    for (; squares; squares = bb_rest(squares))
        sum += mixed_value(piece, bb_first(squares), weight);
    return sum;
}

/* ---- Requests: a piece's letter, or a square --------------------------------------------------------------------- */

/* "N", "n"; TBY_NO_PIECE for other letters. */
static tby_piece piece_of_letter(char c)
{
    for (unsigned kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
        if (text_pieces[kind] == (c & ~32))
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
