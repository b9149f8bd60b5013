/*
 * epd.c - read a position in EPD: the first four fields of FEN, then operations.
 *
 *     placement side castling en-passant operation*
 *     rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm e5; hmvc 1; fmvn 2; id "Alekhine; 1...Nf6";
 *
 *     operation = opcode operand* ";"         opcode = letter (letter | digit | "_"){0,14}
 *     operand   = '"' any but '"' '"' | any but blank, ";" and '"'
 *
 * Reads    hmvc as the half-move clock, fmvn as the move number. Other operations are only checked for their form,
 *          because they are not part of the position; tby_epd_operations copies them. Lenient: the two numbers of FEN after the fourth field, before
 *          any operation; a semicolon right after the fields; empty operations; a missing last semicolon; any text
 *          instead of operations; NULs at the end; and everything that lenient FEN accepts.
 * Writes   see tby_fen_write with TBY_FEN_EPD.
 * Refuses  what FEN refuses; TBY_INVALID_CLOCK and TBY_INVALID_FULLMOVE numbers of hmvc and fmvn that are malformed,
 *          over their limit or given twice; in strict reading, TBY_INVALID_TRAILING malformed operations.
 */
#include "notation/registry.h"

#include "base/text.h"
#include "notation/refuse.h"

enum { OPCODE_MAX = 15 };

typedef struct reader {
    const char *text;
    size_t n, at;
    bool strict;
    unsigned seen; /* bits of SEEN_... */
    tby_setup setup;
    tby_error *err;
} reader;

enum { SEEN_CLOCK = 1, SEEN_FULLMOVE = 2 };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static void skip_blanks(reader *r)
{
    while (r->at < r->n && is_blank(r->text[r->at]))
        r->at++;
}

/* Lenient: a semicolon ends a field, and so does the number after a dash, as in "w - -1 12". */
static bool ends_field(const reader *r, size_t start, size_t at)
{
    return r->text[at] == ';' || (at == start + 1 && r->text[start] == '-' && is_digit(r->text[at]));
}

/* The end of `n_fields` fields from `at`, at the latest the end of the text or, in lenient reading, a semicolon. */
static size_t fields_end(const reader *r, size_t at, int n_fields)
{
    for (; n_fields > 0; n_fields--) {
        while (at < r->n && is_blank(r->text[at]))
            at++;
        const size_t start = at;
        while (at < r->n && !is_blank(r->text[at]) && (r->strict || !ends_field(r, start, at)))
            at++;
    }
    return at;
}

/* True if the next field begins with a digit; no opcode does. */
static bool number_follows(const reader *r, size_t at)
{
    while (at < r->n && is_blank(r->text[at]))
        at++;
    return at < r->n && is_digit(r->text[at]);
}

/* Strict FEN has six fields: the two that EPD lacks are appended, which changes no offset. */
static tby_status read_fen_strictly(reader *r, size_t end, unsigned fen_flags)
{
    char fen[TBY_FEN_SIZE];
    if (end + 4 > sizeof fen)
        return refuse(r->err, TBY_TOO_LONG, sizeof fen - 4, "longer than four fields can be");
    for (size_t i = 0; i < end; i++)
        fen[i] = r->text[i];
    for (size_t i = 0; i < 4; i++)
        fen[end + i] = " 0 1"[i];
    return tby_fen_read(&r->setup, fen, end + 4, fen_flags, NULL, r->err);
}

/* The FEN at the front. */
static tby_status read_fen(reader *r, unsigned fen_flags)
{
    size_t end = fields_end(r, 0, 4);
    if (r->strict) {
        r->at = end;
        return read_fen_strictly(r, end, fen_flags);
    }
    for (int i = 0; i < 2 && number_follows(r, end); i++) {
        end = fields_end(r, end, 1);
        r->seen |= i == 0 ? SEEN_CLOCK : SEEN_FULLMOVE;
    }
    r->at = end;
    return tby_fen_read(&r->setup, r->text, end, fen_flags, NULL, r->err);
}

/* ---- Operations ---------------------------------------------------------------------------------------- */

