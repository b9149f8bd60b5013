/*
 * polyglot.h - files of opening books in the format of Polyglot: making and opening them.
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

/* Does the file have the extension .bin and a size that is possible for a book? */
bool polyglot_is_book(const char *path);
/* The entries of a book, to be freed. A file that cannot be read, or is not sorted, ends the program. */
buffer polyglot_open(const char *path);

#endif
