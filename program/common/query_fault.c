/*
 * query_fault.c - reports what is wrong with a query, and where.
 */
#include "query_fault.h"

#include <string.h>

bool query_fault(problem *p, const char *who, const tby_query_error *err, const char *asked,
                 const tby_query_options *options, const patterns *own)
{
    char sentence[TBY_QUERY_MESSAGE_SIZE];
    if (err->status == TBY_NO_MEMORY)
        return problem_no_memory(p);
    const char *text = err->part == TBY_QUERY_IN_FACTS      ? options->facts
                       : err->part == TBY_QUERY_IN_PATTERNS ? options->patterns
                                                            : asked;
    const size_t n = err->part == TBY_QUERY_IN_FACTS      ? options->n_facts
                     : err->part == TBY_QUERY_IN_PATTERNS ? options->n_patterns
                                                          : strlen(asked);
    tby_query_error_write(sentence, sizeof sentence, err, text, n);
    if (err->part == TBY_QUERY_IN_TEXT && !p->status) {
        p->has_place = true;
        p->offset = err->offset;
        p->length = err->length;
    }
    if (err->part == TBY_QUERY_IN_PATTERNS && own)
        return problem_tell(p, PROBLEM_ASKED, "%s%.100s:%zu:%zu: %s", who, own->path, err->line, err->column, sentence);
    return problem_tell(p, PROBLEM_ASKED, "%s%s", who, sentence);
}

bool patterns_check(const patterns *own, const char *who, problem *p)
{
    const tby_query_options options = {.patterns = own->text.s, .n_patterns = own->text.n};
    tby_query_error err;
    tby_query *query = tby_query_new("initial", 7, &options, NULL, &err);
    tby_query_free(query);
    return query || query_fault(p, who, &err, "initial", &options, own);
}
