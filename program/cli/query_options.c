/*
 * query_options.c - which games of a database, from the options of find, export, delete and explore.
 */
#include "query_options.h"
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>

/* A condition is given once: the library knows one of each. */
static void refuse_repetition(const args *a)
{
    bool seen[N_QUERY_OPTIONS] = {false};
    for (size_t i = 0; i < a->n_given; i++) {
        const int index = a->given[i].index;
        if (index >= N_QUERY_OPTIONS)
            continue;
        if (seen[index])
            error_exit("%s: --%s is given twice; a query can say more", a->command->name,
                       a->command->options[index].name);
        seen[index] = true;
    }
}

void query_of_options(query *q, const args *a, size_t n_words, const char *match, tby_db *db)
{
    char who[32], *words = a->n_words > n_words ? words_join(a, n_words) : NULL;
    query_values values = {.who = who, .dashes = "--"};
    problem p = {0};
    refuse_repetition(a);
    snprintf(who, sizeof who, "%s: ", a->command->name);
    values.patterns = patterns_of_option(a, QUERY_PATTERNS);
    values.match = match;
    for (int i = 0; i < N_QUERY_OPTIONS; i++)
        values.of[i] = args_has(a, i) && !args_value(a, i) ? "" : args_value(a, i);
    if (words && values.of[QUERY_QUERY])
        error_exit("%s: a query is given twice: as \"%s\" and by --query", a->command->name, words);
    if (words)
        values.of[QUERY_QUERY] = words;
    query_read(q, &values, db, &p);
    free(words);
    problem_exit(&p);
}

int query_explain(query *q, const args *a, tby_db *db, const tby_position *pos)
{
    buffer text = {0};
    const tby_status status = pos ? tby_db_explain_explore(db, pos, &q->search, buffer_sink, &text)
                                  : tby_db_explain(db, &q->search, buffer_sink, &text);
    if (status != TBY_OK)
        database_failed(a, db);
    out_bytes(text.s, text.n);
    buffer_free(&text);
    query_free(q);
    tby_db_close(db);
    return EXIT_YES;
}
