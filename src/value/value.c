/*
 * value.c - what kind of value bytes are, boards as values, and what SQL asks of a board.
 *
 *     0      1
 *     +------+---------------------------+
 *     | 0x12 | packed board              |      0x10 and 0x11 begin packed games
 *     +------+---------------------------+
 */
#include "base/text.h"
#include "format/packed.h"
#include "notation/refuse.h"

#include <string.h>

enum { BOARD_HEADER = PACKED_VERSION << 4 | PACKED_BOARD };

/* ---- Kinds ---------------------------------------------------------------------------------------------- */

tby_value_kind tby_value_kind_of(const uint8_t *bytes, size_t n)
{
    if (n == 0 || bytes[0] >> 4 != PACKED_VERSION)
        return TBY_NO_VALUE;
    switch (bytes[0] & 15) {
    case PACKED_START_USUAL:
    case PACKED_START_OTHER: return TBY_CHESSGAME;
    case PACKED_BOARD: return TBY_CHESSBOARD;
    default: return TBY_NO_VALUE;
    }
}

/* ---- Boards --------------------------------------------------------------------------------------------- */

/* A game can go on after the last move number that is written. */
size_t tby_chessboard_encode(uint8_t out[TBY_CHESSBOARD_SIZE], const tby_setup *setup)
{
    tby_setup s = *setup;
    if (s.fullmove > TBY_FULLMOVE_MAX)
        s.fullmove = TBY_FULLMOVE_MAX;
    out[0] = BOARD_HEADER;
    return 1 + tby_packed_board_encode(out + 1, &s);
}

bool tby_chessboard_decode(tby_setup *out, const uint8_t *bytes, size_t n)
{
    tby_setup setup;
    if (n < 2 || bytes[0] != BOARD_HEADER || tby_packed_board_decode(&setup, bytes + 1, n - 1) != n - 1)
        return false;
    *out = setup;
    return true;
}

/* ---- Lists ---------------------------------------------------------------------------------------------- */

bool tby_moves_write(const tby_position *pos, const tby_move_notation *notation, tby_sink sink, void *context)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    tby_moves_sort(moves, n_moves);
    for (size_t i = 0; i < n_moves; i++) {
        char text[64] = " ";
        tby_error err;
        const size_t n = notation->write(text + 1, sizeof text - 1, pos, moves[i], 0, &err);
        if (err.status != TBY_OK || !sink(context, text + (i == 0), n + (i > 0)))
            return false;
    }
    return true;
}

size_t tby_faults_write(char *buf, size_t cap, tby_faults faults)
{
    tby_text text = text_begin(buf, cap);
    for (tby_faults rest = faults; rest; rest &= rest - 1) {
        const char *name = tby_fault_name(rest & -rest);
        if (name && text.length > 0)
            text_char(&text, ' ');
        if (name)
            text_string(&text, name);
    }
    return text_end(&text);
}

bool tby_piece_square_read(int *out, const tby_board *board, const char *s, size_t n, tby_error *err)
{
    static const char letters[] = "PBNRKQ"; /* in the order of tby_kind */
    const char *letter = n == 1 && s[0] ? memchr(letters, s[0] & ~32, 6) : NULL;
    refuse_nothing(err);
    if (letter) {
        const tby_kind kind = (tby_kind)(letter - letters + TBY_PAWN);
        const tby_color color = s[0] & 32 ? TBY_BLACK : TBY_WHITE;
        *out = tby_piece_square_sum(board, TBY_PIECE(color, kind));
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
