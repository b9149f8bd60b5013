/*
 * base64.h - the digits of base64 (RFC 4648), in the standard and the URL-safe alphabet.
 */
#ifndef TBY_NOTATION_BASE64_H
#define TBY_NOTATION_BASE64_H

#include "tabiya.h"

enum { BASE64_NO_DIGIT = 64 };

static inline char base64_digit(unsigned value, unsigned flags)
{
    static const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if ((flags & TBY_BASE64_URL) && value >= 62)
        return value == 62 ? '-' : '_';
    return digits[value];
}

/* The value of a digit of either alphabet; BASE64_NO_DIGIT for any other byte. */
static inline unsigned base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0') + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : BASE64_NO_DIGIT;
}

#endif
