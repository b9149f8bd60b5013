/*
 * utf8.c - UTF-8 (RFC 3629): reads and writes characters, checks texts, and translates Windows-1252.
 */
#include "base/utf8.h"
#include "base/contract.h"

#include "tabiya.h"

/* ---- Characters ----------------------------------------------------------------------------------------- */

size_t utf8_length(const char *s, size_t n)
{
    TBY_CONTRACT(n > 0);
    const unsigned char *at = (const unsigned char *)s;
    const unsigned first = at[0];
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > n)
        return 0;
    const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (at[1] < lowest || at[1] > highest)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The five unassigned bytes in 0x80 to 0x9f stay control characters. */
static uint32_t windows_1252(unsigned char byte)
{
    static const uint16_t upper[32] = {0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                       0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
                                       0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                       0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};
    return byte >= 0x80 && byte < 0xa0 ? upper[byte - 0x80] : byte;
}

uint32_t utf8_get(const char *s, size_t n, size_t *length)
{
    const unsigned char *at = (const unsigned char *)s;
    *length = utf8_length(s, n);
    if (*length < 2) {
        *length = 1;
        return windows_1252(at[0]);
    }
    uint32_t code = at[0] & (0x7fU >> *length);
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

size_t utf8_put(char out[UTF8_SIZE], uint32_t code)
{
    static const unsigned heads[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    TBY_CONTRACT(code <= 0x10ffff);
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 63));
    out[0] = (char)(heads[n] | code);
    return n;
}

/* ---- Texts ---------------------------------------------------------------------------------------------- */

static bool is_ascii(const char *s, size_t n)
{
    unsigned char high = 0;
    for (size_t i = 0; i < n; i++)
        high |= (unsigned char)s[i];
    return high < 0x80;
}

bool utf8_is_valid(const char *s, size_t n)
{
    if (is_ascii(s, n))
        return true;
    for (size_t i = 0, length; i < n; i += length)
        if ((length = utf8_length(s + i, n - i)) == 0)
            return false;
    return true;
}

size_t utf8_from_windows_1252(char *out, const char *s, size_t n)
{
    char *at = out;
    for (size_t i = 0; i < n; i++)
        at += utf8_put(at, windows_1252((unsigned char)s[i]));
    return (size_t)(at - out);
}

size_t utf8_cut(const char *s, size_t n, size_t most)
{
    if (n <= most)
        return n;
    while (most > 0 && ((unsigned char)s[most] & 0xc0) == 0x80)
        most--;
    return most;
}

bool tby_text_is_utf16(const char *s, size_t n)
{
    const unsigned char *at = (const unsigned char *)s;
    if (n >= 2 && ((at[0] == 0xff && at[1] == 0xfe) || (at[0] == 0xfe && at[1] == 0xff)))
        return true;
    return n >= 4 && ((at[0] && !at[1] && at[2] && !at[3]) || (!at[0] && at[1] && !at[2] && at[3]));
}
