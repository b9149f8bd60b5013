/*
 * dialect.c - the facts of a query as conditions in PostgreSQL's SQL.
 *
 * The extension's functions are called by name: the server decides which indexes to use.
 */
#include "query/facts.h"
#include "query/members.h"
#include "store/postgres/find.h"

#include <string.h>

/* The state while conditions are written. */
typedef struct sql_writer {
    pg_values *values;
    const server *server;
    const tby_query *query;
    query_members *members;
    cover covered; /* by the last text */
} sql_writer;

/* ---- Texts ------------------------------------------------------------------------------------------------------ */

/* A value that is not all ASCII may fold to anything; it has more bytes than letters. */
#define NOT_ASCII "octet_length(g.%s) <> length(g.%s)"

static bool is_ascii(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] >= 0x80)
            return false;
    return true;
}

/* The text with the letters from `first` to `last` in the other case, like the server's lower and upper in "C". These
   are not called here: a value with its own collation is not sent to other servers. */
static size_t ascii_value(pg_values *v, const char *s, size_t n, char first, char last)
{
    buffer other = {0};
    for (size_t i = 0; i < n; i++) {
        const char c = (char)(s[i] >= first && s[i] <= last ? s[i] ^ ('a' ^ 'A') : s[i]);
        buffer_add(&other, &c, 1);
    }
    return pg_value_take(v, &other);
}

/* The text with % for *, and with the special characters of LIKE escaped. */
static size_t like_value(pg_values *v, const char *s, size_t n, bool is_part)
{
    buffer like = {0};
    buffer_string(&like, is_part ? "%" : "");
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '%' || s[i] == '_' || s[i] == '\\')
            buffer_string(&like, "\\");
        buffer_add(&like, s[i] == '*' && !is_part ? "%" : s + i, 1);
    }
    buffer_string(&like, is_part ? "%" : "");
    return pg_value_take(v, &like);
}

/* The index stores words of up to about 500 bytes uncut. */
enum { WORD_SIZE = 490 };
static bool are_short(const char *words, size_t n)
{
    for (size_t at = 0; at < n; at += strlen(words + at) + 1)
        if (strlen(words + at) > WORD_SIZE)
            return false;
    return true;
}

/* Uses the index of words. Words consist of letters and digits only. */
static cover indexed_words(const sql_writer *a, buffer *out, const char *column, const char *words, size_t n)
{
    pg_values *v = a->values;
    buffer list = {0};
    for (size_t at = 0; at < n; at += strlen(words + at) + 1)
        buffer_printf(&list, "%s'%s'", at ? " & " : "", words + at);
    buffer_printf(out, PG_WORDS " OPERATOR(pg_catalog.@@) $%zu::tsquery", a->server->ext, "g.", column,
                  pg_value_take(v, &list));
    return COVER_EXACT;
}

/* Does each of the words occur in the value, if that is ASCII? */
static cover words_fact(const sql_writer *a, buffer *out, const char *column, const char *words, size_t n)
{
    pg_values *v = a->values;
    if (v->has_words && n && column_named(column)->kind == COLUMN_NAME && are_short(words, n))
        return indexed_words(a, out, column, words, n);
    buffer_string(out, "((TRUE");
    for (size_t at = 0; at < n; at += strlen(words + at) + 1) {
        const char *word = words + at;
        if (is_ascii(word, strlen(word)))
            buffer_printf(out, " AND lower(g.%s) LIKE $%zu", column, like_value(v, word, strlen(word), true));
        else
            buffer_string(out, " AND FALSE");
    }
    buffer_printf(out, ") OR " NOT_ASCII ")", column, column);
    return COVER_MORE;
}

static cover text_fact(const sql_writer *a, buffer *out, const tby_query *query, const query_node *node,
                       const char *column)
{
    pg_values *v = a->values;
    const query_span text = node->u.t.text, folded = node->u.t.folded;
    const char *pattern = query_bytes(query, folded);
    if (node->way == TEXT_WORDS)
        return words_fact(a, out, column, pattern, folded.n);
    if (node->way == TEXT_PERSON) {
        words_fact(a, out, column, query_bytes(query, node->u.t.name), node->u.t.name.n);
        return COVER_MORE;
    }
    if (node->way == TEXT_PATTERN) {
        if (is_ascii(pattern, folded.n))
            buffer_printf(out, "(lower(g.%s) LIKE $%zu OR " NOT_ASCII ")", column,
                          like_value(v, pattern, folded.n, false), column, column);
        else
            buffer_printf(out, NOT_ASCII, column, column);
        return COVER_MORE;
    }
    if (text.n == 0) {
        buffer_printf(out, "(g.%s = '' OR g.%s IS NULL)", column, column);
        return COVER_EXACT;
    }
    const size_t value = pg_value_of(v, query_bytes(query, text), text.n);
    buffer_printf(out, "(lower(g.%s) = $%zu AND g.%s = $%zu)", column,
                  ascii_value(v, query_bytes(query, text), text.n, 'A', 'Z'), column, value);
    return COVER_EXACT;
}

