/*
 * copies.h - a second output file next to standard output, for unchanged copies of games.
 *
 * Reading the copies gives the same games. If a PGN game could be mistaken for part of the one before it, one of these
 * is inserted between them:
 *
 *     *               after a game without a result, unless the next begins with its Event tag
 *     [Event "?"]     after a game whose fault may swallow what follows, and before one that begins with a comment
 */
#ifndef TABIYA_CLI_COPIES_H
#define TABIYA_CLI_COPIES_H

#include "console.h"

typedef struct copy_file copy_file;

/* How a PGN game ends: with its result, without one, or inside a comment or variation. */
typedef enum game_end { GAME_CLOSED, GAME_OPEN, GAME_BROKEN } game_end;

enum { GAME_FIRST_SIZE = 8 };

/* Games to be written to the file: those of one part, or a piece of them. */
typedef struct copied {
    buffer text;
    bool begins_game;            /* the text begins with a game, not in the middle of one */
    char first[GAME_FIRST_SIZE]; /* the first bytes of that game; zeros if an escaped line comes first */
    game_end end;                /* of the last game */
    bool is_bare;                /* it is only a comment: tags after it would belong to it */
} copied;

/* The bytes of a PGN game follow, beginning with `first`. Afterwards the caller sets `end` and `is_bare`. */
void copied_begin_game(copied *k, const char first[GAME_FIRST_SIZE]);
void copied_clear(copied *k);

/* NULL for a NULL path. The words of `a` are the inputs, none of which may be the file. Failures end the program. */
copy_file *copy_open(const char *path, const args *a);
/* All accept NULL. The header is that of the first input's notation; later inputs must have the same notation. Text
   from two inputs is separated by a line end, PGN by an empty line. */
void copy_begin_input(copy_file *k, const tby_game_notation *notation);
void copy_write(copy_file *k, const copied *games);
/* The same for bytes as they are. */
void copy_bytes(copy_file *k, const char *s, size_t n);
void copy_close(copy_file *k);
/* Ends the program if the output `path` is one of the inputs, which would be lost. */
void refuse_overwriting(const char *path, const args *a);

#endif
