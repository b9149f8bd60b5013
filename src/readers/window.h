/*
 * window.h - the bytes of a source that a reader has not consumed yet.
 *
 *     buffer   [ passed | at: current ... end | room ]
 *
 * Keeps    memory for the current bytes only: the buffer grows with the bytes that arrive, never because of a claimed
 *          length.
 */
#ifndef TBY_READERS_WINDOW_H
#define TBY_READERS_WINDOW_H

#include "support/array.h"

typedef struct byte_window {
    tby_source source;
    void *context;
    tby_allocator allocator;
    uint8_t *buffer;
    size_t cap, at, end;
    uint64_t passed; /* the offset of buffer[0] */
    bool is_whole;   /* the input has ended */
    bool has_failed;
    bool has_no_memory;
} byte_window;

static inline void window_end(byte_window *w) { alloc_free(w->allocator, w->buffer, w->cap); }

static inline size_t window_left(const byte_window *w) { return w->end - w->at; }
static inline uint8_t *window_here(const byte_window *w) { return w->buffer + w->at; }
static inline uint64_t window_offset(const byte_window *w) { return w->passed + w->at; }

/* Makes room after `end`. Bytes move down only when at least half of the buffer is passed: one move per byte. */
static inline bool window_make_room(byte_window *w)
{
    enum { FIRST_CAPACITY = 1 << 16 };
    if (w->end < w->cap)
        return true;
    if (w->at && w->at >= w->cap / 2) {
        memmove(w->buffer, window_here(w), window_left(w));
        w->passed += w->at;
        w->end -= w->at;
        w->at = 0;
        return true;
    }
    const size_t need = w->cap ? w->cap + 1 : FIRST_CAPACITY;
    w->has_no_memory |= !array_reserve(&w->buffer, &w->cap, need, 1, &w->allocator);
    return w->end < w->cap;
}

/* False if out of memory. */
static inline bool window_begin(byte_window *w, tby_source source, void *context, tby_allocator allocator)
{
    *w = (byte_window){.source = source, .context = context, .allocator = allocator};
    return window_make_room(w);
}

/* Makes sure that there are `n` bytes from `at` on, unless the input ends or memory runs out. */
static inline void window_need(byte_window *w, size_t n)
{
    while (window_left(w) < n && !w->is_whole && window_make_room(w)) {
        const size_t got = w->source(w->context, (char *)w->buffer + w->end, w->cap - w->end);
        w->has_failed |= got == TBY_SOURCE_FAILED;
        w->is_whole = got == 0 || got == TBY_SOURCE_FAILED;
        w->end += w->is_whole ? 0 : got;
    }
}

#endif
