/*
 * progress.h - a progress bar on stderr for work that takes longer than a second. Only on a terminal.
 *
 *     games.pgn  [##########..........]  50%  123.4 MB/s  156.0 k games/s  0:12 left
 */
#ifndef TABIYA_CLI_PROGRESS_H
#define TABIYA_CLI_PROGRESS_H

#include <stdint.h>

/* One file begins. */
void progress_begin(const char *name);
/* How much of it is done: `fraction` from 0 to 1, negative if that is not known; bytes and games so far,
   0 if they are not counted. */
void progress_update(double fraction, uint64_t n_bytes, uint64_t n_games);
/* Removes the bar before other text is written to the terminal, or when everything is done. */
void progress_hide(void);
/* The same, but only if the output goes to the terminal too. */
void progress_make_room(void);

#endif
