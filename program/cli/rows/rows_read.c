/*
 * rows_read.c - turns all games of a file into rows, in many threads. PGN games are never built as trees.
 */
#include "rows.h"

/* State while a part is read. */
typedef struct reading {
    const rows_job *job;
    part *part;
    rows_result *result;
    tby_rows_reader *reader;
} reading;

static void *result_new(void *context) { return rows_result_new(context); }
static void result_free(void *result) { rows_result_free(result); }

/* ---- Work ------------------------------------------------------------------------------------------------------- */

static void tell_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    note_fault(&r->part->notes, r->part->job->name, fault, tby_rows_reader_where(r->reader).n_games);
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

static void hand_over_many(const reading *r)
{
    if (!rows_are_many(r->result))
        return;
    number_games(r, part_games_before(r->part));
    rows_encode(r->job, r->result);
    part_flush(r->part);
}

static void read_games(reading *r)
{
    for (;;) {
        const uint64_t n_before = tby_rows_reader_where(r->reader).n_games;
        const tby_game_read read = tby_rows_reader_next(r->reader, r->result->table, tell_fault, r);
        if (read == TBY_GAME_END)
            return;
        memory_need(read != TBY_GAME_NO_MEMORY);
        if (tby_rows_reader_where(r->reader).n_games == n_before)
            r->result->has_bad_file = true;
        hand_over_many(r);
    }
}

static void work(void *context, part *p)
{
    reading r = {.job = context, .part = p, .result = p->result};
    r.reader = memory_got(tby_rows_reader_new(r.job->rows, p->job->from, part_read, p, NULL));
    read_games(&r);
    const tby_games_place place = tby_rows_reader_where(r.reader);
    p->n_lines = place.n_lines;
    number_games(&r, part_games_before(p));
    part_tell_games(p, place.n_games);
    rows_encode(r.job, r.result);
    r.result->counts = tby_rows_reader_counts(r.reader);
    tby_rows_reader_free(r.reader);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static void merge(void *context, part *p) { rows_merge(context, p, p->result); }

bool rows_read(rows_job *j, const char *path, const char *from, unsigned n_threads)
{
    job steps = {
        .context = j,
        .result_new = result_new,
        .result_free = result_free,
        .work = work,
        .merge = merge,
    };
    j->games_before = j->total.games;
    input *in = job_open(&steps, path, from);
    return in && parallel_run(in, n_threads, &steps);
}
