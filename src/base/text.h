/*
 * text.h - bounded writing into a caller's buffer, and small steps of reading.
 *
 * A text_writer counts every byte it is given, even those that do not fit, so text_end knows whether the text fits.
 * No stdio, no locale.
 */
#ifndef TBY_BASE_TEXT_H
#define TBY_BASE_TEXT_H

#include "base/bitboard.h"

typedef struct text_writer {
    char *buf;
    size_t cap;
    size_t length;
} text_writer;

TBY_INLINE text_writer text_begin(char *buf, size_t cap)
{
    text_writer text = {buf, cap, 0};
    return text;
}

TBY_INLINE void text_char(text_writer *text, char c)
{
    if (text->length < text->cap)
        text->buf[text->length] = c;
    text->length++;
}

static inline void text_string(text_writer *text, const char *s)
{
    while (*s)
        text_char(text, *s++);
}

static inline void text_bytes(text_writer *text, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_char(text, s[i]);
}

/* Writes up to TEXT_NUMBER_SIZE digits, for which there must be room; returns the end. */
enum { TEXT_NUMBER_SIZE = 20 };
TBY_INLINE char *text_put_number(char *at, uint64_t value)
{
    char digits[TEXT_NUMBER_SIZE];
    int n = 0;
    if (value < 100) { /* most move numbers */
        if (value > 9)
            *at++ = (char)('0' + value / 10);
        *at++ = (char)('0' + value % 10);
        return at;
    }
    for (; value > 9; value /= 10)
        digits[n++] = (char)('0' + value % 10);
    *at++ = (char)('0' + value);
    while (n)
        *at++ = digits[--n];
    return at;
}

static inline void text_number(text_writer *text, uint64_t value)
{
    char digits[TEXT_NUMBER_SIZE];
    text_bytes(text, digits, (size_t)(text_put_number(digits, value) - digits));
}

static inline void text_square(text_writer *text, tby_square square)
{
    text_char(text, (char)('a' + TBY_FILE(square)));
    text_char(text, (char)('1' + TBY_RANK(square)));
}

/* The letters of pieces, by tby_piece; of a tby_kind in upper case, or 8 later in lower case. */
static const char text_pieces[17] = ".PBNRKQ?.pbnrkq?";

/* Is the text this word? */
static inline bool text_is(const char *s, size_t n, const char *word)
{
    size_t i = 0;
    while (i < n && word[i] && s[i] == word[i])
        i++;
    return i == n && !word[i];
}

/* Reads the digits at *at and moves past them: -1 if there are none, `most` + 1 for a number over `most`. */
static inline int64_t text_take_number(const char **at, const char *end, int64_t most)
{
    int64_t number = -1;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        number = (number < 0 ? 0 : number) * 10 + (**at - '0');
        number = number > most ? most + 1 : number;
    }
    return number;
}

/* Ends the text with NUL. Text that does not fit becomes the empty string. Returns the length of the whole text. */
static inline size_t text_end(text_writer *text)
{
    if (text->cap > 0)
        text->buf[text->length < text->cap ? text->length : 0] = '\0';
    return text->length;
}

#endif
