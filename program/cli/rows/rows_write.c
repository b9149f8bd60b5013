/*
 * rows_write.c - writes rows in the order of the input.
 *
 * Workers encode the rows of their games. Rows of small parts, and all rows with --distinct or --sample, are collected
 * and encoded by the main thread. None of this depends on the number of threads, so the output does not either.
 */
#include "rows.h"

#include <stdlib.h>

enum {
    FEW_ROWS = 1 << 13,  /* fewer are collected */
    MANY_ROWS = 1 << 17, /* this many are handed over at once */
    MANY_BYTES = 1 << 26
};

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static tby_table *table_new(const rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    return memory_got(tby_table_new(columns, n_columns, NULL));
}

rows_result *rows_result_new(const rows_job *j)
{
    rows_result *res = memory_new(1, sizeof *res);
    res->table = table_new(j);
    res->piece = memory_got(tby_table_piece_new(j->format, NULL));
    return res;
}

void rows_result_free(rows_result *res)
{
    tby_table_free(res->table);
    tby_table_piece_free(res->piece);
    free(res);
}

void rows_encode(const rows_job *j, rows_result *res)
{
    res->is_encoded = !j->select && tby_table_n_rows(res->table) >= FEW_ROWS;
    memory_need(!res->is_encoded || tby_table_encode(res->piece, res->table, j->n_columns));
}

bool rows_are_many(const rows_result *res)
{
    return tby_table_n_rows(res->table) >= MANY_ROWS || tby_table_size(res->table) >= MANY_BYTES;
}

/* ---- Merging ---------------------------------------------------------------------------------------------------- */

static void write_piece(rows_job *j, const tby_table_piece *piece, size_t n_rows)
{
    memory_need(tby_table_writer_add(j->writer, piece)); /* a failed write ends the program */
    j->n_written += n_rows;
}

static void write_table(rows_job *j, tby_table *table)
{
    if (tby_table_n_rows(table) == 0)
        return;
    memory_need(tby_table_encode(j->piece, table, j->n_columns));
    write_piece(j, j->piece, tby_table_n_rows(table));
    tby_table_cut(table, 0);
}

void rows_merge(rows_job *j, const part *p, rows_result *res)
{
    tby_table *ready = j->gathered;
    if (res->counts.bad || res->has_bad_file)
        exit_note(EXIT_NO);
    part_print(p);
    if (j->select) {
        row_select_add(j->select, res->table);
        ready = row_select_ready(j->select, false);
    } else if (res->is_encoded) {
        write_table(j, j->gathered);
        write_piece(j, res->piece, tby_table_n_rows(res->table));
    } else {
        tby_table_append(j->gathered, res->table, 0, tby_table_n_rows(res->table));
    }
    if (ready && (tby_table_n_rows(ready) >= 4 * FEW_ROWS || tby_table_size(ready) >= MANY_BYTES))
        write_table(j, ready);
    j->total.games += res->counts.games;
    j->total.bad += res->counts.bad;
    j->total.plies += res->counts.plies;
    j->total.rows += res->counts.rows;
    j->total.left_out += res->counts.left_out;
    j->n_picked += res->n_picked;
    j->has_bad_file |= res->has_bad_file;
    res->counts = (tby_rows_counts){0};
    res->n_picked = 0;
    tby_table_cut(res->table, 0);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

void rows_begin(rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    j->gathered = table_new(j);
    j->piece = memory_got(tby_table_piece_new(j->format, NULL));
    j->writer = tby_table_writer_new(j->format, columns, j->n_columns, out_sink, NULL, NULL);
    memory_need(j->writer && tby_table_writer_begin(j->writer));
}

void rows_finish(rows_job *j)
{
    write_table(j, j->gathered);
    if (j->select)
        write_table(j, row_select_ready(j->select, true));
}

void rows_end(rows_job *j)
{
    tby_table_writer_free(j->writer);
    tby_table_piece_free(j->piece);
    tby_table_free(j->gathered);
    row_select_free(j->select);
}
