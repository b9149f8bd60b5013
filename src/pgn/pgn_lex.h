/*
 * pgn_lex.h - the bytes and tokens of PGN.
 *
 * Every byte has a class. The token of a move is a run of PGN_WORD bytes, with two exceptions that depend on the
 * context: UTF-8 characters that are blanks or annotations end it, and the bracket in e8(Q) is part of it.
 */
#ifndef TBY_PGN_PGN_LEX_H
#define TBY_PGN_PGN_LEX_H

#include "base/bitboard.h"

typedef enum pgn_class {
    PGN_OTHER = 0, /* begins no token */
    PGN_WORD,      /* letters and signs of moves */
    PGN_DIGIT,
    PGN_BLANK, /* also 0x1a, which ends DOS files, and separates games where such files were joined */
    PGN_HIGH,  /* 0x80 and above */
    PGN_STOP   /* a delimiter: { } ( ) [ ] < > ; $ * ! ? % . and NUL */
} pgn_class;

extern const uint8_t pgn_classes[256];

TBY_INLINE pgn_class pgn_class_of(char c) { return (pgn_class)pgn_classes[(unsigned char)c]; }
TBY_INLINE bool pgn_is_blank(char c) { return pgn_class_of(c) == PGN_BLANK; }

/* Does a plain move end before c? e8(Q) and exd6e.p. continue, and so do multi-byte characters. */
TBY_INLINE bool pgn_ends_word(char c)
{
    const pgn_class class = pgn_class_of(c);
    return class == PGN_BLANK || (class == PGN_STOP && c != '(' && c != '.');
}

/* The same name, ignoring case? */
static inline bool pgn_same_letters(const char *s, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && name[i] && (s[i] | 32) == (name[i] | 32))
        i++;
    return i == n && !name[i];
}

/* The length of a multi-byte blank (NBSP, zero width space, BOM, thin spaces) at s; 0 if there is none. */
size_t pgn_high_blank(const char *s, const char *end);

/* The length of the token at s, at most to `end`, which is followed by a NUL. */
size_t pgn_word_slow(const char *s, const char *at, const char *end);
TBY_INLINE size_t pgn_word(const char *s, const char *end)
{
    const char *at = s;
    while (pgn_class_of(*at) == PGN_WORD || pgn_class_of(*at) == PGN_DIGIT)
        at++;
    if (__builtin_expect(pgn_class_of(*at) == PGN_HIGH || *at == '(' || *at == '.', 0))
        return pgn_word_slow(s, at, end);
    return (size_t)(at - s);
}

/* The NAG of the glyph or mark at s, and its length; 0 if there is none. Prefers the longest. */
uint16_t nag_at(const char *s, const char *end, size_t *length);

#endif
