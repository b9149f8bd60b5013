/*
 * buffer.c - text that grows, and reports whose line and game numbers are filled in when they are printed.
 *
 * Keeps    marks in the order of their places.
 */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 256, NUMBER_SIZE = 20 };

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

void buffer_grow(buffer *b, size_t room)
{
    size_t cap = b->cap ? b->cap : FIRST_SIZE;
    while (cap - b->n < room) {
        if (cap > SIZE_MAX / 2)
            error_exit("out of memory");
        cap *= 2;
    }
    char *s = realloc(b->s, cap);
    if (!s)
        error_exit("out of memory");
    b->s = s;
    b->cap = cap;
}

void buffer_free(buffer *b)
{
    free(b->s);
    *b = (buffer){0};
}

void buffer_add(buffer *b, const char *s, size_t n)
{
    if (n)
        memcpy(buffer_room(b, n), s, n);
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

bool buffer_sink(void *context, const char *s, size_t n)
{
    buffer_add(context, s, n);
    return true;
}

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

void report_mark(report *r, mark_type type, uint64_t number)
{
    if (r->n_marks == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 16;
        mark *marks = realloc(r->marks, r->cap * sizeof *marks);
        if (!marks)
            error_exit("out of memory");
        r->marks = marks;
    }
    r->marks[r->n_marks++] = (mark){r->text.n, type, number};
}

void report_clear(report *r) { r->text.n = r->n_marks = 0; }

void report_free(report *r)
{
    buffer_free(&r->text);
    free(r->marks);
    *r = (report){0};
}

void report_resolve(buffer *out, const report *r, uint64_t lines, uint64_t games)
{
    size_t at = 0;
    for (size_t i = 0; i < r->n_marks; i++) {
        const mark *m = &r->marks[i];
        buffer_add(out, r->text.s + at, m->at - at);
        buffer_number(out, m->number + (m->type == MARK_LINE ? lines : games));
        at = m->at;
    }
    buffer_add(out, r->text.s + at, r->text.n - at);
}
