/*
 * annotate.h - adds an engine's evaluations to a game as comments, and marks mistakes.
 */
#ifndef TABIYA_ANSWERS_ANNOTATE_H
#define TABIYA_ANSWERS_ANNOTATE_H

#include "engine.h"

/* What a position is worth. */
typedef struct evaluation {
    bool is_known, is_mate;
    int value; /* centipawns, or moves to mate; from White's side */
} evaluation;

/* From -1, Black wins for certain, to 1. */
double evaluation_chance(const evaluation *v);
/* The NAG of a move of `side` that leads from one evaluation to another: 6 ?!, 2 ?, 4 ??, or 0. */
uint16_t evaluation_mark(const evaluation *before, const evaluation *after, tby_color side);

/* Searches every position of the main line. Each move gets the evaluation after it as [%eval ...], which replaces an
   old one, and a mark if it lost much and has none yet. A problem if the engine is gone or there is no memory; then
   only the beginning of the game is annotated. */
bool annotate_game(tby_game *game, engine *e, const engine_limits *limits, problem *p);

/* The same position by position, for a search that nobody waits for. */
typedef struct annotation {
    tby_game *game;
    tby_node node;     /* whose position is next; TBY_NO_NODE at the end */
    tby_position pos;  /* that position */
    evaluation before; /* of the one before it, */
    tby_move best;     /* and what the engine would have played there */
} annotation;

void annotation_begin(annotation *a, tby_game *game);
/* The end of a game needs no engine: its evaluation, or false. */
bool evaluation_of_end(evaluation *out, const tby_position *pos);
/* Takes the evaluation of the position and the engine's move in it, and continues with the next one. */
bool annotation_take(annotation *a, const evaluation *value, tby_move best, problem *p);

#endif
