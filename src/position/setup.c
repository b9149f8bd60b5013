/*
 * setup.c - describes a board, legal or not: empty, start, Chess960 start, piece by piece.
 *
 * A Chess960 start has a number from 0 to 959, the one that Reinhard Scharnagl gave it:
 *
 *     number = 4 * (4 * (6 * knights + queen) + dark bishop) + light bishop
 *
 *     light bishop   0-3: b, d, f, h                 dark bishop   0-3: a, c, e, g
 *     queen          0-5: which of the six files still free
 *     knights        0-9: which two of the five files still free, in the order of KNIGHT_PAIRS
 *     the last three free files take rook, king, rook
 *
 * Keeps    these functions preserve the invariants of board.h.
 */
#include "position/board.h"

enum { N_CHESS960 = 960, USUAL_START = 518 };

void tby_setup_clear(tby_setup *setup)
{
    const tby_setup empty = {.fullmove = 1, .side = TBY_WHITE, .en_passant = TBY_NO_SQUARE};
    *setup = empty;
}

void tby_setup_start(tby_setup *setup) { tby_setup_chess960(setup, USUAL_START); }

/* Removes the `index`-th file from `free_files` and returns it. */
static unsigned take_file(tby_bitboard *free_files, unsigned index)
{
    tby_bitboard rest = *free_files;
    for (; index; index--)
        rest = bb_rest(rest);
    *free_files ^= bb_square(bb_first(rest));
    return bb_first(rest);
}

/* The back rank of a start position, by file. */
static void chess960_kinds(tby_kind kinds[8], unsigned number)
{
    /* The second index counts what is left after the first knight is placed. */
    static const uint8_t KNIGHT_PAIRS[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                                {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
    const unsigned light = number % 4, dark = number / 4 % 4, queen = number / 16 % 6, knights = number / 96;
    tby_bitboard free_files = BB_RANK_1 ^ bb_square(2 * light + 1) ^ bb_square(2 * dark);

    kinds[2 * light + 1] = TBY_BISHOP;
    kinds[2 * dark] = TBY_BISHOP;
    kinds[take_file(&free_files, queen)] = TBY_QUEEN;
    kinds[take_file(&free_files, KNIGHT_PAIRS[knights][0])] = TBY_KNIGHT;
    kinds[take_file(&free_files, KNIGHT_PAIRS[knights][1])] = TBY_KNIGHT;
    kinds[take_file(&free_files, 0)] = TBY_ROOK;
    kinds[take_file(&free_files, 0)] = TBY_KING;
    kinds[take_file(&free_files, 0)] = TBY_ROOK;
}

bool tby_setup_chess960(tby_setup *setup, unsigned number)
{
    if (number >= N_CHESS960)
        return false;
    tby_kind kinds[8];
    chess960_kinds(kinds, number);
    tby_setup_clear(setup);
    for (unsigned file = 0; file < 8; file++) {
        board_put(&setup->board, file, TBY_PIECE(TBY_WHITE, kinds[file]));
        board_put(&setup->board, 8 + file, TBY_PIECE(TBY_WHITE, TBY_PAWN));
        board_put(&setup->board, 48 + file, TBY_PIECE(TBY_BLACK, TBY_PAWN));
        board_put(&setup->board, 56 + file, TBY_PIECE(TBY_BLACK, kinds[file]));
    }
    setup->castling = board_rooks(&setup->board);
    return true;
}

/* A square off the board, or a number that is not a piece, changes nothing. */
void tby_setup_put(tby_setup *setup, tby_square square, tby_piece piece)
{
    if (square < 64 && (piece == TBY_NO_PIECE || is_piece(piece)))
        board_put(&setup->board, square, piece);
}

bool tby_setup_equal(const tby_setup *a, const tby_setup *b)
{
    for (int i = 0; i < 4; i++)
        if (a->board.plane[i] != b->board.plane[i])
            return false;
    return a->castling == b->castling && a->fullmove == b->fullmove && a->clock == b->clock && a->side == b->side &&
           a->en_passant == b->en_passant;
}
