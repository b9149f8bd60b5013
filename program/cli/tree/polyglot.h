/*
 * polyglot.h - opening books in the format of Polyglot.
 *
 *     key 8 bytes   move 2 bytes   weight 2 bytes   learn 4 bytes, all big-endian, sorted by key
 */
#ifndef TABIYA_CLI_TREE_POLYGLOT_H
#define TABIYA_CLI_TREE_POLYGLOT_H

#include "console.h"

/* ---- Making ----------------------------------------------------------------------------------------------------- */

/* All zeros: empty. */
typedef struct polyglot_maker {
    struct polyglot_entry *entries;
    size_t n, cap;
} polyglot_maker;
void polyglot_maker_add(polyglot_maker *m, uint64_t key, tby_move move, uint64_t weight);
/* Writes the book to the output, and frees the entries. Moves without weight are left out; if a position has weights over
   65535, all its weights are scaled down. */
void polyglot_maker_write(polyglot_maker *m);

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct polyglot_move {
    tby_move move;
    unsigned weight;
} polyglot_move;

/* Does the file have the extension .bin and a size that is possible for a book? */
bool polyglot_is_book(const char *path);
/* The entries of a book, to be freed. A file that cannot be read, or is not sorted, ends the program. */
buffer polyglot_open(const char *path);
/* The legal moves that the book has in a position, those with the most weight first; returns their number. */
size_t polyglot_moves(const buffer *book, const tby_position *pos, polyglot_move out[TBY_MOVES_MAX]);
/* The book from a position on as a game: the move with the most weight is the main line, every move has its weight as a
   comment, and a repeated position ends its line. To be freed. */
tby_game *polyglot_game(const buffer *book, const tby_position *root);

#endif
