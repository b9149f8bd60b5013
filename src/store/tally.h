/*
 * tally.h - counts games: how many, with which results, how strong the players were, and when last played.
 *
 * Several structures of tabiya_db.h have such counts among other members; a tally points into any of them.
 */
#ifndef TBY_STORE_TALLY_H
#define TBY_STORE_TALLY_H

#include "tabiya_db.h"

typedef struct tally {
    uint64_t *games, *results, *n_elo, *elo_sum;
    int *last_date;
} tally;

#define TALLY_OF(counts)                                                                                               \
    ((tally){&(counts)->games, (counts)->results, &(counts)->n_elo, &(counts)->elo_sum, &(counts)->last_date})

/* Adds games by result; `n_elo` of them have a rating of the player who counts. */
static inline void tally_add(tally to, const uint64_t results[4], uint64_t n_elo, uint64_t elo_sum, int last_date)
{
    for (int i = 0; i < 4; i++) {
        *to.games += results[i];
        to.results[i] += results[i];
    }
    *to.n_elo += n_elo;
    *to.elo_sum += elo_sum;
    *to.last_date = last_date > *to.last_date ? last_date : *to.last_date;
}

/* Adds one game; 0 for an unknown rating or date. */
static inline void tally_game(tally to, tby_result result, int elo, int date)
{
    ++*to.games;
    to.results[result]++;
    *to.n_elo += elo > 0;
    *to.elo_sum += elo > 0 ? (uint64_t)elo : 0;
    *to.last_date = date > *to.last_date ? date : *to.last_date;
}

#endif
