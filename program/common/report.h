/*
 * report.h - writes what tabiya report shows.
 */
#ifndef TABIYA_COMMON_REPORT_H
#define TABIYA_COMMON_REPORT_H

#include "tabiya_db.h"
#include "tables.h"

/* How many lines of a part are shown if at most `limit` openings, variations and opponents are wanted; 0: all. */
size_t report_n_shown(const tby_report *r, tby_report_part part, size_t limit);
/* All parts as one table, with the totals first. */
table report_table(tby_report *r, const char *name, size_t limit);
/* One object, on one line. */
void report_write_json(buffer *out, tby_report *r, const char *name, size_t limit);

#endif
