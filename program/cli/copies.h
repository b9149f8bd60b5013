/*
 * copies.h - a second output file beside standard output, for games kept as they are.
 *
 * Reading what is kept gives the same games. Where the next game of PGN would be taken for a part of the one before,
 * this is put between them:
 *
 *     *               after a game without a result, unless the next begins with its Event tag
 *     [Event "?"]     after a game whose fault may swallow what follows, and before one that begins with a comment
 */
#ifndef TABIYA_CLI_COPIES_H
#define TABIYA_CLI_COPIES_H

#include "common.h"
#include "support/buffer.h"

typedef struct copy_file copy_file;

/* How a game of PGN ends: by its result, without one, or somewhere in a comment or variation. */
typedef enum game_end { GAME_CLOSED, GAME_OPEN, GAME_BROKEN } game_end;

enum { GAME_FIRST_SIZE = 8 };

/* Games on their way to the file: those of one part, or a piece of them. */
typedef struct copied {
    buffer text;
    bool begins_game;            /* the text begins with a game, not in the middle of one */
    char first[GAME_FIRST_SIZE]; /* the first bytes of that game; zeros if an escaped line comes first */
    game_end end;                /* of the last game */
    bool is_bare;                /* it is a comment and no more: tags that follow would be its own */
} copied;

/* The bytes of a game of PGN follow, `first` to begin with. Afterwards the caller sets `end` and `is_bare`. */
void copied_begin_game(copied *k, const char first[GAME_FIRST_SIZE]);
void copied_clear(copied *k);

/* NULL for a NULL path. The words of `a` are the inputs: none of them may be the file. Failures end the program. */
copy_file *copy_open(const char *path, const args *a);
/* All take NULL. The first input brings the header of its notation; those that follow must have the same notation. What
   comes from two inputs is separated by a line's end where it is text, and by an empty line where it is PGN. */
void copy_begin_input(copy_file *k, const tby_game_notation *notation);
void copy_write(copy_file *k, const copied *games);
void copy_close(copy_file *k);
/* Ends the program if the output `path` is one of the inputs, which would be lost. */
void refuse_overwriting(const char *path, const args *a);

#endif
