/*
 * json_lex.c - the tokens of JSON (RFC 8259), strict and bounded; and writing a string.
 *
 * Reads    every value of the standard, with blanks around it; \u escapes, those over U+FFFF as two surrogates.
 * Refuses  TBY_INVALID_JSON, with the place: everything outside the grammar, control characters in strings, bytes that
 *          are not UTF-8, an unpaired surrogate. TBY_TOO_DEEP more than JSON_DEPTH_MAX nested brackets.
 */
#include "support/json_lex.h"

#include "base/text.h"
#include "base/utf8.h"
#include "notation/refuse.h"
#include "support/buffer.h"

#include <string.h>

/* A row without tags has no text at all, and nothing may be added to NULL. */
json_reader json_begin(const char *s, size_t n)
{
    return (json_reader){s, s, n ? s + n : s, {TBY_OK, {0, 0}, 0, NULL}};
}

bool json_fail(json_reader *j, const char *at, tby_status status, const char *detail)
{
    if (json_is_good(j))
        refuse(&j->err, status, (size_t)(at - j->start), detail);
    return false;
}

static bool fail_here(json_reader *j, const char *detail) { return json_fail(j, j->at, TBY_INVALID_JSON, detail); }

/* ---- Brackets -------------------------------------------------------------------------------------------- */

char json_peek(json_reader *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
        j->at++;
    return j->at < j->end ? *j->at : '\0';
}

static bool take(json_reader *j, char c, const char *expectation)
{
    if (!json_is_good(j) || json_peek(j) != c)
        return fail_here(j, expectation);
    j->at++;
    return true;
}

bool json_enter(json_reader *j, char open)
{
    if (!take(j, open, open == '[' ? "[ expected" : "{ expected"))
        return false;
    if (json_peek(j) != (open == '[' ? ']' : '}'))
        return true;
    j->at++;
    return false;
}

bool json_more(json_reader *j, char close)
{
    const char c = json_peek(j);
    if (!json_is_good(j) || (c != ',' && c != close))
        return fail_here(j, close == ']' ? ", or ] expected" : ", or } expected");
    j->at++;
    return c == ',';
}

/* ---- Strings --------------------------------------------------------------------------------------------- */

/* The four digits of \u; -1 if they are not hex digits. */
static int32_t code_unit(const char *s, const char *end)
{
    int32_t code = 0;
    if (end - s < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = text_hex_digit(s[i]);
        if (digit < 0)
            return -1;
        code = code << 4 | digit;
    }
    return code;
}

/* The character of the escape at `s` (after its backslash), and its length in bytes; -1 if it is not valid. */
static int32_t escaped_sign(const char *s, const char *end, size_t *length)
{
    static const char letters[] = "\"\\/bfnrt", signs[] = "\"\\/\b\f\n\r\t";
    if (s == end)
        return -1;
    if (*s != 'u') {
        const char *letter = memchr(letters, *s, sizeof letters - 1);
        *length = 1;
        return letter ? signs[letter - letters] : -1;
    }
    const int32_t high = code_unit(s + 1, end);
    *length = 5;
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || end - s < 11 || s[5] != '\\' || s[6] != 'u')
        return -1;
    const int32_t low = code_unit(s + 7, end);
    *length = 11;
    return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
}

static bool is_plain(char c) { return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\'; }

/* Skips one character of a string that is not plain ASCII. */
static bool pass_sign(json_reader *j, json_text *text)
{
    size_t length = 0;
    if ((unsigned char)*j->at < 0x20)
        return fail_here(j, "a control character in a string");
    if (*j->at == '\\') {
        text->has_escapes = true;
        if (escaped_sign(j->at + 1, j->end, &length) < 0)
            return fail_here(j, "an unknown escape");
        j->at += 1 + length;
        return true;
    }
    length = utf8_length(j->at, (size_t)(j->end - j->at));
    j->at += length;
    return length > 0 || fail_here(j, "UTF-8 expected");
}

bool json_take_string(json_reader *j, json_text *out)
{
    if (!take(j, '"', "a string expected"))
        return false;
    json_text text = {j->at, 0, false};
    for (;;) {
        while (j->at < j->end && is_plain(*j->at))
            j->at++;
        if (j->at == j->end)
            return fail_here(j, "the string has no end");
        if (*j->at == '"')
            break;
        if (!pass_sign(j, &text))
            return false;
    }
    text.n = (size_t)(j->at++ - text.s);
    *out = text;
    return true;
}

size_t json_unescape(char *out, const json_text *text)
{
    const char *end = text->s + text->n;
    char *to = out;
    for (const char *s = text->s; s < end;) {
        if (*s != '\\') {
            *to++ = *s++;
            continue;
        }
        size_t length = 0;
        to += utf8_put(to, (uint32_t)escaped_sign(s + 1, end, &length));
        s += 1 + length;
    }
    return (size_t)(to - out);
}

bool json_resolve(json_reader *j, const json_text *text, json_plain *out)
{
    out->s = text->s;
    out->n = text->n;
    if (!text->has_escapes)
        return true;
    buffer_clear(&out->scratch);
    if (!buffer_reserve(&out->scratch, text->n))
        return json_fail(j, j->at, TBY_NO_MEMORY, NULL);
    out->s = out->scratch.s;
    out->n = json_unescape(out->scratch.s, text);
    return true;
}

/* ---- Other values ---------------------------------------------------------------------------------------- */

static bool take_word(json_reader *j, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(j->end - j->at) < n || memcmp(j->at, word, n) != 0)
        return false;
    j->at += n;
    return true;
}

