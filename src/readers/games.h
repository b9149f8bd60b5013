/*
 * games.h - what the streams of games have in common, and what each notation adds.
 *
 * A stream of a notation is a struct that begins with a tby_games. Its `open` is in the registry; its other functions
 * are in its games_reader.
 */
#ifndef TBY_READERS_GAMES_H
#define TBY_READERS_GAMES_H

#include "support/array.h"

typedef struct games_reader {
    tby_game_read (*next)(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context);
    bool (*skip)(tby_games *games);
    void (*close)(tby_games *games); /* frees everything but the stream itself */
    bool warns_itself;               /* reports null moves itself, with their places */
} games_reader;

struct tby_games {
    const games_reader *reader;
    tby_allocator allocator;
    size_t size;    /* of the whole struct */
    unsigned flags; /* of tby_games_set_flags */
    tby_games_place place;
};

/* A stream of `size` bytes, zeros after the head; NULL if out of memory. */
tby_games *games_alloc(size_t size, const games_reader *reader, const tby_allocator *allocator);
/* The fault of a notation that has no more information than its error. */
tby_game_fault games_fault(const tby_error *err);

/* pgn_games.c, json_games.c, cmbr_file.c */
extern const tby_game_notation games_pgn, games_json, games_cmbr;

/* Does the game, as written by `write`, take at most `most` bytes, so that it can be read again? Only large games are
   written twice. */
bool games_fits(const tby_game *game, bool (*write)(const tby_game *game, tby_sink sink, void *context), size_t most);

/* For guessing: skips the byte order mark and leading blanks. */
static inline const char *games_text(const char *s, size_t *n)
{
    if (*n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
        s += 3;
        *n -= 3;
    }
    while (*n && memchr(" \t\r\n", *s, 4)) {
        s++;
        --*n;
    }
    return s;
}

/* ---- Streams over the bytes of a source that a reader has not consumed yet --------------------------------------- */

/*
 *     buffer   [ passed | at: current ... end | room ]
 *
 * Keeps    memory for the current bytes only: the buffer grows with the bytes that arrive, never because of a claimed
 *          length.
 */
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

/* The beginning of a stream that has a window. */
typedef struct window_games {
    tby_games head;
    byte_window in;
} window_games;
tby_games *games_open_window(size_t size, const games_reader *reader, tby_source source, void *context,
                             const tby_allocator *allocator);
void games_close_window(tby_games *games);

#endif
