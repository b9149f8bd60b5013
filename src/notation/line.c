/*
 * line.c - find, read and write the moves of a line of moves, in any notation.
 *
 *     line   = (blank | number | move)* result? blank*
 *     blank  = space, tab, CR, LF, form feed, no-break space (UTF-8)
 *     number = digit+ dot+ | dot+             dot = "." | "…"
 *
 *     1. e4 e5 2.Nf3 Nc6 3... d6 1-0          0kMc+tBS (base64: two digits for each move, no numbers)
 *
 * Reads    a number without a blank before its move (1.e4, 1...e5, 1…e5); in algebraic and coordinate notations also a
 *          number without its dot, unless it is all zeros, which may be castling; "e.p." after a blank as part of a SAN
 *          move.
 *          A result counts only as the last word of the line.
 * Keeps    every byte is looked at a bounded number of times, and every move that is found has at least one byte.
 */
#include "base/text.h"
#include "notation/refuse.h"
#include "tabiya_value.h"

typedef struct cursor {
    const char *s;
    size_t n, at;
} cursor;

static bool has(const cursor *c, const char *text)
{
    size_t i = c->at;
    for (; *text; text++, i++)
        if (i >= c->n || c->s[i] != *text)
            return false;
    return true;
}

static bool is_digit(const cursor *c) { return c->at < c->n && c->s[c->at] >= '0' && c->s[c->at] <= '9'; }

/* The length of the blank here, or 0. */
static size_t blank_length(const cursor *c)
{
    if (c->at >= c->n)
        return 0;
    switch (c->s[c->at]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '\f': return 1;
    default: return has(c, "\xc2\xa0") ? 2 : 0;
    }
}

static void skip_blanks(cursor *c)
{
    for (size_t length; (length = blank_length(c)) > 0;)
        c->at += length;
}

static void skip_word(cursor *c)
{
    while (c->at < c->n && !blank_length(c))
        c->at++;
}

static bool skip_dots(cursor *c)
{
    const size_t start = c->at;
    for (;;)
        if (has(c, "."))
            c->at++;
        else if (has(c, "\xe2\x80\xa6"))
            c->at += 3;
        else
            return c->at > start;
}

/* Skips a move number with its dots, or dots alone; with `bare` also a word of digits. 00, 000 and 0000 are moves. */
static bool skip_number(cursor *c, bool bare)
{
    cursor look = *c;
    bool is_zero = true;
    for (; is_digit(&look); look.at++)
        is_zero = is_zero && look.s[look.at] == '0';
    const bool ends = look.at == look.n || blank_length(&look);
    if (!skip_dots(&look) && !(bare && !is_zero && ends))
        return false;
    *c = look;
    return true;
}

/* True at a result that only blanks follow. Looks no further than the longest result, so that a word of a million
   move numbers is not scanned a million times. */
static bool at_final_result(const cursor *c)
{
    enum { RESULT_MAX = 16 };
    tby_result result;
    cursor look = {c->s, c->n - c->at > RESULT_MAX ? c->at + RESULT_MAX : c->n, c->at};
    skip_word(&look);
    if (tby_result_read(&result, c->s + c->at, look.at - c->at, NULL) != TBY_OK)
        return false;
    look.n = c->n;
    skip_blanks(&look);
    return look.at == c->n;
}

/* Joins "exf6 e.p.", which is one move. */
static void take_en_passant(cursor *c)
{
    cursor look = *c;
    if (!has(&look, " e.p.") && !has(&look, " ep"))
        return;
    look.at++;
    skip_word(&look);
    *c = look;
}

static size_t next_word(const tby_move_notation *notation, cursor *c, size_t *start)
{
    bool is_end;
    do {
        skip_blanks(c);
        is_end = at_final_result(c); /* checked first: 0.5-0.5 begins like a number */
    } while (!is_end && skip_number(c, notation->has_bare_numbers));
    *start = c->at;
    if (is_end) {
        c->at = c->n;
        return 0;
    }
    skip_word(c);
    if (notation->is_algebraic)
        take_en_passant(c);
    return c->at - *start;
}

/* Moves have an even number of digits and results an odd one, so a result as a separate word is not a move. */
static size_t next_pair(cursor *c, size_t *start)
{
    const size_t before = c->at;
    skip_blanks(c);
    *start = c->at;
    if ((c->at == 0 || c->at > before) && at_final_result(c)) {
        c->at = c->n;
        return 0;
    }
    while (c->at < c->n && c->at < *start + 2 && !blank_length(c))
        c->at++;
    return c->at - *start;
}

size_t tby_line_next(const tby_move_notation *notation, const char *s, size_t n, size_t *at, size_t *start)
{
    cursor c = {s, n, *at < n ? *at : n};
    const size_t length = notation->separator[0] ? next_word(notation, &c, start) : next_pair(&c, start);
    *at = c.at;
    return length;
}

/* ---- Null moves ---------------------------------------------------------------------------------------- */

bool tby_line_is_null_move(const char *s, size_t n)
{
    static const char *const names[] = {"--", "Z0", "null", "NULL", "pass", "@@@@", "0000", NULL};
    for (int i = 0; names[i]; i++)
        if (text_is(s, n, names[i]))
            return true;
    return false;
}

tby_status tby_line_read_move(tby_move *out, const tby_position *pos, const tby_move_notation *notation, const char *s,
                              size_t n, unsigned flags, tby_error *err)
{
    if (!notation->null_move || !tby_line_is_null_move(s, n))
        return notation->read(out, pos, s, n, flags, err);
    if (tby_position_is_check(pos))
        return refuse(err, TBY_ILLEGAL_NULL_MOVE, 0, "the side to move is in check");
    *out = TBY_MOVE_NULL;
    return TBY_OK;
}

size_t tby_line_write_move(char *buf, size_t cap, const tby_position *pos, const tby_move_notation *notation,
                           tby_move m, unsigned flags, tby_error *err)
{
    if (m != TBY_MOVE_NULL)
        return notation->write(buf, cap, pos, m, flags, err);
    if (!notation->null_move) {
        refuse(err, TBY_CANNOT_HOLD, 0, "null moves");
        return refuse_text(buf, cap);
    }
    text_writer text = text_begin(buf, cap);
    refuse_nothing(err);
    text_string(&text, notation->null_move);
    return text_end(&text);
}

void tby_line_play(tby_position *pos, tby_move m)
{
    if (m == TBY_MOVE_NULL)
        tby_position_play_null(pos, NULL);
    else
        tby_position_play(pos, m, NULL);
}

/* ---- All legal moves --------------------------------------------------------------------------------------------- */

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
