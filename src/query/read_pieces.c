/*
 * read_pieces.c - reads pieces and squares, and the numbers and operators used with them.
 *
 *     who     = PIECE [ squares ]       PIECE = K Q R B N P k q r b n p M m _, or a set of them: [QR]
 *     squares = SQUARE | "{" item { blank item } "}"
 *     item    = [ file [ "-" file ] ] [ rank [ "-" rank ] ] | "light" | "dark"
 */
#include "query/read.h"

#include "base/bitboard.h"

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

static uint16_t pieces_of(char c)
{
    static const char letters[] = "_PBNRKQ__pbnrkq"; /* by tby_piece; the first _ is an empty square */
    const char *letter = c ? strchr(letters, c) : NULL;
    return (uint16_t)(c == 'M' ? WHO_WHITE : c == 'm' ? WHO_BLACK : letter ? 1 << (letter - letters) : 0);
}

bool query_is_piece(char c) { return pieces_of(c) != 0; }

static bool read_set(query_reader *r, uint16_t *out)
{
    *out = 0;
    for (; pieces_of(reader_peek(r, 0)); r->at++)
        *out |= pieces_of(reader_peek(r, 0));
    if (*out == 0 || !reader_accept(r, ']'))
        return query_expect(r, *out ? "a letter of KQRBNPkqrbnpMm_ or \"]\"" : "a letter of KQRBNPkqrbnpMm_");
    return true;
}

bool query_read_pieces(query_reader *r, uint16_t *out)
{
    if (reader_accept(r, '['))
        return read_set(r, out);
    *out = pieces_of(reader_peek(r, 0));
    if (!*out)
        return query_expect(r, "a piece (one of KQRBNPkqrbnpMm_, or a set of them in [])");
    r->at++;
    return true;
}

/* ---- Squares -------------------------------------------------------------------------------------------- */

/* Reads a file or rank, or a range of them, counted from `zero`; all eight if there is none. */
static bool read_range(query_reader *r, bool (*fits)(char), char zero, unsigned *low, unsigned *high)
{
    const size_t at = r->at;
    *low = 0;
    *high = 7;
    if (!fits(reader_peek(r, 0)))
        return true;
    *low = *high = (unsigned)(r->s[r->at++] - zero);
    if (reader_peek(r, 0) != '-')
        return true;
    r->at++;
    if (!fits(reader_peek(r, 0)))
        return query_expect(r, zero == 'a' ? "a file from a to h" : "a rank from 1 to 8");
    *high = (unsigned)(r->s[r->at++] - zero);
    return *low <= *high || query_fail(r, at, r->at - at, "this range goes backward");
}

static bool accept_word(query_reader *r, const char *word)
{
    const size_t n = strlen(word);
    if (reader_run(r) != n || memcmp(r->s + r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool read_item(query_reader *r, tby_bitboard *out)
{
    unsigned files[2], ranks[2];
    const size_t at = r->at;
    if (accept_word(r, "light")) {
        *out |= BB_LIGHT;
        return true;
    }
    if (accept_word(r, "dark")) {
        *out |= ~BB_LIGHT;
        return true;
    }
    if (!read_range(r, is_file, 'a', &files[0], &files[1]) || !read_range(r, is_rank, '1', &ranks[0], &ranks[1]))
        return false;
    if (r->at == at)
        return query_expect(r, "a square, a file, a rank, a range such as c-e4-6, \"light\" or \"dark\"");
    for (unsigned rank = ranks[0]; rank <= ranks[1]; rank++)
        for (unsigned file = files[0]; file <= files[1]; file++)
            *out |= bb_square(TBY_SQUARE(file, rank));
    return true;
}

/* After "{". */
static bool read_items(query_reader *r, tby_bitboard *out)
{
    *out = 0;
    reader_skip_blanks(r);
    for (;;) {
        if (!read_item(r, out))
            return false;
        const size_t end = r->at;
        reader_skip_blanks(r);
        if (reader_accept(r, '}'))
            return true;
        if (r->at == end)
            return query_expect(r, "a blank or \"}\"");
    }
}

bool query_read_squares(query_reader *r, query_who *out)
{
    out->is_anywhere = 0;
    if (reader_accept(r, '{'))
        return read_items(r, &out->squares);
    if (is_file(reader_peek(r, 0)) && is_rank(reader_peek(r, 1))) {
        out->squares = bb_square(TBY_SQUARE(reader_peek(r, 0) - 'a', reader_peek(r, 1) - '1'));
        r->at += 2;
        return true;
    }
    out->is_anywhere = 1;
    out->squares = ~0ULL;
    return true;
}

/* Explains how to write a piece with a file or rank. */
static bool fail_bare(query_reader *r, size_t at)
{
    const char letter = r->s[at], place = r->s[r->at];
    if (is_file(letter) && is_rank(place))
        return query_fail(r, at, 2,
                          "\"%c%c\" is a square: write P%c%c for a pawn there, or %c{%c} for a black %s on that rank",
                          letter, place, letter, place, letter, place, letter == 'b' ? "bishop" : "piece");
    return query_fail(r, at, r->at + 1 - at, "a %s needs braces: write %c{%c}", is_file(place) ? "file" : "rank",
                      letter, place);
}

bool query_read_who(query_reader *r, query_who *out)
{
    const size_t at = r->at;
    memset(out, 0, sizeof *out);
    if (!query_read_pieces(r, &out->pieces) || !query_read_squares(r, out))
        return false;
    const char c = reader_peek(r, 0);
    if (out->is_anywhere && r->at == at + 1 && (is_rank(c) || (is_file(c) && !is_letter(reader_peek(r, 1)))))
        return fail_bare(r, at);
    return true;
}

/* ---- Numbers -------------------------------------------------------------------------------------------- */

bool query_read_number(query_reader *r, int64_t *out)
{
    const size_t at = r->at;
    const bool is_minus = reader_accept(r, '-');
    if (!is_digit(reader_peek(r, 0)))
        return query_expect(r, "a number");
    for (*out = 0; is_digit(reader_peek(r, 0)); r->at++)
        if ((*out = *out * 10 + (r->s[r->at] - '0')) > TBY_QUERY_NUMBER_MAX)
            return query_fail(r, at, r->at - at + 1, "a number of at most nine digits was expected");
    if (is_minus)
        *out = -*out;
    return true;
}

query_op query_read_op(query_reader *r)
{
    const char c = reader_peek(r, 0);
    const bool has_equal = reader_peek(r, 1) == '=';
    if (c == '=')
        return r->at++, OP_EQUAL;
    if (c == '!' && has_equal)
        return r->at += 2, OP_UNEQUAL;
    if (c != '<' && c != '>')
        return OP_NONE;
    r->at += has_equal ? 2 : 1;
    if (c == '<')
        return has_equal ? OP_LESS_EQUAL : OP_LESS;
    return has_equal ? OP_MORE_EQUAL : OP_MORE;
}
