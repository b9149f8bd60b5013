/*
 * text.h - text that grows. Without memory it is marked as failed and takes nothing more.
 */
#ifndef TBY_STORE_TEXT_H
#define TBY_STORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct buffer {
    char *s; /* ends in NUL; NULL while there is nothing */
    size_t n, cap;
    bool has_failed;
} buffer;

void buffer_add(buffer *t, const char *s, size_t n);
void buffer_string(buffer *t, const char *s);
void buffer_printf(buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "x'0102'" or "\x0102": bytes as two digits each. */
void buffer_hex(buffer *t, const void *bytes, size_t n);
/* A tby_sink. */
bool buffer_sink(void *text, const char *s, size_t n);
void buffer_free(buffer *t);

#endif
