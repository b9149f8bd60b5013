/*
 * rows_read.c - games of files to rows, by many threads.
 *
 * Without a query games of PGN are never built as trees; a query is asked of trees.
 */
#include "progress.h"
#include "rows.h"

/* A part while it is read. */
typedef struct reading {
    const rows_job *job;
    part *part;
    rows_result *result;
    tby_rows_reader *reader;
    tby_games *games; /* with a query: these three, and the reader is given games */
    tby_game *game;
    filter_worker *worker;
} reading;

static void *result_new(void *context) { return rows_result_new(context); }
static void result_free(void *result) { rows_result_free(result); }

/* ---- Work ------------------------------------------------------------------------------------------------------- */

static tby_games_place where(const reading *r)
{
    return r->games ? tby_games_where(r->games) : tby_rows_reader_where(r->reader);
}

static void tell_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    note_fault(&r->result->faults, r->job->name, fault, where(r).n_games);
}

/* A fault of the last game, which was read without one. */
static void tell_game(reading *r, tby_status status, const char *detail)
{
    const tby_games_place place = where(r);
    tby_game_fault fault = {.line = place.line,
                            .error = {.status = status, .offset = (size_t)place.begin, .detail = detail}};
    tby_error_write(fault.text, sizeof fault.text, &fault.error);
    tell_fault(r, &fault);
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

/* The rows of the last game, if the query holds for it. */
static tby_game_read pick_game(reading *r)
{
    const filter_answer answer = filter_ask(r->worker, r->game);
    if (answer == FILTER_TOO_LONG) {
        tell_game(r, TBY_TOO_LONG, "the game has too many half-moves for a query");
        return TBY_GAME_BAD;
    }
    if (answer == FILTER_NO)
        return TBY_GAME_GOOD;
    const tby_game_read read = tby_rows_reader_add(r->reader, r->result->table, r->game, (int64_t)where(r).n_games);
    if (read == TBY_GAME_BAD)
        tell_game(r, TBY_ILLEGAL_NULL_MOVE, "in the main line of a game");
    r->result->n_picked += read == TBY_GAME_GOOD;
    return read;
}

static tby_game_read next_game(reading *r)
{
    if (!r->games)
        return tby_rows_reader_next(r->reader, r->result->table, tell_fault, r);
    const uint64_t n_before = where(r).n_games;
    tby_game_read read = tby_games_next(r->games, r->game, tell_fault, r);
    if (read == TBY_GAME_GOOD)
        read = pick_game(r);
    r->result->counts.games += where(r).n_games > n_before;
    r->result->counts.bad += read == TBY_GAME_BAD && where(r).n_games > n_before;
    return read;
}

static void read_games(reading *r)
{
    for (;;) {
        const uint64_t n_before = where(r).n_games;
        const tby_game_read read = next_game(r);
        if (read == TBY_GAME_END)
            return;
        if (read == TBY_GAME_NO_MEMORY)
            rows_no_memory();
        if (where(r).n_games == n_before)
            r->result->has_bad_file = true;
        hand_over_many(r);
    }
}

static void begin(reading *r)
{
    if (!r->job->filter) {
        r->reader = tby_rows_reader_new(r->job->rows, r->job->from, part_read, r->part, NULL);
    } else {
        r->reader = tby_rows_reader_new_empty(r->job->rows, NULL);
        r->games = r->job->from->open(part_read, r->part, NULL);
        r->game = tby_game_new(NULL);
        r->worker = filter_worker_new(r->job->filter);
    }
    if (!r->reader || (r->job->filter && (!r->games || !r->game)))
        rows_no_memory();
}

/* The reader counts games too: all of them, or those that were picked. */
static void end(reading *r)
{
    const tby_rows_counts counts = tby_rows_reader_counts(r->reader);
    if (!r->job->filter) {
        r->result->counts = counts;
    } else {
        r->result->counts.plies = counts.plies;
        r->result->counts.rows = counts.rows;
        r->result->counts.left_out = counts.left_out;
        filter_worker_free(r->worker);
        tby_game_free(r->game);
        tby_games_free(r->games);
    }
    tby_rows_reader_free(r->reader);
}

static void work(void *context, part *p)
{
    reading r = {.job = context, .part = p, .result = p->result};
    begin(&r);
    read_games(&r);
    const tby_games_place place = where(&r);
    p->n_lines = place.n_lines;
    number_games(&r, part_games_before(p));
    part_tell_games(p, place.n_games);
    rows_encode(r.job, r.result);
    end(&r);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static void merge(void *context, part *p)
{
    rows_result *res = p->result;
    rows_tell(res, p->lines_before, p->games_before);
    rows_merge(context, res);
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
