/*
 * query.c - the query language: quoting values, and explaining queries.
 */
#include "answer.h"
#include "tabiya_query.h"

#include <string.h>

/* A value as it is written in a query; `is_person`: the value of player, white or black, in any spelling. */
void EXPORT(query_quote)(const char *s, size_t n, bool is_person)
{
    size_t (*quote)(char *, size_t, const char *, size_t) = is_person ? tby_query_quote_person : tby_query_quote;
    const size_t length = quote(NULL, 0, s, n);
    buffer_clear(&answer);
    quote(answer_room(length + 1), length + 1, s, n);
    answer.n += length;
}

static const char *sentence_of(const tby_query_condition *c)
{
    const tby_query_pattern *p;
    for (size_t i = 0; (p = tby_query_pattern_at(i)) != NULL; i++)
        if (strlen(p->name) == c->word.n && memcmp(p->name, c->word.s, c->word.n) == 0)
            return p->sentence;
    return NULL;
}

/* {"query":STRING,"conditions":[{"offset":0,"length":0,"word":STRING,"value":STRING,"name":STRING,"sentence":STRING}]};
   false, and the error as the answer, if it is not a query. */
bool EXPORT(query_understand)(const char *s, size_t n)
{
    tby_query_error err;
    tby_query_condition c;
    tby_query *query = tby_query_new(s, n, NULL, NULL, &err);
    if (!query) {
        answer_query_error(&err);
        return false;
    }
    const size_t length = tby_query_write(NULL, 0, query);
    buffer text = {0};
    tby_query_write(buffer_room(&text, length + 1), length + 1, query);
    answer_begin("{'query':%.*s,'conditions':[", (int)length, text.s);
    for (size_t i = 0; tby_query_condition_at(query, s, n, i, &c); i++)
        answer_add("{'offset':%zu,'length':%zu,'word':%.*s,'value':%.*s,'name':%.*s,'sentence':%s}", c.offset, c.length,
                   (int)c.word.n, c.word.s, (int)c.value.n, c.value.s, (int)c.name.n, c.name.s, sentence_of(&c));
    answer_add("]}");
    buffer_free(&text);
    tby_query_free(query);
    return true;
}
