/*
 * buffer.c - text or bytes that grow.
 */
#include "support/buffer.h"
#include "base/contract.h"

#include "base/text.h"
#include "base/utf8.h"
#include "tabiya_value.h"

#include <stdio.h>

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

__attribute__((weak)) void buffer_no_memory(void) {}

bool buffer_fail(buffer *b)
{
    buffer_no_memory();
    b->has_failed = true;
    return false;
}

/* A buffer that has failed stays failed, even if there is memory again: part of its text is missing. */
__attribute__((cold)) bool buffer_grow(buffer *b, size_t more)
{
    const tby_allocator *allocator = b->allocator.resize ? &b->allocator : NULL;
    if (b->has_failed)
        return false;
    return (more <= SIZE_MAX - b->n && array_reserve(&b->s, &b->cap, b->n + more, 1, allocator)) || buffer_fail(b);
}

void buffer_clear(buffer *b)
{
    b->n = 0;
    b->has_failed = false;
}

void buffer_free(buffer *b)
{
    alloc_free(b->allocator.resize ? b->allocator : allocator_or_default(NULL), b->s, b->cap);
    *b = (buffer){.allocator = b->allocator};
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

void buffer_number(buffer *b, uint64_t number)
{
    char digits[TEXT_NUMBER_SIZE];
    buffer_add(b, digits, (size_t)(text_put_number(digits, number) - digits));
}

/* Most texts fit into the room that is left, and are written once. */
void buffer_list(buffer *b, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const size_t room = b->has_failed ? 0 : b->cap - b->n;
    const int n = vsnprintf(room ? b->s + b->n : NULL, room, format, list);
    const bool fits = n >= 0 && (size_t)n < room;
    if (n < 0 || (!fits && !buffer_reserve(b, (size_t)n + 1))) {
        if (room)
            b->s[b->n] = '\0';
        if (!b->has_failed)
            buffer_fail(b);
    } else {
        if (!fits)
            vsnprintf(b->s + b->n, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

void buffer_printf(buffer *b, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    buffer_list(b, format, list);
    va_end(list);
}

/* Not 0 if one of the eight bytes is `byte`. */
static uint64_t byte_in_word(uint64_t word, unsigned char byte)
{
    const uint64_t ones = 0x0101010101010101, rest = word ^ ones * byte;
    return (rest - ones) & ~rest & ones << 7;
}

static bool csv_needs_quotes(const char *s, size_t n)
{
    const char *end = s + n;
    for (uint64_t word; end - s >= (ptrdiff_t)sizeof word; s += sizeof word) {
        memcpy(&word, s, sizeof word);
        if (byte_in_word(word, ',') | byte_in_word(word, '"') | byte_in_word(word, '\n') | byte_in_word(word, '\r'))
            return true;
    }
    for (; s < end; s++)
        if ((unsigned char)*s <= ',' && (*s == ',' || *s == '"' || *s == '\n' || *s == '\r'))
            return true;
    return n == 0;
}

void buffer_csv(buffer *b, const char *prefix, const char *s, size_t n)
{
    TBY_CONTRACT(s || n == 0);
    const bool has_quotes = csv_needs_quotes(s, n);
    if (has_quotes)
        buffer_put(b, '"');
    if (*prefix)
        buffer_string(b, prefix);
    if (!has_quotes) {
        buffer_add(b, s, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"')
            buffer_put(b, '"');
        buffer_put(b, (unsigned char)s[i]);
    }
    buffer_string(b, "\"");
}

void buffer_hex(buffer *b, const void *bytes, size_t n)
{
    TBY_CONTRACT(bytes || n == 0);
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    if (n > SIZE_MAX / 2 - 1 || !buffer_reserve(b, 2 * n + 1))
        return;
    for (size_t i = 0; i < n; i++) {
        b->s[b->n++] = digits[from[i] >> 4];
        b->s[b->n++] = digits[from[i] & 15];
    }
    b->s[b->n] = '\0';
}

bool buffer_sink(void *context, const char *s, size_t n)
{
    buffer *b = context;
    buffer_add(b, s, n);
    return !b->has_failed;
}

/* ---- For terminals ---------------------------------------------------------------------------------------------- */

/* The length of the control character at s in bytes; 0 if there is none. */
static size_t control_length(const char *s, size_t n)
{
    const unsigned char c = (unsigned char)*s;
    if (c < ' ' || c == 127)
        return 1;
    return c == 0xc2 && n > 1 && (unsigned char)s[1] >= 0x80 && (unsigned char)s[1] < 0xa0 ? 2 : 0;
}

void text_make_harmless(char *s, size_t n, char instead, const char *kept)
{
    for (size_t i = 0; i < n;) {
        const size_t length = control_length(s + i, n - i);
        if (length && !(s[i] && strchr(kept, s[i])))
            memset(s + i, instead, length);
        i += length ? length : 1;
    }
}

size_t text_utf8_prefix(const char *s, size_t n)
{
    size_t at = 0, length;
    while (at < n && (length = utf8_length(s + at, n - at)) > 0)
        at += length;
    return at;
}

void text_mend_utf8(char *s, size_t n)
{
    for (size_t at = text_utf8_prefix(s, n); at < n; at += text_utf8_prefix(s + at, n - at))
        s[at] = '?';
}

bool text_has_ending(const char *name, size_t n, const char *endings)
{
    while (*endings) {
        const size_t length = strcspn(endings, " ");
        if (n > length && memcmp(name + n - length, endings, length) == 0)
            return true;
        endings += length + (endings[length] == ' ');
    }
    return false;
}

size_t text_part_read(void *context, char *buf, size_t cap)
{
    text_part *rest = context;
    const size_t n = rest->n < cap ? rest->n : cap;
    if (n)
        memcpy(buf, rest->s, n);
    rest->s += n;
    rest->n -= n;
    return n;
}

void buffer_harmless(buffer *b, const char *s, size_t n, char instead)
{
    const size_t begin = b->n;
    buffer_add(b, s, n);
    if (!b->has_failed && n)
        text_make_harmless(b->s + begin, n, instead, "");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

void buffer_json(buffer *b, const char *s, size_t n) { tby_json_write_text(s, n, buffer_sink, b); }

void buffer_json_string(buffer *b, const char *s)
{
    if (s)
        buffer_json(b, s, strlen(s));
    else
        buffer_string(b, "null");
}

static void add_byte(buffer *b, char c) { buffer_add(b, &c, 1); }

/* Adds the next argument; `s` follows its percent sign. Returns the last letter of the conversion. */
static const char *add_argument(buffer *b, const char *s, va_list *list)
{
    if (*s == 'i') {
        buffer_string(b, va_arg(*list, int) ? "true" : "false");
    } else if (*s == 's') {
        buffer_json_string(b, va_arg(*list, const char *));
    } else if (*s == '.') {
        const int length = va_arg(*list, int);
        buffer_json(b, va_arg(*list, const char *), (size_t)length);
        s += 2;
    } else {
        int64_t number = *s == 'l'   ? va_arg(*list, long long)
                         : *s == 'z' ? (int64_t)va_arg(*list, size_t)
                         : *s == 'd' ? va_arg(*list, int)
                                     : (int64_t)va_arg(*list, unsigned);
        while (*s == 'l' || *s == 'z')
            s++;
        if (*s == 'd' && number < 0) {
            add_byte(b, '-');
            number = (int64_t)(0 - (uint64_t)number);
        }
        buffer_number(b, (uint64_t)number);
    }
    return s;
}

void json_add_args(buffer *b, const char *format, va_list list)
{
    va_list rest;
    if (b->n && !strchr("{[:\n", b->s[b->n - 1]) && *format != '}' && *format != ']')
        add_byte(b, ',');
    va_copy(rest, list);
    for (const char *s = format; *s; s++)
        if (*s == '%')
            s = add_argument(b, s + 1, &rest);
        else
            add_byte(b, (char)(*s == '\'' ? '"' : *s));
    va_end(rest);
}

void json_add(buffer *b, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    json_add_args(b, format, list);
    va_end(list);
}
