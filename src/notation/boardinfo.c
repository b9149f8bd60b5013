/*
 * boardinfo.c - read and write the one-line "boardinfo" text of a position.
 *
 *     en-passant side castling? square{64} "+" last "+" now
 *     XXWrnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR+0+0
 *
 *     en-passant = file rank | "XX"         side = "W" | "B"
 *     castling   = four of "0" and "1": white king's side, white queen's side, black king's side, black queen's side
 *     square     = "." | one of pnbrqk (white) | one of PNBRQK (black), in the order a1, b1 ... h8
 *     last, now  = decimal plies: of the last capture or pawn move (may be negative), and of the position
 *
 * Reads    text without castling digits: a right wherever king and rook are on their home squares. Leading zeros.
 * Writes   castling digits only where that rule would give other rights.
 * Refuses  TBY_INVALID_BOARDINFO other bytes, and inconsistent plies: `last` after `now`, a side to move that does not
 *          match `now`; TBY_INVALID_CASTLING and TBY_INVALID_EN_PASSANT values that contradict the board;
 *          TBY_INVALID_CLOCK and TBY_INVALID_FULLMOVE numbers over their limits. Writing: TBY_CANNOT_HOLD a castling
 *          right of Chess960, and values that could not be read back; TBY_LOSSY drops them.
 * Keeps    reading what was written gives the same setup.
 */
#include "base/text.h"
#include "notation/state.h"

/* The rook's square for each castling digit, in the order of the digits. */
static const tby_square CORNERS[4] = {7, 0, 63, 56};

/* ---- Reading ------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *text;
    size_t n, at;
    tby_setup setup;
    tby_error *err;
} reader;

static tby_status refuse_at(reader *r, tby_status status, size_t at, const char *detail)
{
    return refuse(r->err, status, at, detail);
}

static bool next_is(const reader *r, char c) { return r->at < r->n && r->text[r->at] == c; }

/* Reads the form only; whether a pawn has passed the square is checked once the board is known. */
static tby_status read_en_passant(reader *r)
{
    if (r->n >= 2 && r->text[0] == 'X' && r->text[1] == 'X') {
        r->at = 2;
        return TBY_OK;
    }
    if (r->n < 1 || r->text[0] < 'a' || r->text[0] > 'h')
        return refuse_at(r, TBY_INVALID_BOARDINFO, 0, "en passant square or XX expected");
    if (r->n < 2 || r->text[1] < '1' || r->text[1] > '8')
        return refuse_at(r, TBY_INVALID_BOARDINFO, 1, "rank of the en passant square expected");
    r->setup.en_passant = TBY_SQUARE(r->text[0] - 'a', r->text[1] - '1');
    r->at = 2;
    return TBY_OK;
}

static tby_status read_side(reader *r)
{
    if (!next_is(r, 'W') && !next_is(r, 'B'))
        return refuse_at(r, TBY_INVALID_BOARDINFO, r->at, "side to move, W or B, expected");
    r->setup.side = r->text[r->at] == 'B' ? TBY_BLACK : TBY_WHITE;
    r->at++;
    return TBY_OK;
}

static tby_status read_castling(reader *r, bool *is_told)
{
    *is_told = next_is(r, '0') || next_is(r, '1');
    for (int i = 0; *is_told && i < 4; i++, r->at++) {
        if (next_is(r, '1'))
            r->setup.castling |= bb_square(CORNERS[i]);
        else if (!next_is(r, '0'))
            return refuse_at(r, TBY_INVALID_BOARDINFO, r->at, "four castling digits, 0 or 1, expected");
    }
    return TBY_OK;
}

/* TBY_NO_PIECE for a dot; 255 for a byte that does not describe a square. White's letters are small. */
static tby_piece piece_of(char c)
{
    for (unsigned i = 0; i < 16; i++)
        if (text_pieces[i ^ 8] == c && c != '?')
            return (tby_piece)i;
    return 255;
}

static tby_status read_board(reader *r)
{
    for (unsigned square = 0; square < 64; square++, r->at++) {
        const tby_piece piece = r->at < r->n ? piece_of(r->text[r->at]) : 255;
        if (piece == 255)
            return refuse_with(r->err, TBY_INVALID_BOARDINFO, r->at, "a piece or a dot expected, %d squares of 64 read",
                               (int)square, 0);
        board_add(&r->setup.board, square, piece);
    }
    return TBY_OK;
}

