/*
 * pgn_lex.c - the bytes and tokens of PGN: character classes, blanks, encodings.
 */
#include "pgn/pgn_lex.h"

#include "base/utf8.h"

#define X PGN_OTHER
#define W PGN_WORD
#define D PGN_DIGIT
#define B PGN_BLANK
#define H PGN_HIGH
#define S PGN_STOP
const uint8_t pgn_classes[256] = {
    S, X, X, X, X, X, X, X, X, B, B, B, B, B, X, X, X, X, X, X, X, X, X, X, X, X, B, X, X, X, X, X, /* control */
    B, S, X, W, S, S, X, X, S, S, S, W, X, W, S, W, D, D, D, D, D, D, D, D, D, D, W, S, S, W, S, S, /*  ! to ? */
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, S, X, S, X, X, /* @A-Z[\]^_ */
    X, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, S, W, S, W, X, /* `a-z{|}~ */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
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

size_t pgn_high_blank(const char *s, const char *end)
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
    return pgn_high_blank(at, end) || starts_with(at, end, "\xe2\x80\xa6") || nag_at(at, end, &length);
}

static bool is_promotion_bracket(const char *s, const char *at, const char *end)
{
    if (end - at < 3 || at == s || (at[-1] != '8' && at[-1] != '1') || at[2] != ')')
        return false;
    return at[1] == 'Q' || at[1] == 'R' || at[1] == 'B' || at[1] == 'N';
}

/* The bytes after the first of a UTF-8 character: those of a dagger look like blanks of Windows-1252. */
static size_t rest_of_character(const char *at, const char *end)
{
    const size_t n = utf8_length(at, (size_t)(end - at));
    return n ? n - 1 : 0;
}

size_t pgn_word_slow(const char *s, const char *at, const char *end)
{
    for (; at < end; at++) {
        const pgn_class class = pgn_class_of(*at);
        if (class == PGN_WORD || class == PGN_DIGIT)
            continue;
        if (class == PGN_HIGH && !ends_word(at, end)) {
            at += rest_of_character(at, end);
            continue;
        }
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
