/*
 * queries.c - queries as values: see docs/query.md for the language.
 *
 * A chessquery is the text of a query in its canonical form. The functions that check it against games are in shared.c.
 */
#include "extension.h"

#include <catalog/pg_type.h>
#include <libpq/pqformat.h>
#include <mb/pg_wchar.h>
#include <utils/array.h>

/* ---- Queries ----------------------------------------------------------------------------------------------- */

tby_query *query_read(tby_text text, const tby_allocator *allocator)
{
    static const tby_query_options options = {.without_row = true};
    tby_query_error err;
    tby_query *query = tby_query_new(text.s, text.n, &options, allocator, &err);
    if (query)
        return query;
    if (err.status == TBY_NO_MEMORY)
        ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
    ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                    errmsg("query, column %llu: %s", (unsigned long long)err.column,
                           pg_any_to_server(err.text, (int)strlen(err.text), PG_UTF8))));
}

/* The query in its canonical form. */
static Datum query_value(tby_text text)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_query *query = query_read(text, &allocator);
    const size_t n = tby_query_write(NULL, 0, query);
    char *written = palloc(n + 1);
    tby_query_write(written, n + 1, query);
    tby_query_free(query);
    return text_datum(written, n);
}

SQL_FUNCTION(tabiya_chessquery_in)
{
    return query_value(text_of(PointerGetDatum(cstring_to_text(PG_GETARG_CSTRING(0)))));
}

SQL_FUNCTION(tabiya_chessquery_out) { return textout(fcinfo); }

SQL_FUNCTION(tabiya_chessquery_recv)
{
    StringInfo message = (StringInfo)PG_GETARG_POINTER(0);
    int n;
    char *s = pq_getmsgtext(message, message->len - message->cursor, &n);
    return query_value(text_of(PointerGetDatum(cstring_to_text_with_len(s, n))));
}

SQL_FUNCTION(tabiya_chessquery_send) { return textsend(fcinfo); }

/* ---- Names ------------------------------------------------------------------------------------------------- */

/* A key of a GIN index has at most about 2,700 bytes; longer words are cut. The program relies on this. */
enum { WORD_SIZE = 500 };

SQL_FUNCTION(tabiya_name_words)
{
    const tby_text name = PG_GETARG_UTF8(0);
    const size_t n = tby_query_words(NULL, 0, name.s, name.n);
    char *words = palloc(n + 1);
    Datum *list = palloc((n / 2 + 1) * sizeof *list);
    int n_words = 0;
    tby_query_words(words, n, name.s, name.n);
    for (const char *word = words; word < words + n; word += strlen(word) + 1)
        list[n_words++] = text_datum(word, (size_t)pg_encoding_mbcliplen(PG_UTF8, word, (int)strlen(word), WORD_SIZE));
    PG_RETURN_ARRAYTYPE_P(construct_array(list, n_words, TEXTOID, -1, false, TYPALIGN_INT));
}

SQL_FUNCTION(tabiya_sort_key)
{
    static tby_order order; /* by any column with a name: by White */
    const tby_text name = PG_GETARG_UTF8(0);
    const tby_row row = {.white = {name.s, name.n}};
    tby_text fault;
    if (order.n == 0 && !tby_order_read(&order, "white", &fault))
        PG_RETURN_NULL();
    const size_t n = tby_order_key(NULL, 0, &order, &row);
    char *key = palloc(n);
    tby_order_key(key, n, &order, &row);
    if (key[0] != 1)
        PG_RETURN_NULL();
    return bytes_datum(key, n);
}
