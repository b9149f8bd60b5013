/*
 * annotate.h - adds an engine's evaluations to a game as comments, marks mistakes, and counts them.
 */
#ifndef TABIYA_COMMON_ANNOTATE_H
#define TABIYA_COMMON_ANNOTATE_H

#include "engine.h"
#include "support/review.h"

/* Searches every position of the main line. Each move gets the evaluation after it as [%eval ...], which replaces an
   old one. A move that loses much and has no mark yet gets a mark, a comment, and the first `n_line` half-moves of the
   engine's line as a variation. The counts are added to `sides`. Fails if the engine exits or is stopped, or memory
   runs out; then only the beginning of the game is annotated. */
bool annotate_game(tby_game *game, engine *e, const engine_limits *limits, unsigned n_line, review_side sides[2],
                   problem *p);

/* The engine's evaluation of a position, and the moves it expects. */
typedef struct thought {
    evaluation worth;
    tby_move line[ENGINE_PV_MAX]; /* the first is TBY_MOVE_NONE if there are none */
    size_t n_line;
} thought;

/* The same, position by position, for callers that must not block. */
typedef struct annotation {
    tby_game *game;
    tby_node node;      /* whose position is next; TBY_NO_NODE at the end */
    tby_position pos;   /* that position */
    tby_position was;   /* the one before it, */
    thought before;     /* and the engine's evaluation of that */
    review_side *sides; /* NULL if only evaluations and marks are wanted, no comments and lines */
    unsigned n_line;
} annotation;

void annotation_begin(annotation *a, tby_game *game);
/* If the game is over, sets the evaluation without an engine; false if it is not. */
bool evaluation_of_end(evaluation *out, const tby_position *pos);
/* Takes the engine's evaluation of the position, and continues with the next one. */
bool annotation_take(annotation *a, const thought *t, problem *p);

#endif