/* The value stops growing once it is over every limit. */
static tby_status read_number(reader *r, int64_t *value)
{
    if (!next_is(r, '+'))
        return refuse_at(r, TBY_INVALID_BOARDINFO, r->at, "+ and a ply expected");
    r->at++;
    const bool negative = next_is(r, '-');
    r->at += negative;
    const size_t start = r->at;
    *value = 0;
    for (; r->at < r->n && r->text[r->at] >= '0' && r->text[r->at] <= '9'; r->at++)
        if (*value < 1000000000)
            *value = *value * 10 + (r->text[r->at] - '0');
    if (r->at == start)
        return refuse_at(r, TBY_INVALID_BOARDINFO, r->at, "a digit expected");
    if (negative)
        *value = -*value;
    return TBY_OK;
}

static tby_status read_plies(reader *r)
{
    int64_t last, now;
    const size_t last_at = r->at + 1;
    tby_status status = read_number(r, &last);
    const size_t now_at = r->at + 1;
    if (status == TBY_OK)
        status = read_number(r, &now);
    if (status != TBY_OK)
        return status;
    if (r->at < r->n)
        return refuse_at(r, TBY_INVALID_BOARDINFO, r->at, "the text should end here");
    if (now < 0)
        return refuse_at(r, TBY_INVALID_BOARDINFO, now_at, "the ply cannot be negative");
    if (last > now)
        return refuse_at(r, TBY_INVALID_BOARDINFO, last_at, "the last capture or pawn move is in the future");
    const char *problem = state_set_ply(&r->setup, (uint64_t)now);
    if (problem)
        return refuse_at(r, now > STATE_PLY_MAX ? TBY_INVALID_FULLMOVE : TBY_INVALID_BOARDINFO, now_at, problem);
    if (now - last > TBY_CLOCK_MAX)
        return refuse_at(r, TBY_INVALID_CLOCK, last_at, "the last capture or pawn move is over 65535 plies ago");
    r->setup.clock = (uint16_t)(now - last);
    return TBY_OK;
}

/* Checks the rights and the en passant square against the board. Castling digits, if given, are at 3 to 6. */
static tby_status check_state(reader *r, bool castling_is_told)
{
    const tby_bitboard home = state_home_rights(&r->setup.board);
    if (!castling_is_told)
        r->setup.castling = home;
    for (unsigned i = 0; i < 4; i++)
        if (r->setup.castling & ~home & bb_square(CORNERS[i]))
            return refuse_at(r, TBY_INVALID_CASTLING, 3 + i, "the king or rook of this right is not on its square");
    const char *flaw = state_en_passant_flaw(&r->setup);
    return flaw ? refuse_at(r, TBY_INVALID_EN_PASSANT, 0, flaw) : TBY_OK;
}

tby_status tby_boardinfo_read(tby_setup *out, const char *s, size_t n, tby_error *err)
{
    reader r = {.text = s, .n = n, .err = err};
    bool castling_is_told = false;
    tby_setup_clear(&r.setup);
    tby_status status = read_en_passant(&r);
    if (status == TBY_OK)
        status = read_side(&r);
    if (status == TBY_OK)
        status = read_castling(&r, &castling_is_told);
    if (status == TBY_OK)
        status = read_board(&r);
    if (status == TBY_OK)
        status = read_plies(&r);
    if (status == TBY_OK)
        status = check_state(&r, castling_is_told);
    if (status == TBY_OK)
        *out = r.setup;
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static void write_castling(text_writer *text, const tby_setup *setup)
{
    if (setup->castling != state_home_rights(&setup->board))
        for (int i = 0; i < 4; i++)
            text_char(text, setup->castling & bb_square(CORNERS[i]) ? '1' : '0');
}

/* Writes `ply` - `clock`, which may be negative. */
static void write_ply(text_writer *text, uint64_t ply, unsigned clock)
{
    text_char(text, '+');
    if (ply < clock)
        text_char(text, '-');
    text_number(text, ply < clock ? clock - ply : ply - clock);
}

size_t tby_boardinfo_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err)
{
    tby_setup held = *setup;
    refuse_nothing(err);
    if (state_fit(&held, flags, err) != TBY_OK)
        return refuse_text(buf, cap);
    text_writer text = text_begin(buf, cap);
    if (held.en_passant == TBY_NO_SQUARE)
        text_string(&text, "XX");
    else
        text_square(&text, held.en_passant);
    text_char(&text, held.side == TBY_BLACK ? 'B' : 'W');
    write_castling(&text, &held);
    for (unsigned square = 0; square < 64; square++)
        text_char(&text, text_pieces[tby_board_piece(&held.board, (tby_square)square) ^ 8]);
    write_ply(&text, state_ply(&held), held.clock);
    write_ply(&text, state_ply(&held), 0);
    return text_end(&text);
}
