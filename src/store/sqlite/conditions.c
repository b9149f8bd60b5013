/*
 * conditions.c - the facts of a query as conditions in SQLite's SQL.
 *
 * Texts are compared by the query evaluator, through the function tabiya_fact(state, node, value). A name is checked once, not
 * once per game, and only if the index of words, or the beginning of a pattern, cannot find the matching names.
 */
#include "store/sqlite/conditions.h"
#include "base/contract.h"
#include "query/facts.h"
#include "query/members.h"
#include "row/columns.h"
#include "store/sqlite/index/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* "1,7", or a subquery that returns the numbers. */
static void put_names(buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id,
                      name_table names)
{
    bool is_answered = false;
    buffer_string(out, "");
    if (c->by_index && !words_find(c->db, names, query, node, out, &is_answered))
        c->has_failed = true;
    if (is_answered && !c->has_failed)
        return;
    out->n = 0;
    buffer_printf(out, "SELECT id FROM %s WHERE tabiya_fact(" CONDITION_STATE ", %u, name)", name_tables[names],
                  (unsigned)id);
}

/* A condition on names that is being written as SQL. */
typedef struct naming {
    conditions *c;
    const tby_query *query;
    uint32_t id;
    name_table table; /* where `names` were found */
    buffer names;     /* the names found last; empty: none yet */
} naming;

/* A missing name matches only the empty text. Names of one table are looked up once, even for two columns. */
static void put_column(void *context, buffer *out, const query_node *node, const char *column)
{
    naming *n = context;
    const name_table table = column_named(column)->names;
    if (!n->names.s || table != n->table) {
        n->names.n = 0;
        put_names(&n->names, n->c, n->query, node, n->id, n->table = table);
    }
    out->has_failed |= n->names.has_failed;
    if (!n->names.has_failed)
        buffer_printf(out, "(game.%s IN (%s)", column, n->names.s);
    if (node->u.t.text.n == 0)
        buffer_printf(out, " OR game.%s IS NULL", column);
    buffer_string(out, ")");
}

static cover name_fact(buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id)
{
    naming n = {.c = c, .query = query, .id = id};
    plan_columns(out, node, &n, put_column);
    buffer_free(&n.names);
    return COVER_EXACT;
}

/* A range of packed games, for which SQLite uses the index of moves. */
static cover opening_fact(buffer *out, const tby_query *query, const query_node *node)
{
    const query_span moves = node->u.t.text;
    const uint8_t *bytes = (const uint8_t *)query_bytes(query, moves);
    uint8_t *end = malloc(moves.n + 1);
    if (!end) {
        out->has_failed = true;
        return COVER_NONE;
    }
    buffer_string(out, "(game.moves >= x'");
    buffer_hex(out, end, tby_chessgame_range_begin(end, bytes, moves.n));
    buffer_string(out, "' AND game.moves < x'");
    buffer_hex(out, end, tby_chessgame_range_end(end, bytes, moves.n));
    buffer_string(out, "')");
    free(end);
    return COVER_EXACT;
}

/* The kind of the column decides how a text is compared. */
static cover text_fact(buffer *out, conditions *c, const tby_query *query, const query_node *node, uint32_t id)
{
    const row_column *column = column_named(fact_of_node(node)->columns[0].name);
    if (column->kind == COLUMN_NAME && fact_of_node(node)->holds)
        return COVER_NONE; /* the evaluator looks at other columns too */
    if (column->kind == COLUMN_NAME)
        return name_fact(out, c, query, node, id);
    if (column->kind == COLUMN_RECORD)
        return plan_fact(out, node, "game");
    buffer_printf(out, "tabiya_fact(" CONDITION_STATE ", %u, game.%s)", (unsigned)id, column->name);
    return COVER_EXACT;
}

/* SQL joins the tables: it finds the collections by number, and the games by theirs. */
static cover collection_fact(buffer *out, const conditions *c, const tby_query *query, const query_node *node,
                             uint32_t id)
{
    if (!members_any(c->members, query, node))
        buffer_string(out, node_is_uncollected(node) ? "TRUE" : "FALSE");
    else if (node_is_uncollected(node))
        buffer_string(out, "game.id NOT IN (SELECT game FROM member)");
    else
        buffer_printf(out,
                      "game.id IN (SELECT game FROM member WHERE collection IN"
                      " (SELECT id FROM collection WHERE tabiya_fact(" CONDITION_STATE ", %u, name)))",
                      (unsigned)id);
    return COVER_EXACT;
}

static cover write_fact(void *context, buffer *out, const tby_query *query, const query_node *node, uint32_t id)
{
    const query_fact *f = fact_of_node(node);
    if (node_is_collection(node))
        return collection_fact(out, context, query, node, id);
    if (!f->columns[0].name)
        return COVER_NONE;
    switch ((fact_value)f->value) {
    case VALUE_OPENING: return opening_fact(out, query, node);
    case VALUE_TAG:
        if (column_of_tag(query_bytes(query, node->u.t.name), node->u.t.name.n))
            return COVER_NONE; /* it may exist without being in the JSON object */
        return text_fact(out, context, query, node, id);
    case VALUE_NONE:
    case VALUE_TEXT:
    case VALUE_CODES: return text_fact(out, context, query, node, id);
    default: return plan_fact(out, node, "game");
    }
}

dialect conditions_dialect(conditions *c) { return (dialect){.fact = write_fact, .context = c}; }

/* ---- The function --------------------------------------------------------------------------------------- */

bool conditions_hold(tby_query_state *state, const query_node *node, tby_text value)
{
    TBY_CONTRACT(state != NULL);
    tby_row row = {.date = 0};
    const tby_query_game game = {.row = &row};
    const query_fact *f = fact_of_node(node);
    if (!f->columns[0].name)
        return run_text_fits(state->query, node, value.s, value.n);
    for (size_t i = 0; i < 2 && f->columns[i].name; i++)
        memcpy((char *)&row + f->columns[i].offset, &value, sizeof value);
    state->game = &game;
    const bool answer = run_game(state, node);
    state->game = NULL;
    return answer;
}

/* What SQLite calls the pointer, so that no other can be passed. */
static const char state_type[] = "tby_query_state";

sqlite3_stmt *conditions_bind(sqlite3_stmt *s, tby_query_state *state)
{
    const int at = atoi(&CONDITION_STATE[1]);
    if (s && sqlite3_bind_parameter_count(s) >= at)
        sqlite3_bind_pointer(s, at, state, state_type, NULL);
    return s;
}

static void answer_fact(sqlite3_context *context, int n, sqlite3_value **values)
{
    tby_query_state *state = sqlite3_value_pointer(values[0], state_type);
    const sqlite3_int64 id = sqlite3_value_int64(values[1]);
    (void)n;
    if (!state || id < 0 || (size_t)id >= state->query->program.nodes.n) {
        sqlite3_result_error(context, "tabiya_fact is for searches only", -1);
        return;
    }
    const bool is_null = sqlite3_value_type(values[2]) == SQLITE_NULL;
    const char *s = sqlite3_value_blob(values[2]);
    const tby_text value = {is_null ? NULL : s ? s : "", s ? (size_t)sqlite3_value_bytes(values[2]) : 0};
    state->fault = 0;
    const bool answer = conditions_hold(state, tree_node(&state->query->program, (uint32_t)id), value);
    if (state->fault)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_int(context, answer);
}

bool conditions_register(lite *db)
{
    return sqlite3_create_function_v2(db->sql, "tabiya_fact", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                      NULL, answer_fact, NULL, NULL, NULL) == SQLITE_OK ||
           lite_fail_sql(db, "database");
}
