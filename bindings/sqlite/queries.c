/*
 * queries.c - the SQL functions that ask a game a query: docs/query.md teaches the language.
 *
 * A query that is constant in a statement is read once, and kept with the memory for asking it.
 */
#include "extension.h"
#include "tabiya_query.h"

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
    sqlite3_free(kept);
}

static void answer_query_error(sqlite3_context *context, const tby_query_error *err)
{
    if (err->status == TBY_NO_MEMORY) {
        sqlite3_result_error_nomem(context);
        return;
    }
    char *text = sqlite3_mprintf("query, column %llu: %s", (unsigned long long)err->column, err->text);
    if (text)
        sqlite3_result_error(context, text, -1);
    else
        sqlite3_result_error_nomem(context);
    sqlite3_free(text);
}

/* NULL means that the error has been reported. */
static kept_query *kept_read(sqlite3_context *context, sqlite3_value *value)
{
    static const tby_query_options options = {.without_row = true};
    tby_query_error err;
    size_t n;
    const char *s = text_argument(value, &n);
    kept_query *kept = sqlite3_malloc64(sizeof *kept);
    if (!kept) {
        sqlite3_result_error_nomem(context);
        return NULL;
    }
    *kept = (kept_query){tby_query_new(s, n, &options, &sqlite_allocator, &err), NULL};
    if (!kept->query) {
        answer_query_error(context, &err);
    } else if ((kept->state = tby_query_state_new(kept->query, &sqlite_allocator))) {
        return kept;
    } else {
        sqlite3_result_error_nomem(context);
    }
    kept_free(kept);
    return NULL;
}

/* ---- The answers -------------------------------------------------------------------------------------------- */

typedef void (*answerer)(sqlite3_context *context, tby_query_state *state, const tby_query_game *game);

static void ask(sqlite3_context *context, int argc, sqlite3_value **argv, answerer answer)
{
    game_bytes bytes;
    (void)argc;
    if (!game_argument(context, argv, 0, &bytes))
        return;
    kept_query *kept = sqlite3_get_auxdata(context, 1);
    const bool is_new = !kept;
    if (is_new && !(kept = kept_read(context, argv[1])))
        return;
    const tby_query_game game = {.moves = bytes.bytes, .n_moves = bytes.n};
    answer(context, kept->state, &game);
    if (is_new)
        sqlite3_set_auxdata(context, 1, kept, kept_free);
}

/* True if something went wrong, which has been reported. */
static bool has_failed(sqlite3_context *context, int answer)
{
    if (answer == TBY_QUERY_NO_MEMORY)
        sqlite3_result_error_nomem(context);
    else if (answer == TBY_QUERY_DAMAGED)
        sqlite3_result_error(context, "the game is damaged", -1);
    return answer == TBY_QUERY_NO_MEMORY || answer == TBY_QUERY_DAMAGED;
}

static void answer_matches(sqlite3_context *context, tby_query_state *state, const tby_query_game *game)
{
    const int ply = tby_query_first(state, game);
    if (!has_failed(context, ply))
        sqlite3_result_int(context, ply >= 0);
}

static void answer_ply(sqlite3_context *context, tby_query_state *state, const tby_query_game *game)
{
    const int ply = tby_query_first(state, game);
    if (!has_failed(context, ply) && ply >= 0)
        sqlite3_result_int(context, ply);
}

/* As JSON, for json_each. */
static void answer_plies(sqlite3_context *context, tby_query_state *state, const tby_query_game *game)
{
    const uint32_t *plies;
    const int n = tby_query_plies(state, game, &plies);
    if (has_failed(context, n))
        return;
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendchar(text, 1, '[');
    for (int i = 0; i < n; i++)
        sqlite3_str_appendf(text, i ? ",%u" : "%u", plies[i]);
    sqlite3_str_appendchar(text, 1, ']');
    answer_string(context, text, false);
}

static void matches(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    ask(context, argc, argv, answer_matches);
}
static void match_ply(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    ask(context, argc, argv, answer_ply);
}
static void match_plies(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    ask(context, argc, argv, answer_plies);
}

int create_query_functions(sqlite3 *db)
{
    static const sql_function functions[] = {
        {"matches", 2, matches},
        {"matchPly", 2, match_ply},
        {"matchPlies", 2, match_plies},
    };
    return create_functions(db, functions, sizeof functions / sizeof *functions);
}
