/*
 * annotate.h - evaluations of an engine in the comments of a game, and marks on its mistakes.
 */
#ifndef TABIYA_ANSWERS_ANNOTATE_H
#define TABIYA_ANSWERS_ANNOTATE_H

#include "engine.h"

/* Searches every position of the main line, and gives each move the evaluation after it, [%eval ...] in place of what
   was there, and a mark if it lost much and has none yet. A problem if the engine has gone or there is no memory; the
   game is then as far annotated as it came. */
bool annotate_game(tby_game *game, engine *e, const engine_limits *limits, problem *p);

/* What a position is worth. */
typedef struct evaluation {
    bool is_known, is_mate;
    int value; /* centipawns, or moves to mate; from White's side */
} evaluation;

/* From -1, Black wins for certain, to 1. */
double evaluation_chance(const evaluation *v);
/* The NAG of a move of `side` that leads from one evaluation to another: 6 ?!, 2 ?, 4 ??, or 0. */
uint16_t evaluation_mark(const evaluation *before, const evaluation *after, tby_color side);

#endif
