/*
 * buffer.c - text that grows, and reports whose line and game numbers are filled in when they are printed.
 *
 * Keeps    marks in the order of their places.
 */
#include "support/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 256, NUMBER_SIZE = 20 };

/* ---- Arrays ----------------------------------------------------------------------------------------------------- */

bool array_reserve(void *array, size_t *cap, size_t need, size_t size)
{
    const size_t most = SIZE_MAX / size;
    const size_t twice = *cap <= most / 2 ? *cap * 2 : most, first = FIRST_SIZE / size;
    void *items;
    if (need <= *cap)
        return true;
    if (need > most)
        return false;
    need = need > twice ? need : twice;
    need = need > first ? need : first;
    memcpy(&items, array, sizeof items);
    items = realloc(items, need * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *cap = need;
    return true;
}

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

void (*buffer_no_memory)(void);

static bool fail(buffer *b)
{
    if (buffer_no_memory)
        buffer_no_memory();
    b->has_failed = true;
    return false;
}

/* A buffer that has failed stays as it is, even if there is memory again: something is missing in its text. */
bool buffer_grow(buffer *b, size_t room)
{
    if (b->has_failed)
        return false;
    return (room <= SIZE_MAX - b->n && array_reserve(&b->s, &b->cap, b->n + room, 1)) || fail(b);
}

void buffer_clear(buffer *b)
{
    b->n = 0;
    b->has_failed = false;
}

void buffer_free(buffer *b)
{
    free(b->s);
    *b = (buffer){0};
}

void buffer_add(buffer *b, const char *s, size_t n)
{
    char *to = n && !b->has_failed ? buffer_room(b, n) : NULL;
    if (!to)
        return;
    memcpy(to, s, n);
    b->n += n;
}

void buffer_string(buffer *b, const char *s) { buffer_add(b, s, strlen(s)); }

void buffer_number(buffer *b, uint64_t number)
{
    char digits[NUMBER_SIZE];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buffer_add(b, digits + at, sizeof digits - at);
}

void buffer_list(buffer *b, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const int n = vsnprintf(NULL, 0, format, list);
    char *to = n >= 0 && !b->has_failed ? buffer_room(b, (size_t)n + 1) : NULL;
    if (to) {
        vsnprintf(to, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    } else if (!b->has_failed) {
        fail(b);
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

bool buffer_sink(void *context, const char *s, size_t n)
{
    buffer *b = context;
    buffer_add(b, s, n);
    return !b->has_failed;
}

/* ---- For terminals ---------------------------------------------------------------------------------------------- */

/* How many bytes at s are a control character; 0 if it is none. */
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

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

void report_mark(report *r, mark_type type, uint64_t number)
{
    if (array_reserve(&r->marks, &r->cap, r->n_marks + 1, sizeof *r->marks, NULL))
        r->marks[r->n_marks++] = (mark){r->text.n, type, number};
    else
        fail(&r->text);
}

void report_clear(report *r)
{
    buffer_clear(&r->text);
    r->n_marks = 0;
}

void report_free(report *r)
{
    buffer_free(&r->text);
    free(r->marks);
    *r = (report){0};
}

void report_resolve(buffer *out, const report *r, uint64_t lines, uint64_t games)
{
    size_t at = 0;
    out->has_failed = out->has_failed || r->text.has_failed;
    for (size_t i = 0; i < r->n_marks; i++) {
        const mark *m = &r->marks[i];
        buffer_add(out, r->text.s + at, m->at - at);
        buffer_number(out, m->number + (m->type == MARK_LINE ? lines : games));
        at = m->at;
    }
    if (r->text.n)
        buffer_add(out, r->text.s + at, r->text.n - at);
}
