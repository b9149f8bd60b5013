/*
 * fuzz_query.c - any text as a query: it is refused at an offset inside it, or written and read back as the same query.
 * The same text as a file of named patterns is accepted, or refused at an offset inside it.
 */
#include "support.h"
#include "tabiya_query.h"

static void check_refusal(const tby_query_error *err, tby_query_part part, const char *s, size_t n)
{
    char text[512];
    require(err->status != TBY_OK && err->text[0] != '\0');
    require(err->part == part && err->offset <= n);
    tby_query_error_write(text, sizeof text, err, s, n);
}

static void read_patterns(const char *s, size_t n)
{
    const tby_query_options options = {.patterns = s, .n_patterns = n};
    tby_query_error err;
    tby_query *q = tby_query_new("initial", 7, &options, NULL, &err);
    if (!q)
        check_refusal(&err, TBY_QUERY_IN_PATTERNS, s, n);
    tby_query_free(q);
}

static void look_at_needs(const tby_query *q)
{
    tby_query_must must;
    size_t n = 0;
    while (tby_query_must_at(q, n, &must))
        n++;
    require(n <= TBY_QUERY_COPIES_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    tby_query_error err;
    read_patterns(s, size);
    tby_query *q = tby_query_new(s, size, NULL, NULL, &err);
    if (!q) {
        check_refusal(&err, TBY_QUERY_IN_TEXT, s, size);
        return 0;
    }
    look_at_needs(q);
    const size_t n = tby_query_write(NULL, 0, q);
    char *first = malloc(n + 1), *again = malloc(n + 1);
    require(first && again && tby_query_write(first, n + 1, q) == n);
    /* With its numbers written in full, the text may exceed the size limit. */
    tby_query *back = tby_query_new(first, n, NULL, NULL, &err);
    require(back != NULL || n > TBY_QUERY_TEXT_MAX);
    if (back)
        require(tby_query_write(again, n + 1, back) == n && memcmp(first, again, n) == 0);
    free(first);
    free(again);
    tby_query_free(back);
    tby_query_free(q);
    return 0;
}
