/*
 * buffer.h - text that grows, and reports whose line and game numbers are filled in when they are printed.
 *
 * A buffer that finds no memory is marked as failed and takes nothing more, so it is enough to check `has_failed` once,
 * before the text is used. A program that would rather end at once sets buffer_no_memory.
 *
 * A thread that works on the middle of a file only knows the lines and games of its own part. It marks the places of
 * such numbers in a report; what comes before the part is added when the parts are put together in order.
 */
#ifndef TABIYA_ANSWERS_BUFFER_H
#define TABIYA_ANSWERS_BUFFER_H

#include "tabiya_value.h"

#include <stdarg.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

/* ---- Arrays ----------------------------------------------------------------------------------------------------- */

/* Gives the array that the pointer at `array` points to room for `need` items of `size` bytes, at least twice as many
   as before when it moves. False, and nothing changed, if there is no memory, or no size_t for that much. */
bool array_reserve(void *array, size_t *cap, size_t need, size_t size);

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

typedef struct buffer {
    char *s;
    size_t n, cap;
    bool has_failed;
} buffer;

/* Called when there is no memory, before a buffer is marked as failed. NULL unless set, before any thread starts. */
extern void (*buffer_no_memory)(void);

bool buffer_grow(buffer *b, size_t room);
void buffer_free(buffer *b);
/* Empty again, and good again; the memory is kept. */
void buffer_clear(buffer *b);

/* Room for `room` more bytes after b->s + b->n; NULL if there is no memory. */
static inline char *buffer_room(buffer *b, size_t room)
{
    return b->cap - b->n >= room || buffer_grow(b, room) ? b->s + b->n : NULL;
}

void buffer_add(buffer *b, const char *s, size_t n);
void buffer_string(buffer *b, const char *s);
void buffer_number(buffer *b, uint64_t number);
void buffer_printf(buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buffer_list(buffer *b, const char *format, va_list list);
/* As a string of JSON; text that is not UTF-8 is taken for Windows-1252. */
void buffer_json(buffer *b, const char *s, size_t n);
/* The same of a text that ends in NUL; null for NULL. */
void buffer_json_string(buffer *b, const char *s);
/* A tby_sink: false when the buffer has failed. */
bool buffer_sink(void *context, const char *s, size_t n);

/* Puts `instead` in place of what a terminal would obey: control characters of ASCII and of Unicode (C1, two bytes of
   UTF-8), except those in `kept`. */
void text_make_harmless(char *s, size_t n, char instead, const char *kept);
/* Adds a text made harmless. */
void buffer_harmless(buffer *b, const char *s, size_t n, char instead);

/* The word for one of them, or for any other number: 1 game, 2 games. */
static inline const char *plural(uint64_t n, const char *one, const char *many) { return n == 1 ? one : many; }

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

typedef enum mark_type { MARK_LINE, MARK_GAME } mark_type;

/* A number, counted from the start of the part, that belongs before text.s[at]. */
typedef struct mark {
    size_t at;
    mark_type type;
    uint64_t number;
} mark;

typedef struct report {
    buffer text;
    mark *marks;
    size_t n_marks, cap;
} report;

void report_mark(report *r, mark_type type, uint64_t number);
void report_clear(report *r);
void report_free(report *r);
/* Writes the report to `out` with its numbers: `lines` lines and `games` games stand before the part. */
void report_resolve(buffer *out, const report *r, uint64_t lines, uint64_t games);

#endif
