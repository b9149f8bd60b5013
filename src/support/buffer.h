/*
 * buffer.h - text or bytes that grow.
 *
 * A buffer that is all zeros is empty and takes its memory from malloc. One that could not grow stays as it is, takes
 * nothing more and says so in `has_failed`: writers look once, at the end. All functions but buffer_put and those that
 * write into reserved room leave a NUL after the text.
 */
#ifndef TBY_SUPPORT_BUFFER_H
#define TBY_SUPPORT_BUFFER_H

#include "support/array.h"

#include <stdarg.h>
#include <string.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

typedef struct buffer {
    union { /* the same bytes, NULL while there are none */
        char *s;
        uint8_t *data;
    };
    size_t n, cap;
    bool has_failed;
    tby_allocator allocator; /* malloc if `resize` is NULL */
} buffer;

static inline buffer buffer_begin(const tby_allocator *allocator)
{
    return (buffer){.allocator = allocator_or_default(allocator)};
}

/* Leaves an empty buffer with the same allocator. */
void buffer_free(buffer *b);
/* Empty again, and good again; the memory is kept. */
void buffer_clear(buffer *b);

/* Called when a buffer finds no memory, before it is marked as failed. Does nothing here; a program that would rather
   end at once defines its own. */
void buffer_no_memory(void);

/* Marks the buffer as failed; returns false. */
bool buffer_fail(buffer *b);
/* Apart from buffer_reserve, because it is rare: what is appended a million times stays small. */
bool buffer_grow(buffer *b, size_t more);

/* Room for `more` bytes after those that are there. */
static inline bool buffer_reserve(buffer *b, size_t more)
{
    return (!b->has_failed && more <= b->cap - b->n) || buffer_grow(b, more);
}

/* The same as the place after b->s + b->n; NULL if there is no memory. */
static inline char *buffer_room(buffer *b, size_t more) { return buffer_reserve(b, more) ? b->s + b->n : NULL; }

static inline void buffer_put(buffer *b, unsigned byte)
{
    if (buffer_reserve(b, 1))
        b->data[b->n++] = (uint8_t)byte;
}

static inline void buffer_add(buffer *b, const void *s, size_t n)
{
    if (n == SIZE_MAX || !buffer_reserve(b, n + 1))
        return;
    if (n)
        memcpy(b->s + b->n, s, n);
    b->s[b->n += n] = '\0';
}

static inline void buffer_string(buffer *b, const char *s) { buffer_add(b, s, strlen(s)); }
void buffer_number(buffer *b, uint64_t number);
void buffer_printf(buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buffer_list(buffer *b, const char *format, va_list list);
/* Each byte as two digits. */
void buffer_hex(buffer *b, const void *bytes, size_t n);
/* As a string of JSON; text that is not UTF-8 is taken for Windows-1252. */
void buffer_json(buffer *b, const char *s, size_t n);
/* The same of a text that ends in NUL; null for NULL. */
void buffer_json_string(buffer *b, const char *s);
/* A tby_sink: false when the buffer has failed. */
bool buffer_sink(void *context, const char *s, size_t n);

/* Puts `instead` in place of what a terminal would obey: control characters of ASCII and of Unicode (C1, two bytes of
   UTF-8), except those in `kept`. */
void text_make_harmless(char *s, size_t n, char instead, const char *kept);
/* The length of the UTF-8 that a text begins with; and puts question marks in place of what is not UTF-8. */
size_t text_utf8_prefix(const char *s, size_t n);
void text_mend_utf8(char *s, size_t n);
/* Adds a text made harmless. */
void buffer_harmless(buffer *b, const char *s, size_t n, char instead);

/* The word for one of them, or for any other number: 1 game, 2 games. */
static inline const char *plural(uint64_t n, const char *one, const char *many) { return n == 1 ? one : many; }

#endif
