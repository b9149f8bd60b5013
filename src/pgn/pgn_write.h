/*
 * pgn_write.h - what the parts of the PGN writer share.
 */
#ifndef TBY_PGN_PGN_WRITE_H
#define TBY_PGN_PGN_WRITE_H

#include "pgn/game.h"
#include "pgn/pgn_output.h"

enum { WRITE_DEPTH = TBY_PGN_DEPTH_MAX };

typedef struct pgn_writer {
    const tby_game *game;
    unsigned flags;
    tby_position pos; /* before the next move */
    int needs_number; /* before the next move: 1 also if it is Black's, 0 only if it is White's, -1 written already */
    unsigned depth;   /* open variations */
    tby_position before[WRITE_DEPTH], after[WRITE_DEPTH]; /* the moves that they replace */
    pgn_output out;
} pgn_writer;

/* Writes the tag section with the empty line after it. False, and nothing written, if there are no tags. */
bool pgn_write_tags(pgn_writer *w);
/* False if the comment left nothing to write. */
bool pgn_write_comment(pgn_writer *w, const char *s, size_t n);

#endif