static void put_text_fact(void *context, buffer *out, const query_node *node, const char *column)
{
    sql_writer *a = context;
    a->covered = text_fact(a, out, a->query, node, column);
}

static cover eco_fact(const sql_writer *a, buffer *out, const tby_query *query, const query_node *node)
{
    pg_values *v = a->values;
    const query_span bounds[] = {node->u.t.text, node->u.t.name}; /* the lowest and the highest code */
    if (node->way != TEXT_CODES)
        return text_fact(a, out, query, node, "eco");
    buffer_printf(out, "(" NOT_ASCII " OR (TRUE", "eco", "eco");
    for (int i = 0; i < 2; i++)
        if (bounds[i].n) {
            const size_t value = ascii_value(v, query_bytes(query, bounds[i]), bounds[i].n, 'a', 'z');
            buffer_printf(out, " AND upper(substr(g.eco, 1, length($%zu::text))) %s $%zu", value,
                          i ? "<=" : ">=", value);
        }
    buffer_string(out, "))");
    return COVER_MORE;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static cover opening_fact(const sql_writer *a, buffer *out, const tby_query *query, const query_node *node)
{
    pg_values *v = a->values;
    const query_span moves = node->u.t.text;
    buffer hex = {0};
    buffer_string(&hex, "\\x");
    buffer_hex(&hex, query_bytes(query, moves), moves.n);
    buffer_printf(out, "%1$shasOpening(g.moves, $%2$zu::bytea::%1$schessgame)", a->server->ext, pg_value_take(v, &hex));
    return COVER_EXACT;
}

size_t board_value(pg_values *v, const query_node *node)
{
    char fen[TBY_FEN_SIZE];
    const tby_setup setup = query_node_setup(node);
    tby_fen_write(fen, sizeof fen, &setup, TBY_FEN_SHREDDER);
    return pg_value(v, fen);
}

static cover board_fact(const sql_writer *a, buffer *out, const query_node *node)
{
    buffer_printf(out, "%1$s%2$s(g.moves, $%3$zu::%1$schessboard)", a->server->ext,
                  node->type == Q_BOARD ? "hasBoard" : "hasPosition", board_value(a->values, node));
    return COVER_MORE;
}

/* The games of the collection are known. */
static cover collection_fact(const sql_writer *a, buffer *out, const tby_query *query, const query_node *node)
{
    const collection_games *games = members_of(a->members, query, node);
    buffer ids = {0};
    put_ids(&ids, games->ids, games->n);
    buffer_printf(out, "(%sg.id = ANY ($%zu::bigint[]))", node_is_uncollected(node) ? "NOT " : "",
                  pg_value_take(a->values, &ids));
    return COVER_EXACT;
}

static cover write_fact(void *context, buffer *out, const tby_query *query, const query_node *node, uint32_t id)
{
    sql_writer *a = context;
    const query_fact *fact = fact_of_node(node);
    const row_column *column = fact->columns[0].name ? column_named(fact->columns[0].name) : NULL;
    (void)id;
    if (node_is_collection(node))
        return collection_fact(a, out, query, node);
    if (fact->value == VALUE_POSITION)
        return board_fact(a, out, node);
    if (!fact->columns[0].name || (column && column->kind == COLUMN_JSON) ||
        (column && column->kind == COLUMN_NAME && fact->holds))
        return COVER_NONE;
    switch ((fact_value)fact->value) {
    case VALUE_OPENING: return opening_fact(a, out, query, node);
    case VALUE_CODES: return eco_fact(a, out, query, node);
    case VALUE_NONE:
    case VALUE_TEXT:
        if (column->kind == COLUMN_RECORD)
            return plan_fact(out, node, "g");
        plan_columns(out, node, a, put_text_fact);
        return a->covered;
    default: return plan_fact(out, node, "g");
    }
}

static void mark_values(void *context, dialect_mark *mark)
{
    const pg_values *v = ((const sql_writer *)context)->values;
    mark->n_values = v->n;
    mark->n_bytes = v->texts.n;
}

static void reset_values(void *context, const dialect_mark *mark)
{
    pg_values *v = ((const sql_writer *)context)->values;
    v->n = mark->n_values;
    v->texts.n = mark->n_bytes;
}

/* ---- All facts -------------------------------------------------------------------------------------------------- */

bool sql_plan(plan *out, const tby_query *query, query_members *members, pg_values *v, const server *to)
{
    sql_writer a = {.values = v, .server = to, .query = query, .members = members};
    const dialect d = {mark_values, reset_values, write_fact, &a};
    return plan_make(out, query, &d);
}
