/*
 * utf8.h - UTF-8 (RFC 3629): reads and writes characters, checks texts, and translates Windows-1252.
 *
 * A character must be in its shortest form, at most U+10FFFF, and no surrogate. Text that is not UTF-8 is taken for
 * Windows-1252: files that are not UTF-8 mostly are, and there every byte means something.
 */
#ifndef TBY_BASE_UTF8_H
#define TBY_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_SIZE = 4 /* of a character */ };

/* The length of the character at `s`, which has `n` bytes, at least one; 0 if the bytes are not a character. */
size_t utf8_length(const char *s, size_t n);
/* The character at `s`, and its length; a byte that begins no character is one of Windows-1252. */
uint32_t utf8_get(const char *s, size_t n, size_t *length);
/* Writes a character up to U+10FFFF and returns its length. */
size_t utf8_put(char out[UTF8_SIZE], uint32_t code);

bool utf8_is_valid(const char *s, size_t n);
/* Writes at most 3 * n bytes and returns how many. */
size_t utf8_from_windows_1252(char *out, const char *s, size_t n);
/* How many of at most `most` bytes of a longer text are whole characters. */
size_t utf8_cut(const char *s, size_t n, size_t most);

#endif
