/*
 * params_json.c - a JSON object as parameters (RFC 8259).
 *
 * Takes    an object of strings, whole numbers, true and false, which are 1 and 0. Nothing may follow it but blanks.
 * Refuses  other values, NUL in a string, bytes that are not JSON.
 */
#include "server.h"

#include <string.h>

typedef struct scan {
    const char *s, *end;
} scan;

static void skip_blanks(scan *j)
{
    while (j->s < j->end && *j->s && strchr(" \t\r\n", *j->s))
        j->s++;
}

static bool take(scan *j, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(j);
    if ((size_t)(j->end - j->s) < n || memcmp(j->s, word, n) != 0)
        return false;
    j->s += n;
    return true;
}

/* Four hex digits. */
static bool take_unit(scan *j, unsigned *out)
{
    static const char digits[] = "0123456789abcdef";
    *out = 0;
    for (int i = 0; i < 4; i++, j->s++) {
        const char *digit = j->s < j->end && *j->s ? strchr(digits, *j->s | (*j->s >= 'A' ? 32 : 0)) : NULL;
        if (!digit)
            return false;
        *out = *out << 4 | (unsigned)(digit - digits);
    }
    return true;
}

/* The character after \u, which may be two halves; NUL is refused. */
static bool take_character(scan *j, buffer *out)
{
    unsigned c, low;
    if (!take_unit(j, &c) || c == 0)
        return false;
    if (c >= 0xd800 && c < 0xe000) {
        if (c >= 0xdc00 || j->end - j->s < 2 || memcmp(j->s, "\\u", 2) != 0)
            return false;
        j->s += 2;
        if (!take_unit(j, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
    }
    const unsigned length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    char bytes[4] = {(char)c};
    for (unsigned i = length; length > 1 && i-- > 0; c >>= 6)
        bytes[i] = (char)(i ? 0x80 | (c & 63) : (0xf00u >> length & 0xff) | c);
    buffer_add(out, bytes, length);
    return true;
}

static bool take_escape(scan *j, buffer *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found = j->s < j->end && *j->s ? strchr(letters, *j->s) : NULL;
    if (j->s < j->end && *j->s == 'u') {
        j->s++;
        return take_character(j, out);
    }
    if (!found)
        return false;
    buffer_add(out, &meant[found - letters], 1);
    j->s++;
    return true;
}

/* Adds the string and a NUL. */
static bool take_string(scan *j, buffer *out)
{
    if (!take(j, "\""))
        return false;
    while (j->s < j->end && *j->s != '"') {
        const char *plain = j->s;
        while (j->s < j->end && *j->s != '"' && *j->s != '\\' && (unsigned char)*j->s >= ' ')
            j->s++;
        buffer_add(out, plain, (size_t)(j->s - plain));
        if (j->s == j->end || (*j->s != '"' && (*j->s++ != '\\' || !take_escape(j, out))))
            return false;
    }
    buffer_add(out, "", 1);
    return take(j, "\"");
}

static bool take_value(scan *j, buffer *out)
{
    skip_blanks(j);
    if (j->s < j->end && *j->s == '"')
        return take_string(j, out);
    const char *number = j->s;
    while (j->s < j->end && *j->s >= '0' && *j->s <= '9')
        j->s++;
    buffer_add(out, number, (size_t)(j->s - number));
    if (j->s == number && take(j, "true"))
        buffer_add(out, "1", 1);
    else if (j->s == number && take(j, "false"))
        buffer_add(out, "0", 1);
    buffer_add(out, "", 1);
    return j->s > number;
}

static bool take_members(params *out, scan *j)
{
    do {
        if (out->n == PARAMS_MAX)
            return false;
        out->list[out->n].name = out->text.n;
        if (!take_string(j, &out->text) || !take(j, ":"))
            return false;
        out->list[out->n].value = out->text.n;
        if (!take_value(j, &out->text))
            return false;
        out->n++;
    } while (take(j, ","));
    return true;
}

bool params_add_json(params *out, span text, problem *p)
{
    scan j = {text.s, text.s + text.n};
    const bool is_good = take(&j, "{") && (take(&j, "}") || (take_members(out, &j) && take(&j, "}")));
    skip_blanks(&j);
    return is_good && j.s == j.end
               ? params_check(out, p)
               : problem_tell(p, PROBLEM_ASKED,
                              "the body is not a JSON object of parameters: strings, numbers, true, false");
}
