/*
 * text.h - text that grows. Without memory it is marked as failed and takes nothing more.
 */
#ifndef TBY_STORE_TEXT_H
#define TBY_STORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *s; /* ends in NUL; NULL while there is nothing */
    size_t n, cap;
    bool has_failed;
} text_buffer;

void text_buffer_add(text_buffer *t, const char *s, size_t n);
void text_buffer_string(text_buffer *t, const char *s);
void text_buffer_printf(text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "x'0102'" or "\x0102": bytes as two digits each. */
void text_buffer_hex(text_buffer *t, const void *bytes, size_t n);
/* A tby_sink. */
bool text_buffer_sink(void *text, const char *s, size_t n);
void text_buffer_free(text_buffer *t);

#endif
