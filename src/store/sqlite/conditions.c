/*
 * conditions.c - the facts of a query as conditions of SQLite's SQL.
 *
 * Texts are compared by the query language itself: the function tabiya_fact(node, value) asks it. A name is asked once,
 * not once a game, and only if the index of words, or the beginning of a pattern, does not tell which names fit.
 */
#include "store/sqlite/conditions.h"
#include "query/fold.h"
#include "row/columns.h"
#include "store/sqlite/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* The words to look for, where they are not in the query as they are: those of a whole name, or of a pattern. */
static bool set_words(word_search *search, char **words, const tby_query *query, const query_node *node)
{
    const query_span span = node->way == TEXT_PATTERN ? node->u.t.folded : node->u.t.text;
    const tby_text text = {query_bytes(query, span), span.n};
    size_t (*split)(char *, size_t, const char *, size_t) = node->way == TEXT_PATTERN ? tby_fold_pattern_words
                                                                                      : tby_fold_words;
    search->n_words = split(NULL, 0, text.s, text.n);
    if (!(*words = malloc(search->n_words + 1)))
        return false;
    split(*words, search->n_words, text.s, text.n);
    search->words = *words;
    *(node->way == TEXT_PATTERN ? &search->pattern : &search->whole) = text;
    return true;
}

/* The numbers of the names that fit, by the index of words; false if it does not tell. */
static bool put_numbers(text_buffer *out, conditions *c, const tby_query *query, const query_node *node,
                        word_table table)
{
    word_search search = {.table = table, .words = "rated", .n_words = 6};
    char *words = NULL;
    bool is_answered = false;
    if (!c->by_index)
        return false;
    if (node->type != Q_RATED && node->way == TEXT_WORDS) {
        search.words = query_bytes(query, node->u.t.folded);
        search.n_words = node->u.t.folded.n;
    } else if (node->type != Q_RATED && !set_words(&search, &words, query, node)) {
        c->has_failed = !lite_fail_memory(c->db);
    }
    if (!c->has_failed && !tby_words_find(c->db, &search, out, &is_answered))
        c->has_failed = true;
    free(words);
    return is_answered && !c->has_failed;
}

/* "1,7", or a question that gives the numbers. */
static void put_names(text_buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id,
                      word_table table)
{
    static const char *const tables[] = {[WORDS_PLAYER] = "player", [WORDS_EVENT] = "event", [WORDS_SITE] = "site"};
    tby_text_string(out, "");
    if (put_numbers(out, c, query, node, table))
        return;
    out->n = 0;
    tby_text_printf(out, "SELECT id FROM %s WHERE tabiya_fact(%u, name)", tables[table], (unsigned)id);
}

/* A name that a game lacks fits the empty text only. */
static void put_column(text_buffer *out, const query_node *node, const char *column, const char *names)
{
    const bool takes_none = node->type != Q_RATED && node->u.t.text.n == 0;
    tby_text_printf(out, "(game.%s IN (%s)", column, names);
    if (takes_none)
        tby_text_printf(out, " OR game.%s IS NULL", column);
    tby_text_string(out, ")");
}

static cover name_fact(text_buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id,
                       const char *column)
{
    const word_table table = *column == 'e' ? WORDS_EVENT : *column == 's' ? WORDS_SITE : WORDS_PLAYER;
    text_buffer names = {0};
    put_names(&names, c, query, node, id, table);
    if (!names.has_failed)
        put_column(out, node, column, names.s);
    out->has_failed |= names.has_failed;
    tby_text_free(&names);
    return COVER_EXACT;
}

/* The names are looked up once for both. */
static cover player_fact(text_buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id)
{
    text_buffer names = {0};
    put_names(&names, c, query, node, id, WORDS_PLAYER);
    if (!names.has_failed) {
        tby_text_string(out, "(");
        put_column(out, node, "white", names.s);
        tby_text_string(out, " OR ");
        put_column(out, node, "black", names.s);
        tby_text_string(out, ")");
    }
    out->has_failed |= names.has_failed;
    tby_text_free(&names);
    return COVER_EXACT;
}

static cover value_fact(text_buffer *out, uint32_t id, const char *column)
{
    tby_text_printf(out, "tabiya_fact(%u, game.%s)", (unsigned)id, column);
    return COVER_EXACT;
}

