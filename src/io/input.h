/*
 * input.h - a file, standard input or a text as a stream of bytes; gzip and zstd are decompressed.
 *
 * The program, the SQLite extension and the Python module read files with it. Nothing here prints.
 */
#ifndef TBY_IO_INPUT_H
#define TBY_IO_INPUT_H

#include "tabiya_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct input input;

enum { INPUT_PEEK_SIZE = 1 << 16 };

/* "-" is standard input. NULL if the file cannot be read: `failure` says why. The path must stay valid. */
input *input_open_file(const char *path, tby_failure *failure);
/* The text must stay valid. NULL if out of memory. */
input *input_open_text(const char *s, size_t n);
/* Reads from a function; `close` frees its context. NULL if out of memory; the context is freed then too. */
input *input_open_reader(const char *name, tby_source read, void *context, void (*close)(void *context));
void input_close(input *in);
/* Does a file of that name exist, of any kind? */
bool input_is_file(const char *path);
/* Do both names refer to the same file? */
bool input_is_same_file(const char *a, const char *b);

/* If set, called before each read, and while a pipe or terminal has nothing to read; true makes input_read fail. */
extern bool (*input_is_stopped)(void);
/* A tby_source, its context the input. */
size_t input_read(void *in, char *buf, size_t cap);
/* The first bytes, at most INPUT_PEEK_SIZE, which will be read again. Only before input_read. */
const char *input_peek(input *in, size_t *n);
/* By its name (without .gz and .zst) and first bytes: see tby_game_notation_guess. */
const tby_game_notation *input_guess(input *in, tby_likeness *likeness);
/* The notation named `from`; if that is NULL, the likely one, or else the first of the table. */
const tby_game_notation *input_notation(input *in, const char *from);
bool input_is_packed(const input *in);
/* Did input_read fail, so that the last bytes may be half a game? */
bool input_is_cut(const input *in);
/* What made input_read fail; NULL if nothing did, or if it was stopped. */
const tby_failure *input_failure(const input *in);

/* "games.pgn", "stdin", or "" for the command line: what messages begin with. */
const char *input_name(const input *in);
/* The fraction that has been read, from 0 to 1; negative if its size is unknown. May be called from any thread. */
double input_fraction(const input *in);

#endif
