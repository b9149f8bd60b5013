/*
 * games.h - what the streams of games have in common, and what each notation adds.
 *
 * A stream of a notation is a struct that begins with a tby_games. Its `open` is in the registry; its other functions
 * are in its games_reader.
 */
#ifndef TBY_READERS_GAMES_H
#define TBY_READERS_GAMES_H

#include "support/array.h"

#include <string.h>

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

#endif
