/*
 * review.h - how well a game was played: what each move of the main line lost, and how both sides did in each phase.
 */
#ifndef TBY_SUPPORT_REVIEW_H
#define TBY_SUPPORT_REVIEW_H

#include "tabiya.h"

/* The evaluation of a position. */
typedef struct evaluation {
    bool is_known, is_mate;
    int value; /* centipawns, or moves to mate; from White's side */
} evaluation;

/* From -1 (Black certainly wins) to 1. */
double evaluation_chance(const evaluation *v);
/* In pawns, from a side's point of view, limited to ten; a mate counts as ten. */
double evaluation_pawns(const evaluation *v, tby_color side);
/* The NAG of a move of `side` that leads from one evaluation to another: 6 ?!, 2 ?, 4 ??, or 0. */
uint16_t evaluation_mark(const evaluation *before, const evaluation *after, tby_color side);

enum { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, N_PHASES };
enum { MARK_DUBIOUS, MARK_MISTAKE, MARK_BLUNDER, N_MARKS };

/* How well a side has played. */
typedef struct review_side {
    uint64_t moves;  /* with an evaluation before and after */
    double accuracy; /* the sum of all moves, from 0 to 100 each */
    double loss;     /* in pawns, the sum */
    uint64_t marks[N_PHASES][N_MARKS];
} review_side;

/* Adds a move at `before` that leads from evaluation `v` to `after`; the best move loses nothing. */
void review_add(review_side *out, const tby_position *before, const evaluation *v, const evaluation *after,
                bool is_best);
/* How many moves have a mark, in all phases. */
uint64_t review_count(const review_side *side, int mark);

/* A move that lost something. */
typedef struct review_mistake {
    tby_node node;
    uint16_t nag; /* 6, 2 or 4: the game's own mark, or else that of the evaluations */
    int phase;
} review_mistake;

/* Adds the main line to `sides`, by the evaluations in its comments, and writes its mistakes to `out`, which has room for as
   many as the line has moves. Returns how many there are. `*n_evaluated` is the number of moves with an evaluation after them.
   A move whose mark says that it is bad counts as that, evaluated or not. */
size_t review_game(review_mistake *out, review_side sides[2], size_t *n_evaluated, const tby_game *game);

#endif
