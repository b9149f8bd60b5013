/*
 * command.c - reads the commands inside comments: clocks, evaluations, coloured squares and arrows.
 *
 *     command = "[%" name blank* value "]"
 *     clk emt = [[hours ":"] minutes ":"] seconds ["." digits]       [%clk 1:02:03.4]
 *     eval    = ( "#" integer | pawns ) ["," depth]                  [%eval -0.35,23]  [%eval #-3]
 *     csl     = colour square, separated by commas                   [%csl Ra1,Gb2]
 *     cal     = colour square square, separated by commas            [%cal Ge2e4]
 *
 * Reads    blanks around every part; none are needed after the name. A "[%" with another one before its "]" does not
 *          begin a command. The name ends at the first byte that is not a letter, or where a colour begins: [%cslRd4].
 * Gives    TBY_COMMAND_OTHER for another name, and for a value that does not have the form above or does not fit
 *          exactly into `value`, `depth` and `marks`, so that nothing is lost: start and length locate the text.
 * Keeps    one pass over the text, whatever it contains.
 */
#include "base/text.h"

/* More hours than any clock shows, and more pawns than any engine reports. */
enum { LARGEST = 999999 };

typedef struct reader {
    const char *at, *end;
} reader;

/* ---- Small parts ---------------------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

static bool accept(reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* A number without a sign, up to LARGEST. */
static bool read_number(reader *r, int64_t *out)
{
    *out = text_take_number(&r->at, r->end, LARGEST);
    return *out >= 0 && *out <= LARGEST;
}

/* The digits after a point, in units of 10^-places; false if further digits are not all 0. */
static bool read_fraction(reader *r, int places, int64_t *out)
{
    *out = 0;
    for (; r->at < r->end && is_digit(*r->at); r->at++, places--) {
        if (places > 0)
            *out = *out * 10 + (*r->at - '0');
        else if (*r->at != '0')
            return false;
    }
    for (; places > 0; places--)
        *out *= 10;
    return true;
}

static bool is_at_end(reader *r)
{
    skip_blanks(r);
    return r->at == r->end;
}

/* ---- Values --------------------------------------------------------------------------------------------- */

static bool read_time(tby_command *out, reader *r)
{
    int64_t total = 0, part, fraction = 0;
    for (int parts = 1;; parts++) {
        if (!read_number(r, &part) || (parts > 1 && part > 59))
            return false;
        total = total * 60 + part;
        if (!accept(r, ':'))
            break;
        if (parts == 3)
            return false;
    }
    if (accept(r, '.') && !read_fraction(r, 3, &fraction))
        return false;
    out->value = total * 1000 + fraction;
    return is_at_end(r);
}

static bool read_pawns(reader *r, int64_t *out)
{
    int64_t fraction = 0;
    const bool has_whole = r->at < r->end && is_digit(*r->at);
    *out = 0;
    if (has_whole && !read_number(r, out))
        return false;
    const bool has_point = accept(r, '.');
    const bool has_fraction = has_point && r->at < r->end && is_digit(*r->at);
    if (has_fraction && !read_fraction(r, 2, &fraction))
        return false;
    *out = *out * 100 + fraction;
    return has_whole || has_fraction;
}

static bool read_eval(tby_command *out, reader *r)
{
    int64_t depth = 0;
    out->is_mate = accept(r, '#');
    const bool is_minus = accept(r, '-');
    if (!is_minus)
        accept(r, '+');
    if (out->is_mate ? !read_number(r, &out->value) : !read_pawns(r, &out->value))
        return false;
    if (is_minus)
        out->value = -out->value;
    if (accept(r, ',') && !read_number(r, &depth))
        return false;
    out->depth = (unsigned)depth;
    return is_at_end(r);
}

static bool read_square(reader *r, tby_square *out)
{
    if (r->end - r->at < 2)
        return false;
    const unsigned file = (unsigned)(r->at[0] - 'a'), rank = (unsigned)(r->at[1] - '1');
    if (file > 7 || rank > 7)
        return false;
    *out = TBY_SQUARE(file, rank);
    r->at += 2;
    return true;
}

static bool read_marks(tby_command *out, reader *r)
{
    if (is_at_end(r))
        return true;
    for (;;) {
        if (out->n_marks == TBY_COMMAND_MARKS || r->at == r->end || *r->at < 'A' || *r->at > 'Z')
            return false;
        out->marks[out->n_marks].color = *r->at++;
        if (!read_square(r, &out->marks[out->n_marks].from))
            return false;
        out->marks[out->n_marks].to = out->marks[out->n_marks].from;
        if (out->type == TBY_COMMAND_ARROWS && !read_square(r, &out->marks[out->n_marks].to))
            return false;
        out->n_marks++;
        skip_blanks(r);
        if (r->at == r->end)
            return true;
        if (!accept(r, ','))
            return false;
        skip_blanks(r);
    }
}

/* ---- Commands ------------------------------------------------------------------------------------------- */

/* The type of the command whose name is at the reader's place; moves past the name. */
static tby_command_type read_name(reader *r)
{
    static const struct {
        char name[5];
        tby_command_type type;
    } names[] = {{"clk", TBY_COMMAND_CLOCK},
                 {"emt", TBY_COMMAND_ELAPSED},
                 {"eval", TBY_COMMAND_EVAL},
                 {"csl", TBY_COMMAND_SQUARES},
                 {"cal", TBY_COMMAND_ARROWS}};
    size_t n = 0;
    while (n < (size_t)(r->end - r->at) && r->at[n] >= 'a' && r->at[n] <= 'z')
        n++;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (text_is(r->at, n, names[i].name)) {
            r->at += n;
            return names[i].type;
        }
    return TBY_COMMAND_OTHER;
}

static bool read_value(tby_command *out, reader *r)
{
    skip_blanks(r);
    switch (out->type) {
    case TBY_COMMAND_CLOCK:
    case TBY_COMMAND_ELAPSED: return read_time(out, r);
    case TBY_COMMAND_EVAL: return read_eval(out, r);
    case TBY_COMMAND_SQUARES:
    case TBY_COMMAND_ARROWS: return read_marks(out, r);
    case TBY_COMMAND_OTHER: break;
    }
    return true;
}

/* TBY_COMMAND_OTHER reports no values: clears those that were read. */
static void clear_values(tby_command *out)
{
    out->type = TBY_COMMAND_OTHER;
    out->value = 0;
    out->is_mate = false;
    out->depth = 0;
    out->n_marks = 0;
}

/* The text between "[%" and "]". */
static void read_command(tby_command *out, const char *s, size_t n)
{
    reader r = {s, s + n};
    clear_values(out);
    out->type = read_name(&r);
    if (!read_value(out, &r))
        clear_values(out);
}

bool tby_command_next(tby_command *out, const char *s, size_t n, size_t *at)
{
    size_t start = n;
    for (size_t i = *at; i < n; i++) {
        if (s[i] == '[' && i + 1 < n && s[i + 1] == '%')
            start = i;
        if (s[i] != ']' || start == n)
            continue;
        out->start = start;
        out->length = i + 1 - start;
        read_command(out, s + start + 2, i - start - 2);
        *at = i + 1;
        return true;
    }
    *at = n;
    return false;
}
