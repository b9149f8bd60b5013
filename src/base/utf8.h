/*
 * utf8.h - UTF-8 (RFC 3629): reads and writes characters, checks texts, and translates Windows-1252.
 *
 * A character must be in its shortest form, at most U+10FFFF, and not a surrogate. Text that is not UTF-8 is read as
 * Windows-1252, which most such files use and in which every byte has a meaning.
 */
#ifndef TBY_BASE_UTF8_H
#define TBY_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_SIZE = 4 /* of a character */ };

/* The length of the character at `s`, which has `n` >= 1 bytes; 0 if they do not start with a character. */
size_t utf8_length(const char *s, size_t n);
/* The character at `s`, and its length; a byte that does not begin a character is read as Windows-1252. */
uint32_t utf8_get(const char *s, size_t n, size_t *length);
/* Writes a character up to U+10FFFF and returns its length. */
size_t utf8_put(char out[UTF8_SIZE], uint32_t code);

bool utf8_is_valid(const char *s, size_t n);
/* Writes at most 3 * n bytes and returns how many. */
size_t utf8_from_windows_1252(char *out, const char *s, size_t n);
/* The longest prefix of at most `most` bytes that does not split a character. */
size_t utf8_cut(const char *s, size_t n, size_t most);

/* The value of a hex digit; -1 if it is none. */
static inline int text_hex_digit(char c)
{
    const unsigned digit = (unsigned)c - (unsigned)'0', letter = ((unsigned)c | 32u) - (unsigned)'a';
    return digit < 10 ? (int)digit : letter < 6 ? (int)letter + 10 : -1;
}

#endif
