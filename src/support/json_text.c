/*
 * json_text.c - writes a JSON string (RFC 8259).
 *
 * Writes   quotes, and escapes for characters that a string cannot contain; everything else as UTF-8. Text that is not
 *          UTF-8 is read as Windows-1252, as in PGN.
 */
#include "base/utf8.h"
#include "tabiya_value.h"

#include <string.h>

enum { ESCAPE_SIZE = 6 };

static bool is_plain(char c) { return (unsigned char)c >= 0x20 && c != '"' && c != '\\'; }

static size_t escape(char out[ESCAPE_SIZE], char c)
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
    return ESCAPE_SIZE;
}

/* `s` is UTF-8. */
static bool write_escaped(const char *s, size_t n, tby_sink sink, void *context)
{
    char escaped[ESCAPE_SIZE];
    for (size_t i = 0; i < n;) {
        size_t run = 0;
        while (i + run < n && is_plain(s[i + run]))
            run++;
        if (run > 0 && !sink(context, s + i, run))
            return false;
        i += run;
        if (i < n && !sink(context, escaped, escape(escaped, s[i++])))
            return false;
    }
    return true;
}

bool tby_json_write_text(const char *s, size_t n, tby_sink sink, void *context)
{
    char sign[UTF8_SIZE];
    if (!sink(context, "\"", 1))
        return false;
    if (utf8_is_valid(s, n)) {
        if (!write_escaped(s, n, sink, context))
            return false;
    } else {
        for (size_t i = 0; i < n; i++)
            if (!write_escaped(sign, utf8_from_windows_1252(sign, s + i, 1), sink, context))
                return false;
    }
    return sink(context, "\"", 1);
}