static bool is_opcode_letter(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static tby_status read_opcode(reader *r, size_t *n)
{
    const size_t start = r->at;
    if (r->strict && !is_letter(r->text[start]))
        return refuse(r->err, TBY_INVALID_TRAILING, start, "an opcode begins with a letter");
    while (r->at < r->n && is_opcode_letter(r->text[r->at]))
        r->at++;
    *n = r->at - start;
    if (!r->strict)
        return TBY_OK;
    if (*n > OPCODE_MAX)
        return refuse(r->err, TBY_TOO_LONG, start, "an opcode has at most 15 letters");
    if (r->at < r->n && !is_blank(r->text[r->at]) && r->text[r->at] != ';')
        return refuse(r->err, TBY_INVALID_TRAILING, r->at, "a blank or ; expected after the opcode");
    return TBY_OK;
}

/* Steps past the semicolon that ends the operation. An unclosed quote is an ordinary character. */
static tby_status skip_operands(reader *r)
{
    size_t quote = 0;
    bool quoted = false;
    for (; r->at < r->n && (quoted || r->text[r->at] != ';'); r->at++)
        if (r->text[r->at] == '"') {
            quoted = !quoted;
            quote = r->at;
        }
    if (quoted && r->strict)
        return refuse(r->err, TBY_INVALID_TRAILING, quote, "the quote is not closed");
    if (quoted)
        for (r->at = quote; r->at < r->n && r->text[r->at] != ';';)
            r->at++;
    if (r->at == r->n)
        return r->strict ? refuse(r->err, TBY_INVALID_TRAILING, r->at, "; expected") : TBY_OK;
    r->at++;
    return TBY_OK;
}

/* Reads the number of hmvc or fmvn, and stops at the semicolon after it. */
static tby_status read_operand(reader *r, tby_status status, uint32_t least, uint32_t most, uint32_t *value)
{
    skip_blanks(r);
    const size_t start = r->at;
    uint32_t number = 0;
    for (; r->at < r->n && is_digit(r->text[r->at]); r->at++)
        if (number <= most)
            number = number * 10 + (uint32_t)(r->text[r->at] - '0');
    const size_t end = r->at;
    skip_blanks(r);
    if (end == start || (r->at < r->n && r->text[r->at] != ';'))
        return refuse(r->err, status, r->at, "one number expected");
    if (number < least || number > most)
        return refuse_with(r->err, status, start, "a number from %d to %d expected", (int)least, (int)most);
    *value = number;
    return TBY_OK;
}

static tby_status read_counter(reader *r, unsigned bit, size_t start)
{
    const bool is_clock = bit == SEEN_CLOCK;
    const tby_status invalid = is_clock ? TBY_INVALID_CLOCK : TBY_INVALID_FULLMOVE;
    uint32_t value;
    if (r->seen & bit)
        return refuse(r->err, invalid, start, "given a second time");
    r->seen |= bit;
    const tby_status status =
        read_operand(r, invalid, is_clock ? 0 : 1, is_clock ? TBY_CLOCK_MAX : TBY_FULLMOVE_MAX, &value);
    if (status != TBY_OK)
        return status;
    if (is_clock)
        r->setup.clock = (uint16_t)value;
    else
        r->setup.fullmove = value;
    return TBY_OK;
}

static tby_status read_operation(reader *r)
{
    const size_t start = r->at;
    size_t n = 0;
    tby_status status = read_opcode(r, &n);
    if (status == TBY_OK && text_is(r->text + start, n, "hmvc"))
        status = read_counter(r, SEEN_CLOCK, start);
    if (status == TBY_OK && text_is(r->text + start, n, "fmvn"))
        status = read_counter(r, SEEN_FULLMOVE, start);
    return status == TBY_OK ? skip_operands(r) : status;
}

tby_status epd_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err)
{
    const unsigned fen_flags = registry_fen_flags(flags);
    registry_no_warnings(warnings);
    reader r = {.text = s, .n = n, .strict = fen_flags & TBY_FEN_STRICT, .err = err};
    while (!r.strict && r.n > 0 && s[r.n - 1] == '\0')
        r.n--;
    tby_status status = read_fen(&r, fen_flags);
    for (skip_blanks(&r); status == TBY_OK && r.at < r.n; skip_blanks(&r))
        status = read_operation(&r);
    if (status == TBY_OK)
        *out = r.setup;
    return status;
}

/* Writes the operation s[start .. end), which may lack its semicolon. */
static void write_operation(text_writer *text, const reader *r, size_t start, size_t end)
{
    while (end > start && (is_blank(r->text[end - 1]) || r->text[end - 1] == ';' || r->text[end - 1] == '\r'))
        end--;
    if (end == start)
        return;
    if (text->length)
        text_char(text, ' ');
    text_bytes(text, r->text + start, end - start);
    text_char(text, ';');
}

size_t tby_epd_operations(char *buf, size_t cap, const char *s, size_t n)
{
    reader r = {.text = s, .n = n};
    text_writer text = text_begin(buf, cap);
    while (r.n > 0 && s[r.n - 1] == '\0')
        r.n--;
    tby_status status = read_fen(&r, 0);
    for (skip_blanks(&r); status == TBY_OK && r.at < r.n; skip_blanks(&r)) {
        const size_t start = r.at;
        const unsigned seen = r.seen;
        status = read_operation(&r);
        if (status == TBY_OK && r.seen == seen)
            write_operation(&text, &r, start, r.at);
    }
    return text_end(&text);
}
