/*
 * annotate.h - adds an engine's evaluations to a game as comments, and marks mistakes.
 */
#ifndef TABIYA_ANSWERS_ANNOTATE_H
#define TABIYA_ANSWERS_ANNOTATE_H

#include "engine.h"

/* Searches every position of the main line. Each move gets the evaluation after it as [%eval ...], which replaces an
   old one, and a mark if it lost much and has none yet. A problem if the engine is gone or there is no memory; then
   only the beginning of the game is annotated. */
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
