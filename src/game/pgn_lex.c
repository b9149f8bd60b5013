/*
 * pgn_lex.c - the bytes and tokens of PGN: classes, blanks, text encodings.
 */
#include "game/pgn_lex.h"

#define X PGN_OTHER
#define W PGN_WORD
#define D PGN_DIGIT
#define B PGN_BLANK
#define H PGN_HIGH
#define S PGN_STOP
const uint8_t tby_pgn_classes[256] = {
    S, X, X, X, X, X, X, X, X, B, B, B, B, B, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, /* control */
    B, S, X, W, S, S, X, X, S, S, S, W, X, W, S, W, D, D, D, D, D, D, D, D, D, D, W, S, S, W, S, S, /*  !"#$%&'()*+,-./0-9:;<=>? */
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, S, X, S, X, X, /* @A-Z[\]^_ */
    X, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, S, W, S, W, X, /* `a-z{|}~ */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
};
#undef X
#undef W
#undef D
#undef B
#undef H
#undef S

static bool starts_with(const char *s, const char *end, const char *prefix)
{
    for (; *prefix; s++, prefix++)
        if (s >= end || *s != *prefix)
            return false;
    return true;
}

size_t tby_pgn_high_blank(const char *s, const char *end)
{
    static const char *const blanks[] = {"\xc2\xa0",     "\xef\xbb\xbf", "\xe2\x80\x8b",
                                         "\xe2\x80\xaf", "\xe2\x80\x89", NULL};
    for (int i = 0; blanks[i]; i++)
        if (starts_with(s, end, blanks[i]))
            return (size_t)__builtin_strlen(blanks[i]);
    /* A lone 0xa0 is the NBSP of Windows-1252. */
    return s < end && *s == '\xa0' ? 1 : 0;
}

/* A high byte inside a word belongs to it unless it begins a blank, an ellipsis or an annotation glyph. */
static bool ends_word(const char *at, const char *end)
{
    size_t length;
    return tby_pgn_high_blank(at, end) || starts_with(at, end, "\xe2\x80\xa6") || tby_nag_at(at, end, &length);
}

static bool is_promotion_bracket(const char *s, const char *at, const char *end)
{
    if (end - at < 3 || at == s || (at[-1] != '8' && at[-1] != '1') || at[2] != ')')
        return false;
    return at[1] == 'Q' || at[1] == 'R' || at[1] == 'B' || at[1] == 'N';
}

size_t tby_pgn_word_slow(const char *s, const char *at, const char *end)
{
    for (; at < end; at++) {
        const pgn_class class = pgn_class_of(*at);
        if (class == PGN_WORD || class == PGN_DIGIT)
            continue;
        if (class == PGN_HIGH && !ends_word(at, end))
            continue;
        if (*at == '.' && at > s && (starts_with(at - 1, end, "e.p.") || starts_with(at - 1, end, "p.")))
            continue;
        if (*at == '(' && is_promotion_bracket(s, at, end)) {
            at += 2;
            continue;
        }
        break;
    }
    return (size_t)(at - s);
}

/* ---- Text ----------------------------------------------------------------------------------------------- */

/* The length of the UTF-8 sequence at s, 0 if it is not one (overlong forms and surrogates are not). */
static size_t utf8_sequence(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static bool is_ascii(const char *s, size_t n)
{
    unsigned char high = 0;
    for (size_t i = 0; i < n; i++)
        high |= (unsigned char)s[i];
    return high < 0x80;
}

bool tby_utf8_is_valid(const char *s, size_t n)
{
    if (is_ascii(s, n))
        return true;
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_sequence((const unsigned char *)s + i, n - i);
        if (!length)
            return false;
    }
    return true;
}

size_t tby_utf8_from_windows_1252(char *out, const char *s, size_t n)
{
    /* 0x80-0x9f; the five that are not assigned stay control characters */
    static const uint16_t upper[32] = {0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                       0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
                                       0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                       0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};
    char *at = out;
    for (size_t i = 0; i < n; i++) {
        const unsigned byte = (unsigned char)s[i];
        const unsigned code = byte >= 0x80 && byte < 0xa0 ? upper[byte - 0x80] : byte;
        if (code < 0x80)
            *at++ = (char)code;
        else if (code < 0x800) {
            *at++ = (char)(0xc0 | code >> 6);
            *at++ = (char)(0x80 | (code & 63));
        } else {
            *at++ = (char)(0xe0 | code >> 12);
            *at++ = (char)(0x80 | (code >> 6 & 63));
            *at++ = (char)(0x80 | (code & 63));
        }
    }
    return (size_t)(at - out);
}
