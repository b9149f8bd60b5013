/*
 * keep.h - a second output file beside standard output, for games kept as they are.
 */
#ifndef TABIYA_CLI_KEEP_H
#define TABIYA_CLI_KEEP_H

#include "common.h"

typedef struct keep keep;

/* NULL for a NULL path. The words of `a` are the inputs: none of them may be the file. Failures end the program. */
keep *keep_open(const char *path, const args *a);
/* All take NULL. The first input brings the header of its notation; those that follow must have the same notation, and
   where that is a text an empty line parts them. */
void keep_begin_input(keep *k, const tby_game_notation *notation);
void keep_write(keep *k, const buffer *text);
void keep_close(keep *k);
/* Ends the program if the output `path` is one of the inputs, which would be lost. */
void refuse_overwriting(const char *path, const args *a);

#endif
