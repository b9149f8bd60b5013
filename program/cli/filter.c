/*
 * filter.c - checks games against a query, one thread at a time.
 */
#include "filter.h"

#include <stdlib.h>

struct filter {
    tby_query_state *state; /* NULL: all games */
    tby_batch *batch;       /* the game as a row */
};

filter *filter_new(const tby_query *query)
{
    filter *f = memory_new(1, sizeof *f);
    f->state = query ? memory_got(tby_query_state_new(query, NULL)) : NULL;
    f->batch = query ? memory_got(tby_batch_new()) : NULL;
    return f;
}

void filter_free(filter *f)
{
    if (f) {
        tby_query_state_free(f->state);
        tby_batch_free(f->batch);
    }
    free(f);
}

filter_answer filter_first(filter *f, const tby_game *game, tby_game_id id, int *ply)
{
    *ply = 0;
    if (!f->state)
        return FILTER_YES;
    tby_batch_clear(f->batch);
    const tby_status status = tby_batch_add(f->batch, game);
    if (status == TBY_TOO_LONG)
        return FILTER_TOO_LONG;
    memory_need(status == TBY_OK);
    const tby_row row = tby_batch_row(f->batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, id);
    *ply = tby_query_first(f->state, &asked);
    memory_need(*ply >= TBY_QUERY_NONE);
    return *ply >= 0 ? FILTER_YES : FILTER_NO;
}
