/*
 * tally.h - counts the games of a move: how many, with which results, how strong the players were, and when last played;
 * and the order of moves.
 */
#ifndef TBY_STORE_TALLY_H
#define TBY_STORE_TALLY_H

#include "tabiya_db.h"

/* Adds games by result; `n_elo` of them have a rating of the player who counts. */
static inline void tally_add(tby_db_move *to, const uint64_t results[4], uint64_t n_elo, uint64_t elo_sum,
                             int last_date)
{
    for (int i = 0; i < 4; i++) {
        to->games += results[i];
        to->results[i] += results[i];
    }
    to->n_elo += n_elo;
    to->elo_sum += elo_sum;
    to->last_date = last_date > to->last_date ? last_date : to->last_date;
}

/* Adds one game; 0 for an unknown rating or date. */
static inline void tally_game(tby_db_move *to, tby_result result, int elo, int date)
{
    to->games++;
    to->results[result]++;
    to->n_elo += elo > 0;
    to->elo_sum += elo > 0 ? (uint64_t)elo : 0;
    to->last_date = date > to->last_date ? date : to->last_date;
}

/* For qsort: the most played first, then the most reached, then White's, then by name or by move. */
int tally_compare(const void *a, const void *b);

#endif
