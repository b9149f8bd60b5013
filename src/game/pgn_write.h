/*
 * pgn_write.h - what the parts of the PGN writer share.
 */
#ifndef TBY_GAME_PGN_WRITE_H
#define TBY_GAME_PGN_WRITE_H

#include "game/game.h"
#include "game/pgn_output.h"

enum { WRITE_DEPTH = TBY_PGN_DEPTH_MAX };

typedef struct pgn_writer {
    const tby_game *game;
    unsigned flags;
    tby_position pos; /* where the next move is played */
    int needs_number; /* before the next move: 1 also if it is Black's, 0 if it is White's, -1 it is written already */
    unsigned depth;   /* variations that are open */
    tby_position before[WRITE_DEPTH], after[WRITE_DEPTH]; /* the move that their first moves are alternatives to */
    pgn_output out;
} pgn_writer;

/* The tag section with the empty line after it. False if there are no tags: then nothing is written. */
bool pgn_write_tags(pgn_writer *w);
/* False if nothing of the comment was left to write. */
bool pgn_write_comment(pgn_writer *w, const char *s, size_t n);

#endif
