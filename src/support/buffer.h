/*
 * buffer.h - text or bytes that grow.
 *
 * A buffer of all zeros is empty and uses malloc. A buffer that could not grow keeps its text, accepts no more and sets
 * `has_failed`: writers check once, at the end. All functions except buffer_put and those that write into reserved room
 * leave a NUL after the text.
 */
#ifndef TBY_SUPPORT_BUFFER_H
#define TBY_SUPPORT_BUFFER_H

#include "base/utf8.h"
#include "support/array.h"

#include <stdarg.h>
#include <string.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

typedef struct buffer {
    __extension__ union { /* the same bytes, NULL while there are none */
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
/* Empties the buffer and resets has_failed; keeps the memory. */
void buffer_clear(buffer *b);

/* Called when a buffer runs out of memory, before it is marked as failed. Does nothing here; a program that prefers to
   exit at once defines its own. */
void buffer_no_memory(void);

/* Marks the buffer as failed; returns false. */
bool buffer_fail(buffer *b);
/* Separate from buffer_reserve because it is rare: the code of frequent appends stays small. */
bool buffer_grow(buffer *b, size_t more);

/* Makes room for `more` bytes after the text. */
static inline bool buffer_reserve(buffer *b, size_t more)
{
    return (!b->has_failed && more <= b->cap - b->n) || buffer_grow(b, more);
}

/* The same, and returns b->s + b->n; NULL if out of memory. */
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
/* Each byte as two hex digits. */
void buffer_hex(buffer *b, const void *bytes, size_t n);
/* As a field of CSV: in quotes if necessary, and also if it is empty. A prefix needs none. */
void buffer_csv(buffer *b, const char *prefix, const char *s, size_t n);
/* As a JSON string; text that is not UTF-8 is read as Windows-1252. */
void buffer_json(buffer *b, const char *s, size_t n);
/* The same for a NUL-terminated text; null for NULL. */
void buffer_json_string(buffer *b, const char *s);
/* Adds members of an object, items of an array or whole values, with a comma before them where one is needed. The
   format is JSON with ' instead of ":
       %s                        a string; null for NULL
       %.*s                      the same with its length; never null
       %d, %u, %lld, %llu, %zu   a number
       %i                        true or false
   Brackets may be opened or closed by separate calls. */
void json_add(buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void json_add_args(buffer *b, const char *format, va_list list);
/* A tby_sink: false when the buffer has failed. */
bool buffer_sink(void *context, const char *s, size_t n);

/* Bytes owned by somebody else. */
typedef struct text_part {
    const char *s;
    size_t n;
} text_part;
/* A tby_source over the part at `context`, which is advanced. */
size_t text_part_read(void *context, char *buf, size_t cap);

/* Replaces characters that a terminal would interpret with `instead`: the control characters of ASCII and Unicode (C1,
   two bytes in UTF-8), except those in `kept`. */
void text_make_harmless(char *s, size_t n, char instead, const char *kept);
/* The length of the valid UTF-8 at the start of a text; and replaces invalid UTF-8 with question marks. */
size_t text_utf8_prefix(const char *s, size_t n);
void text_mend_utf8(char *s, size_t n);
/* Does the name of a file end in one of these, as in ".html .htm", with something before it? */
bool text_has_ending(const char *name, size_t n, const char *endings);
/* Appends a text without control characters. */
void buffer_harmless(buffer *b, const char *s, size_t n, char instead);

/* The singular or the plural: 1 game, 2 games. */
static inline const char *plural(uint64_t n, const char *one, const char *many) { return n == 1 ? one : many; }

#endif
