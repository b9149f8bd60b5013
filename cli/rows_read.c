/*
 * rows_read.c - games to rows, by many threads, and rows to the output in the order of the input.
 *
 * A worker makes the rows of its part and encodes them. Rows of parts that have few, and those of which some are
 * chosen, are gathered and encoded by the main thread. Neither depends on the number of threads, so the output does not
 * either.
 */
#include "messages.h"
#include "progress.h"
#include "rows.h"

#include <stdlib.h>

enum {
    FEW_ROWS = 1 << 13,  /* fewer are gathered */
    MANY_ROWS = 1 << 17, /* as many are handed over at once */
    MANY_BYTES = 1 << 26
};

typedef struct rows_result {
    tby_table *table;
    tby_table_piece *piece;
    bool is_encoded;
    report faults;
    tby_rows_counts counts;
    bool has_bad_file;
} rows_result;

/* A part while it is read. */
typedef struct reading {
    const rows_job *job;
    part *part;
    rows_result *result;
    tby_rows_reader *reader;
} reading;

static void no_memory(void) { error_exit("out of memory"); }

static tby_table *table_new(const rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    tby_table *table = tby_table_new(columns, n_columns, NULL);
    if (!table)
        no_memory();
    return table;
}

static tby_table_piece *piece_new(const rows_job *j)
{
    tby_table_piece *piece = tby_table_piece_new(j->format, NULL);
    if (!piece)
        no_memory();
    return piece;
}

static void *result_new(void *context)
{
    rows_result *res = memory_new(1, sizeof *res);
    res->table = table_new(context);
    res->piece = piece_new(context);
    return res;
}

static void result_free(void *memory)
{
    rows_result *res = memory;
    tby_table_free(res->table);
    tby_table_piece_free(res->piece);
    report_free(&res->faults);
    free(res);
}

/* ---- Work ------------------------------------------------------------------------------------------------------- */

static void tell_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    note_fault(&r->result->faults, r->job->name, fault, tby_rows_reader_where(r->reader).n_games);
}

/* Games are numbered in the whole of the inputs. */
static void number_games(const reading *r, uint64_t before)
{
    const int column = tby_rows_game_column(r->job->rows);
    if (column < 0)
        return;
    const size_t n = tby_table_n_rows(r->result->table);
    int64_t *games = tby_table_values(r->result->table, (size_t)column);
    for (size_t i = 0; i < n; i++)
        games[i] += (int64_t)(before + r->job->games_before);
}

static void encode(const reading *r)
{
    rows_result *res = r->result;
    res->is_encoded = !r->job->select && tby_table_n_rows(res->table) >= FEW_ROWS;
    if (res->is_encoded && !tby_table_encode(res->piece, res->table, r->job->n_columns))
        no_memory();
}

static void hand_over_many(const reading *r)
{
    const tby_table *table = r->result->table;
    if (tby_table_n_rows(table) < MANY_ROWS && tby_table_size(table) < MANY_BYTES)
        return;
    number_games(r, part_games_before(r->part));
    encode(r);
    part_flush(r->part);
}

static void read_games(reading *r)
{
    for (;;) {
        const uint64_t n_before = tby_rows_reader_where(r->reader).n_games;
        const tby_game_read read = tby_rows_reader_next(r->reader, r->result->table, tell_fault, r);
        if (read == TBY_GAME_END)
            return;
        if (read == TBY_GAME_NO_MEMORY)
            no_memory();
        if (tby_rows_reader_where(r->reader).n_games == n_before)
            r->result->has_bad_file = true;
        hand_over_many(r);
    }
}

static void work(void *context, part *p)
{
    reading r = {.job = context, .part = p, .result = p->result};
    r.reader = tby_rows_reader_new(r.job->rows, r.job->from, part_read, p, NULL);
    if (!r.reader)
        no_memory();
    read_games(&r);
    const tby_games_place place = tby_rows_reader_where(r.reader);
    r.result->counts = tby_rows_reader_counts(r.reader);
    p->n_lines = place.n_lines;
    number_games(&r, part_games_before(p));
    part_tell_games(p, place.n_games);
    encode(&r);
    tby_rows_reader_free(r.reader);
}

/* ---- Merging ---------------------------------------------------------------------------------------------------- */

static void write_piece(rows_job *j, const tby_table_piece *piece, size_t n_rows)
{
    if (!tby_table_writer_add(j->writer, piece))
        no_memory(); /* the output itself ends the program when it fails */
    j->n_written += n_rows;
}

static void write_table(rows_job *j, tby_table *table)
{
    if (tby_table_n_rows(table) == 0)
        return;
    if (!tby_table_encode(j->piece, table, j->n_columns))
        no_memory();
    write_piece(j, j->piece, tby_table_n_rows(table));
    tby_table_cut(table, 0);
}

static void gather(rows_job *j, const tby_table *table)
{
    tby_table_append(j->gathered, table, 0, tby_table_n_rows(table));
    if (tby_table_n_rows(j->gathered) >= 4 * FEW_ROWS || tby_table_size(j->gathered) >= MANY_BYTES)
        write_table(j, j->gathered);
}

static void choose(rows_job *j, const tby_table *table)
{
    row_select_add(j->select, table);
    tby_table *ready = row_select_ready(j->select, false);
    if (ready && (tby_table_n_rows(ready) >= 4 * FEW_ROWS || tby_table_size(ready) >= MANY_BYTES))
        write_table(j, ready);
}

static void print_faults(const part *p, const report *faults)
{
    if (faults->text.n == 0)
        return;
    progress_hide();
    out_flush();
    notes_print(faults, p->lines_before, p->games_before);
}

static void merge(void *context, part *p)
{
    rows_job *j = context;
    rows_result *res = p->result;
    print_faults(p, &res->faults);
    if (j->select) {
        choose(j, res->table);
    } else if (res->is_encoded) {
        write_table(j, j->gathered);
        write_piece(j, res->piece, tby_table_n_rows(res->table));
    } else {
        gather(j, res->table);
    }
    j->total.games += res->counts.games;
    j->total.bad += res->counts.bad;
    j->total.plies += res->counts.plies;
    j->total.rows += res->counts.rows;
    j->total.left_out += res->counts.left_out;
    j->has_bad_file |= res->has_bad_file;
    res->counts = (tby_rows_counts){0};
    report_clear(&res->faults);
    tby_table_cut(res->table, 0);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

void rows_begin(rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    j->gathered = table_new(j);
    j->piece = piece_new(j);
    j->writer = tby_table_writer_new(j->format, columns, j->n_columns, out_sink, NULL, NULL);
    if (!j->writer || !tby_table_writer_begin(j->writer))
        no_memory();
}

bool rows_read(rows_job *j, input *in, unsigned n_threads)
{
    const job steps = {
        .context = j,
        .cut = j->from->last_boundary,
        .result_new = result_new,
        .result_free = result_free,
        .work = work,
        .merge = merge,
    };
    j->games_before = j->total.games;
    return parallel_run(in, n_threads, &steps);
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
