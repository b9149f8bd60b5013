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

static bool ends_word(char c) { return c == ' ' || c == ',' || c == '\n'; }
static bool ends_number(char c) { return c < '0' || c > '9'; }

/* The length of the next part of a text, between which interrupts are checked. It ends after a byte that ends a word or a
   number, so it can only be long if one of those is. */
static size_t part_size(tby_text text, bool (*is_end)(char c))
{
    enum { PART = 64 * 1024 };
    size_t n = PART;
    if (text.n <= PART)
        return text.n;
    while (n > 0 && !is_end(text.s[n - 1]))
        n--;
    if (n == 0)
        for (n = PART; n < text.n && !is_end(text.s[n - 1]);)
            n++;
    CHECK_FOR_INTERRUPTS();
    return n;
}

typedef struct word_list {
    Datum *words;
    size_t n, room;
} word_list;

static void add_words(word_list *list, tby_text part)
{
    const size_t n = tby_query_words(NULL, 0, part.s, part.n);
    char *words = MemoryContextAllocHuge(CurrentMemoryContext, n + 1);
    tby_query_words(words, n, part.s, part.n);
    for (const char *word = words; word < words + n; word += strlen(word) + 1) {
        if (list->n == list->room) {
            list->room = 2 * list->room + 16;
            list->words = list->words ? repalloc_huge(list->words, list->room * sizeof *list->words)
                                      : palloc(list->room * sizeof *list->words);
        }
        list->words[list->n++] =
            text_datum(word, (size_t)pg_encoding_mbcliplen(PG_UTF8, word, (int)strlen(word), WORD_SIZE));
    }
    pfree(words);
}

SQL_FUNCTION(tabiya_name_words)
{
    tby_text name = PG_GETARG_UTF8(0);
    word_list list = {NULL, 0, 0};
    while (name.n) {
        const size_t n = part_size(name, ends_word);
        add_words(&list, (tby_text){name.s, n});
        name.s += n;
        name.n -= n;
    }
    PG_RETURN_ARRAYTYPE_P(construct_array(list.words, (int)list.n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* Adds the key of a text, without its first bytes and the NUL at its end. */
static void add_key(StringInfo out, tby_text text, size_t skipped)
{
    static tby_order order; /* by any column with a name: by White */
    const tby_row row = {.white = text};
    tby_text fault;
    if (order.n == 0 && !tby_order_read(&order, "white", &fault))
        elog(ERROR, "no order by White");
    const size_t n = tby_order_key(NULL, 0, &order, &row);
    char *key = MemoryContextAllocHuge(CurrentMemoryContext, n);
    tby_order_key(key, n, &order, &row);
    appendBinaryStringInfo(out, key + skipped, (int)(n - skipped - 1));
    pfree(key);
}

/* The key of a text begins with a 1 if the text is known. The keys of its parts follow each other; a part begins with the
   last byte of the one before, so that a question mark there does not make it unknown. */
SQL_FUNCTION(tabiya_sort_key)
{
    const tby_text name = PG_GETARG_UTF8(0);
    StringInfoData key;
    size_t at = part_size(name, ends_number);
    initStringInfo(&key);
    add_key(&key, (tby_text){name.s, at}, 0);
    if (key.data[0] != 1)
        PG_RETURN_NULL();
    while (at < name.n) {
        const size_t n = part_size((tby_text){name.s + at, name.n - at}, ends_number);
        add_key(&key, (tby_text){name.s + at - 1, n + 1}, 2);
        at += n;
    }
    appendStringInfoChar(&key, '\0');
    return bytes_datum(key.data, (size_t)key.len);
}
