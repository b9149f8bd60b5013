/*
 * pool.c - pools of games: those of one speed whose players have about the same mean rating, as clients of the public
 * explorer narrow by.
 */
#include "row/columns.h"

/* The least mean of each group. */
static const int least[TBY_RATING_GROUPS] = {0, 0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500};

int tby_pool_least_mean(int group) { return least[group]; }

int tby_pool_of(tby_speed speed, int group) { return (int)speed * TBY_RATING_GROUPS + group; }

/* The sum of the ratings, because a mean may be a half. */
static int group_of(int white, int black)
{
    int group = 0;
    if (white <= 0 || black <= 0)
        return 0;
    while (group + 1 < TBY_RATING_GROUPS && (int64_t)white + black >= 2 * (int64_t)least[group + 1])
        group++;
    return group;
}

int tby_pool_of_row(const tby_row *row)
{
    return tby_pool_of(tby_row_speed(row), group_of(row->elo[TBY_WHITE], row->elo[TBY_BLACK]));
}
