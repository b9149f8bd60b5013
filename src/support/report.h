/*
 * report.h - text with numbers of lines and games that are only known later.
 *
 * A thread that works on the middle of a file only knows the lines and games of its own part. It marks where such
 * numbers belong in a report; the numbers before the part are added when the parts are joined in order.
 */
#ifndef TBY_SUPPORT_REPORT_H
#define TBY_SUPPORT_REPORT_H

#include "support/buffer.h"

typedef enum mark_type { MARK_LINE, MARK_GAME } mark_type;

/* A number, counted from the start of the part, that belongs before text.s[at]. */
typedef struct mark {
    size_t at;
    mark_type type;
    uint64_t number;
} mark;

typedef struct report {
    buffer text;
    mark *marks;
    size_t n_marks, cap;
} report;

void report_mark(report *r, mark_type type, uint64_t number);
void report_clear(report *r);
void report_free(report *r);
/* Writes the report to `out` with its numbers: `lines` lines and `games` games come before the part. */
void report_resolve(buffer *out, const report *r, uint64_t lines, uint64_t games);

#endif
