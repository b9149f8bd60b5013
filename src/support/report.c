/*
 * report.c - text with numbers of lines and games that are only known later.
 */
#include "support/report.h"

#include "support/array.h"

#include <stdlib.h>

void report_mark(report *r, mark_type type, uint64_t number)
{
    if (array_reserve(&r->marks, &r->cap, r->n_marks + 1, sizeof *r->marks, NULL))
        r->marks[r->n_marks++] = (mark){r->text.n, type, number};
    else
        buffer_fail(&r->text);
}

void report_clear(report *r)
{
    buffer_clear(&r->text);
    r->n_marks = 0;
}

void report_free(report *r)
{
    buffer_free(&r->text);
    free(r->marks);
    *r = (report){0};
}

void report_resolve(buffer *out, const report *r, uint64_t lines, uint64_t games)
{
    size_t at = 0;
    out->has_failed = out->has_failed || r->text.has_failed;
    for (size_t i = 0; i < r->n_marks; i++) {
        const mark *m = &r->marks[i];
        buffer_add(out, r->text.s + at, m->at - at);
        buffer_number(out, m->number + (m->type == MARK_LINE ? lines : games));
        at = m->at;
    }
    if (r->text.n)
        buffer_add(out, r->text.s + at, r->text.n - at);
}
