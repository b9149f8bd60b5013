/*
 * json_escape.h - the characters that a string of JSON cannot hold as they are.
 */
#ifndef TBY_FORMAT_JSON_ESCAPE_H
#define TBY_FORMAT_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { JSON_ESCAPE_SIZE = 6 };

static inline bool json_needs_escape(char c) { return (unsigned char)c < 0x20 || c == '"' || c == '\\'; }

/* Writes the escape of such a character and returns its length. */
static inline size_t json_escape(char out[JSON_ESCAPE_SIZE], char c)
{
    static const char signs[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt", digits[] = "0123456789abcdef";
    const char *sign = memchr(signs, c, sizeof signs - 1);
    if (sign) {
        out[0] = '\\';
        out[1] = letters[sign - signs];
        return 2;
    }
    memcpy(out, "\\u00", 4);
    out[4] = digits[(unsigned char)c >> 4];
    out[5] = digits[c & 15];
    return JSON_ESCAPE_SIZE;
}

#endif
