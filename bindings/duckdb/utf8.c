/*
 * utf8.c - makes text valid UTF-8 for DuckDB: a message may quote any bytes of a file.
 */
#include "engine.h"

/* The bytes of the UTF-8 character at `s`; 0 if there is none. */
static size_t character_length(const unsigned char *s, size_t n)
{
    const size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool is_long = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool is_none = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return is_long || is_none ? 0 : length;
}

size_t utf8_prefix(const char *text, size_t n)
{
    size_t at = 0, length;
    while (at < n && (length = character_length((const unsigned char *)text + at, n - at)) > 0)
        at += length;
    return at;
}

void mend_utf8(char *text, size_t n)
{
    for (size_t at = utf8_prefix(text, n); at < n; at += utf8_prefix(text + at, n - at))
        text[at] = '?';
}
