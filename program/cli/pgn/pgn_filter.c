/*
 * pgn_filter.c - selects the games of a file that match a query.
 */
#include "pgn_filter.h"
#include "messages.h"
#include "tabiya_db.h"

#include <stdlib.h>
#include <string.h>

struct filter {
    tby_query *query; /* NULL: all games */
};

filter *filter_new(tby_query *query)
{
    filter *f = memory_new(1, sizeof *f);
    f->query = query;
    return f;
}

filter *filter_of_text(const char *who, const char *query, const patterns *own)
{
    const tby_query_options options = {.patterns = own ? own->text.s : NULL, .n_patterns = own ? own->text.n : 0};
    tby_query_error err;
    problem p = {0};
    char prefix[32];
    tby_query *made = query ? tby_query_new(query, strlen(query), &options, NULL, &err) : NULL;
    snprintf(prefix, sizeof prefix, "%s: ", who);
    if (query && !made)
        query_fault(&p, prefix, &err, query, &options, own);
    problem_exit(&p);
    return filter_new(made);
}

void filter_free(filter *f)
{
    tby_query_free(f->query);
    free(f);
}

const tby_query *filter_query(const filter *f) { return f->query; }

void filter_refuse_ids(const char *who, const filter *f)
{
    if (f->query && tby_query_needs(f->query) & TBY_QUERY_NEEDS_ID)
        error_exit("%s: %s needs a database; it does not apply to a file of games", who,
                   tby_query_needs(f->query) & TBY_QUERY_NEEDS_COLLECTIONS ? "\"collection\"" : "\"id\"");
}

/* ---- Asking ----------------------------------------------------------------------------------------------------- */

struct filter_worker {
    tby_query_state *state; /* NULL: all games */
    tby_batch *batch;       /* the game as a row */
};

filter_worker *filter_worker_new(const filter *f)
{
    filter_worker *w = memory_new(1, sizeof *w);
    if (!f->query)
        return w;
    w->state = memory_got(tby_query_state_new(f->query, NULL));
    w->batch = memory_got(tby_batch_new());
    return w;
}

void filter_worker_free(filter_worker *w)
{
    tby_query_state_free(w->state);
    tby_batch_free(w->batch);
    free(w);
}

filter_answer filter_first(filter_worker *w, const tby_game *game, int *ply)
{
    if (ply)
        *ply = 0;
    if (!w->state)
        return FILTER_YES;
    tby_batch_clear(w->batch);
    const tby_status status = tby_batch_add(w->batch, game);
    if (status == TBY_TOO_LONG)
        return FILTER_TOO_LONG;
    memory_need(status == TBY_OK);
    const tby_row row = tby_batch_row(w->batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, 0);
    const int first = tby_query_first(w->state, &asked);
    memory_need(first >= TBY_QUERY_NONE);
    if (ply)
        *ply = first;
    return first >= 0 ? FILTER_YES : FILTER_NO;
}
