/*
 * text.c - text that grows.
 */
#include "support/array.h"
#include "support/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *room(buffer *t, size_t n)
{
    if (t->has_failed)
        return NULL;
    t->has_failed = n >= SIZE_MAX - t->n || !array_reserve(&t->s, &t->cap, t->n + n + 1, 1, NULL);
    return t->has_failed ? NULL : t->s + t->n;
}

void buffer_add(buffer *t, const char *s, size_t n)
{
    char *to = room(t, n);
    if (!to)
        return;
    if (n)
        memcpy(to, s, n);
    t->n += n;
    t->s[t->n] = '\0';
}

bool buffer_sink(void *text, const char *s, size_t n)
{
    buffer *t = text;
    buffer_add(t, s, n);
    return !t->has_failed;
}

void buffer_string(buffer *t, const char *s) { buffer_add(t, s, strlen(s)); }

void buffer_printf(buffer *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *to = n < 0 ? NULL : room(t, (size_t)n);
    if (to) {
        vsnprintf(to, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void buffer_hex(buffer *t, const void *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    char *to = room(t, 2 * n);
    for (size_t i = 0; to && i < n; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
        t->n += 2;
    }
    if (to)
        *to = '\0';
}

void buffer_free(buffer *t)
{
    free(t->s);
    *t = (buffer){0};
}