bool json_boolean(json_reader *j, bool *out)
{
    json_peek(j);
    *out = take_word(j, "true");
    return *out || take_word(j, "false") || fail_here(j, "true or false expected");
}

static bool is_digit(const json_reader *j) { return j->at < j->end && *j->at >= '0' && *j->at <= '9'; }

static bool pass_digits(json_reader *j)
{
    if (!is_digit(j))
        return fail_here(j, "a digit expected");
    while (is_digit(j))
        j->at++;
    return true;
}

bool json_natural(json_reader *j, uint32_t max, uint32_t *out)
{
    json_peek(j);
    const char *start = j->at;
    const int64_t value = text_take_number(&j->at, j->end, max);
    const bool has_zeros = j->at - start > 1 && *start == '0';
    const char next = j->at < j->end ? *j->at : '\0';
    if (value < 0 || value > max || has_zeros || next == '.' || (next | 32) == 'e')
        return json_fail(j, start, TBY_INVALID_JSON, "a whole number from 0 to 65535 expected");
    *out = (uint32_t)value;
    return true;
}

static bool pass_number(json_reader *j)
{
    if (j->at < j->end && *j->at == '-')
        j->at++;
    if (!is_digit(j))
        return fail_here(j, "a value expected");
    if (*j->at == '0')
        j->at++;
    else
        pass_digits(j);
    if (j->at < j->end && *j->at == '.') {
        j->at++;
        if (!pass_digits(j))
            return false;
    }
    if (j->at < j->end && (*j->at | 32) == 'e') {
        j->at++;
        if (j->at < j->end && (*j->at == '+' || *j->at == '-'))
            j->at++;
        return pass_digits(j);
    }
    return true;
}

bool json_key(json_reader *j, json_text *out) { return json_take_string(j, out) && take(j, ':', ": expected"); }

static bool skip(json_reader *j, int depth)
{
    json_text text;
    const char open = json_peek(j), close = open == '[' ? ']' : '}';
    if (open == '"')
        return json_take_string(j, &text);
    if (open != '[' && open != '{')
        return take_word(j, "true") || take_word(j, "false") || take_word(j, "null") || pass_number(j);
    if (depth == 0)
        return json_fail(j, j->at, TBY_TOO_DEEP, "brackets are nested too deep");
    for (bool more = json_enter(j, open); more; more = json_more(j, close))
        if ((open == '{' && !json_key(j, &text)) || !skip(j, depth - 1))
            return false;
    return json_is_good(j);
}

bool json_skip(json_reader *j) { return json_is_good(j) && skip(j, JSON_DEPTH_MAX); }

/* ---- Objects --------------------------------------------------------------------------------------------- */

static size_t find_key(const json_text *key, const char *const *names, size_t n)
{
    char unescaped[128]; /* a longer key with escapes cannot be one of the names */
    const char *text = key->s;
    size_t length = key->n, i = 0;
    if (key->has_escapes) {
        if (length > sizeof unescaped)
            return n;
        length = json_unescape(unescaped, key);
        text = unescaped;
    }
    while (i < n && (strlen(names[i]) != length || memcmp(names[i], text, length) != 0))
        i++;
    return i;
}

bool json_members(json_reader *j, const char *const *names, const char **values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = NULL;
    for (bool more = json_enter(j, '{'); more; more = json_more(j, '}')) {
        json_text key;
        json_peek(j);
        const char *start = j->at;
        if (!json_key(j, &key))
            return false;
        const size_t i = find_key(&key, names, n);
        if (i < n && values[i])
            return json_fail(j, start, TBY_INVALID_JSON, "a key that occurs twice");
        json_peek(j);
        if (i < n)
            values[i] = j->at;
        if (!json_skip(j))
            return false;
    }
    return json_is_good(j);
}

/* ---- Writing a string -------------------------------------------------------------------------------------------- */

/*
 * Writes   quotes, and escapes for characters that a string cannot contain; everything else as UTF-8. Text that is not
 *          UTF-8 is read as Windows-1252, as in PGN.
 */
enum { ESCAPE_SIZE = 6 };

static bool needs_no_escape(char c) { return (unsigned char)c >= 0x20 && c != '"' && c != '\\'; }

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
        while (i + run < n && needs_no_escape(s[i + run]))
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
