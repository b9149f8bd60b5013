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

typedef void (*answerer)(sql_call *call, tby_query_state *state, const tby_query_game *game);

static void ask(sql_call *call, answerer answer)
{
    game_bytes bytes;
    if (!sql_game(call, 0, &bytes))
        return;
    kept_query *kept = sql_kept_of(call, 1);
    const bool is_new = !kept;
    if (is_new && !(kept = kept_read(call, &call->args[1])))
        return;
    const tby_query_game game = {.moves = bytes.bytes, .n_moves = bytes.n};
    answer(call, kept->state, &game);
    if (is_new)
        sql_keep(call, 1, kept, kept_free);
}

/* True if an error was reported. */
static bool has_failed(sql_call *call, int answer)
{
    if (answer == TBY_QUERY_NO_MEMORY)
        sql_fail_memory(call);
    else if (answer == TBY_QUERY_DAMAGED)
        sql_fail(call, "the game is damaged");
    return answer == TBY_QUERY_NO_MEMORY || answer == TBY_QUERY_DAMAGED;
}

static void answer_matches(sql_call *call, tby_query_state *state, const tby_query_game *game)
{
    const int ply = tby_query_first(state, game);
    if (!has_failed(call, ply))
        sql_answer_number(call, ply >= 0);
}

static void answer_ply(sql_call *call, tby_query_state *state, const tby_query_game *game)
{
    const int ply = tby_query_first(state, game);
    if (!has_failed(call, ply) && ply >= 0)
        sql_answer_number(call, ply);
}

/* As a JSON array, for json_each. */
static void answer_plies(sql_call *call, tby_query_state *state, const tby_query_game *game)
{
    const uint32_t *plies;
    const int n = tby_query_plies(state, game, &plies);
    if (has_failed(call, n))
        return;
    buffer_string(&call->out, "[");
    for (int i = 0; i < n; i++)
        buffer_printf(&call->out, i ? ",%u" : "%u", plies[i]);
    buffer_string(&call->out, "]");
    sql_answer_out(call, SQL_TEXT);
}

static void matches(sql_call *call) { ask(call, answer_matches); }
static void match_ply(sql_call *call) { ask(call, answer_ply); }
static void match_plies(sql_call *call) { ask(call, answer_plies); }

const sql_function sql_query_functions[] = {
    {"matches", "vty", .call = matches},
    {"matchPly", "vti", .call = match_ply},
    {"matchPlies", "vtt", .call = match_plies},
    {.name = ""},
};
