/*
 * rows.h - tabiya rows: what its files share.
 *
 *     cmd_rows.c        the command, and the JSON file next to its output
 *     rows_read.c       turns games into rows, in many threads, and writes them in the order of the input
 *     rows_select.c     --distinct and --sample, which see the rows in the order of the input
 */
#ifndef TABIYA_CLI_ROWS_ROWS_H
#define TABIYA_CLI_ROWS_ROWS_H

#include "console.h"
#include "job.h"
#include "query_options.h"

#include <tabiya_table.h>

typedef struct row_select row_select;

/* `sample` 0: all. The columns are those of the tables; with `is_distinct` the last one is the key. */
row_select *row_select_new(const tby_column *columns, size_t n_columns, bool is_distinct, uint64_t sample,
                           uint64_t seed);
void row_select_free(row_select *s);
/* Takes the selected rows from a table. */
void row_select_add(row_select *s, const tby_table *t);
/* The rows that are certain to be written; the caller then clears them. Without a sample, these are all rows; with one,
   none before the end. */
tby_table *row_select_ready(row_select *s, bool is_end);
uint64_t row_select_n_left_out(const row_select *s);

typedef struct rows_job {
    const tby_rows *rows;
    size_t n_columns; /* that are written */
    const tby_table_format *format;
    const char *query; /* the text of one, for the note; NULL: none */
    bool picks;        /* not all games are taken */
    tby_table_writer *writer;
    row_select *select;  /* NULL: all rows */
    tby_table *gathered; /* rows of parts that have few */
    tby_table_piece *piece;
    uint64_t games_before; /* in the inputs before this one */
    tby_rows_counts total;
    uint64_t n_picked, n_written;
    bool has_bad_file;
} rows_job;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Both false if the input could not be read to its end, which is reported. */
bool rows_read(rows_job *j, const char *path, const char *from, unsigned n_threads);
bool rows_read_found(rows_job *j, const sources *from, query *q, unsigned n_threads);

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

void rows_begin(rows_job *j);
/* Writes the rows that were kept. */
void rows_finish(rows_job *j);
void rows_end(rows_job *j);

#endif
