/*
 * queries.c - the SQL functions that check a query against a game: see docs/query.md for the language.
 *
 * A query that is constant in a statement is parsed once, and cached with its evaluation state.
 */
#include "sql.h"
#include "tabiya_query.h"

#include <stdlib.h>

/* ---- The query ---------------------------------------------------------------------------------------------- */

typedef struct kept_query {
    tby_query *query;
    tby_query_state *state;
} kept_query;

static void kept_free(void *memory)
{
    kept_query *kept = memory;
    if (!kept)
        return;
    tby_query_state_free(kept->state);
    tby_query_free(kept->query);
    free(kept);
}

static void answer_query_error(sql_call *call, const tby_query_error *err)
{
    if (err->status == TBY_NO_MEMORY)
        sql_fail_memory(call);
    else
        sql_fail(call, "query, column %llu: %s", (unsigned long long)err->column, err->text);
}

/* NULL if an error was reported. */
static kept_query *kept_read(sql_call *call, const sql_value *text)
{
    static const tby_query_options options = {.without_row = true};
    tby_query_error err;
    kept_query *kept = malloc(sizeof *kept);
    if (!kept) {
        sql_fail_memory(call);
        return NULL;
    }
    *kept = (kept_query){tby_query_new(text->bytes, text->n, &options, NULL, &err), NULL};
    if (!kept->query) {
        answer_query_error(call, &err);
    } else if ((kept->state = tby_query_state_new(kept->query, NULL))) {
        return kept;
    } else {
        sql_fail_memory(call);
    }
    kept_free(kept);
    return NULL;
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* The state of the query, which is cached; NULL if an error was reported. */
static tby_query_state *state_of(sql_call *call, tby_query_game *out)
{
    game_bytes game;
    if (!sql_game(call, 0, &game))
        return NULL;
    kept_query *kept = sql_kept_of(call, 1);
    if (!kept && (kept = kept_read(call, &call->args[1])))
        sql_keep(call, 1, kept, kept_free);
    *out = (tby_query_game){.moves = game.bytes, .n_moves = game.n};
    return kept ? kept->state : NULL;
}

/* False if an error was reported. */
static bool is_good(sql_call *call, int answer)
{
    if (answer == TBY_QUERY_NO_MEMORY)
        return sql_fail_memory(call);
    return answer != TBY_QUERY_DAMAGED || sql_fail(call, "the game is damaged");
}

/* Whether it holds or, with `data`, the first ply where it does. */
static void match(sql_call *call)
{
    tby_query_game game;
    tby_query_state *state = state_of(call, &game);
    const int ply = state ? tby_query_first(state, &game) : 0;
    const bool wants_ply = call->function->data != NULL;
    if (state && is_good(call, ply) && (ply >= 0 || !wants_ply))
        sql_answer_number(call, wants_ply ? ply : ply >= 0);
}

/* As a JSON array, for json_each. */
static void match_plies(sql_call *call)
{
    const uint32_t *plies;
    tby_query_game game;
    tby_query_state *state = state_of(call, &game);
    const int n = state ? tby_query_plies(state, &game, &plies) : 0;
    if (!state || !is_good(call, n))
        return;
    for (int i = 0; i < n; i++) {
        buffer_put(&call->out, i ? ',' : '[');
        buffer_number(&call->out, plies[i]);
    }
    buffer_string(&call->out, n ? "]" : "[]");
    sql_answer_out(call, SQL_TEXT);
}

const sql_function sql_query_functions[] = {
    {"matches", "vty", .call = match},
    {"matchPly", "vti", .call = match, .data = "ply"},
    {"matchPlies", "vtt", .call = match_plies},
    {.name = ""},
};