/* A date without a year may still be told by its tag. */
static cover date_fact(text_buffer *out, const query_node *node, uint32_t id)
{
    tby_text_string(out, "coalesce(");
    tby_plan_date(out, node, "game");
    tby_text_printf(out, ", tabiya_fact(%u, game.tags))", (unsigned)id);
    return COVER_EXACT;
}

/* A range of packed games, which the index of moves serves. */
static cover opening_fact(text_buffer *out, const tby_query *query, const query_node *node)
{
    const query_span moves = node->u.t.text;
    const uint8_t *bytes = (const uint8_t *)query_bytes(query, moves);
    uint8_t *end = malloc(moves.n + 1);
    if (!end) {
        out->has_failed = true;
        return COVER_NONE;
    }
    tby_text_string(out, "(game.moves >= x'");
    tby_text_hex(out, end, tby_chessgame_range_begin(end, bytes, moves.n));
    tby_text_string(out, "' AND game.moves < x'");
    tby_text_hex(out, end, tby_chessgame_range_end(end, bytes, moves.n));
    tby_text_string(out, "')");
    free(end);
    return COVER_EXACT;
}

static cover write_fact(void *context, text_buffer *out, const tby_query *query, const query_node *node, uint32_t id)
{
    conditions *c = context;
    switch ((query_type)node->type) {
    case Q_WHITE: return name_fact(out, c, query, node, id, "white");
    case Q_BLACK: return name_fact(out, c, query, node, id, "black");
    case Q_PLAYER: return player_fact(out, c, query, node, id);
    case Q_RATED:
    case Q_EVENT: return name_fact(out, c, query, node, id, "event");
    case Q_SITE: return name_fact(out, c, query, node, id, "site");
    case Q_ROUND: return value_fact(out, id, "round");
    case Q_ECO: return value_fact(out, id, "eco");
    case Q_TIMECONTROL:
    case Q_TERMINATION:
    case Q_TITLE: return value_fact(out, id, "tags");
    case Q_TAG: /* one that has a column may stand there and not in the object */
        return tby_column_of_tag(query_bytes(query, node->u.t.name), node->u.t.name.n) ? COVER_NONE
                                                                                       : value_fact(out, id, "tags");
    case Q_DATE: return date_fact(out, node, id);
    case Q_OPENING: return opening_fact(out, query, node);
    default: return tby_plan_fact(out, node, "game");
    }
}

dialect tby_conditions_dialect(conditions *c) { return (dialect){.fact = write_fact, .context = c}; }

/* ---- The function --------------------------------------------------------------------------------------- */

bool tby_conditions_hold(tby_query_state *state, const query_node *node, tby_text value)
{
    tby_row row = {.date = 0};
    const tby_query_game game = {.row = &row};
    switch ((query_type)node->type) {
    case Q_ECO: row.eco = value; break;
    case Q_RATED: row.event = value; break;
    case Q_DATE:
    case Q_TIMECONTROL:
    case Q_TERMINATION:
    case Q_TITLE:
    case Q_TAG: row.tags = value; break;
    default: return tby_run_text_fits(state->query, node, value.s, value.n);
    }
    state->game = &game;
    const bool answer = tby_run_game(state, node);
    state->game = NULL;
    return answer;
}

static void answer_fact(sqlite3_context *context, int n, sqlite3_value **values)
{
    const lite *db = sqlite3_user_data(context);
    const sqlite3_int64 id = sqlite3_value_int64(values[0]);
    tby_query_state *state = db->facts;
    (void)n;
    if (!state || id < 0 || (size_t)id >= state->query->program.nodes.n) {
        sqlite3_result_error(context, "tabiya_fact is for searches only", -1);
        return;
    }
    const bool is_null = sqlite3_value_type(values[1]) == SQLITE_NULL;
    const char *s = sqlite3_value_blob(values[1]);
    const tby_text value = {is_null ? NULL : s ? s : "", s ? (size_t)sqlite3_value_bytes(values[1]) : 0};
    state->fault = 0;
    const bool answer = tby_conditions_hold(state, tree_node(&state->query->program, (uint32_t)id), value);
    if (state->fault)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_int(context, answer);
}

bool tby_conditions_register(lite *db)
{
    return sqlite3_create_function_v2(db->sql, "tabiya_fact", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                      db, answer_fact, NULL, NULL, NULL) == SQLITE_OK ||
           lite_fail_sql(db, "database");
}
