/*
 * rows_found.c - turns the games that a search finds into rows, in many threads.
 *
 *     main: find --> copies of stored games --> [block] [block] [block] --> workers: rows, encoded --> main: merge
 *
 * A source belongs to the main thread, which finds the games and copies them as stored. The contents of a block do not
 * depend on the number of threads, so neither does the output.
 */
#include "progress.h"
#include "rows.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_GAMES = 512, BLOCK_BYTES = 1 << 20 };

/* Stored games, and the rows made from them. */
typedef struct block {
    buffer bytes; /* of all texts of `games`, one after the other */
    size_t n_games;
    tby_row games[BLOCK_GAMES];       /* their texts are in `bytes`, which may move when it grows: see add_game */
    tby_game_id ids[BLOCK_GAMES];     /* in the column `game` */
    const char *sources[BLOCK_GAMES]; /* their names */
    rows_result *result;
} block;

typedef struct pool {
    rows_job *job;
    const sources *sources;
    const source *visited;
    uint64_t games_before; /* in the sources before it, to number the games of files */
    uint64_t n_unread;
    struct run *run;
} pool;

static void *block_new(void *context)
{
    block *b = memory_new(1, sizeof *b);
    b->result = rows_result_new(((const pool *)context)->job);
    return b;
}

static void block_free(void *memory)
{
    block *b = memory;
    rows_result_free(b->result);
    buffer_free(&b->bytes);
    free(b);
}

/* ---- Copies of stored games ------------------------------------------------------------------------------------- */

static void block_add(block *b, const tby_row *row, tby_game_id id, const char *name)
{
    const size_t n = tby_row_texts_size(row);
    memory_need(buffer_grow(&b->bytes, n + 1));
    tby_row_texts_copy(row, b->bytes.s + b->bytes.n);
    b->bytes.n += n;
    b->games[b->n_games] = *row;
    b->sources[b->n_games] = name;
    b->ids[b->n_games++] = id;
}

/* ---- Work ------------------------------------------------------------------------------------------------------- */

static void tell_fault(part *p, size_t index, const tby_error *err)
{
    char why[TBY_ERROR_SIZE];
    block *b = p->result;
    tby_error_write(why, sizeof why, err);
    buffer_printf(&p->notes.text, "%s: game %" PRId64 ": %s\n", b->sources[index], b->ids[index], why);
    b->result->counts.bad++;
}

static void add_game(tby_rows_reader *reader, tby_game *game, part *p, size_t index, size_t *at)
{
    block *b = p->result;
    static const tby_error null_move = {.status = TBY_ILLEGAL_NULL_MOVE, .detail = "in the main line of a game"};
    tby_error err = {.status = TBY_OK};
    *at += tby_row_texts_point(&b->games[index], b->bytes.s + *at);
    const tby_status status = tby_row_game(game, &b->games[index], &err);
    memory_need(status != TBY_NO_MEMORY);
    if (status != TBY_OK) {
        tell_fault(p, index, &err);
        return;
    }
    switch (tby_rows_reader_add(reader, b->result->table, game, b->ids[index])) {
    case TBY_GAME_BAD: tell_fault(p, index, &null_move); break;
    case TBY_GAME_NO_MEMORY: memory_failed();
    default: b->result->n_picked++; break;
    }
}

static void work(void *context, part *p)
{
    const rows_job *j = ((const pool *)context)->job;
    block *b = p->result;
    tby_rows_reader *reader = memory_got(tby_rows_reader_new_empty(j->rows, NULL));
    tby_game *game = memory_got(tby_game_new(NULL));
    size_t at = 0;
    for (size_t i = 0; i < b->n_games; i++)
        add_game(reader, game, p, i, &at);
    const tby_rows_counts counts = tby_rows_reader_counts(reader);
    b->result->counts.plies = counts.plies;
    b->result->counts.rows = counts.rows;
    b->result->counts.left_out = counts.left_out;
    rows_encode(j, b->result);
    tby_rows_reader_free(reader);
    tby_game_free(game);
}

/* ---- The main thread -------------------------------------------------------------------------------------------- */

static void merge(void *context, part *p)
{
    block *b = p->result;
    rows_merge(((pool *)context)->job, p, b->result);
    b->n_games = b->bytes.n = 0;
}

/* Games of files are numbered in the whole of the input. */
static int64_t number_of(pool *p, const source *s, tby_game_id id)
{
    if (p->visited != s) {
        p->visited = s;
        p->games_before = 0;
        for (size_t i = 0; source_is_file(s) && p->sources->of[i] != s; i++)
            p->games_before += source_count(p->sources->of[i]).games;
    }
    return id + (int64_t)p->games_before;
}

static bool take_game(void *context, source *s, const tby_db_hit *hit)
{
    pool *p = context;
    block *b = parallel_part(p->run)->result;
    tby_row row;
    if (source_row(s, hit->id, &row) != TBY_OK) {
        progress_hide();
        out_flush();
        error_print("rows: %s: %s", source_name(s), source_error(s));
        p->n_unread++;
        input_incomplete();
        return true;
    }
    block_add(b, &row, number_of(p, s, hit->id), source_name(s));
    if (b->n_games == BLOCK_GAMES || b->bytes.n >= BLOCK_BYTES)
        parallel_hand_over(p->run);
    return true;
}

/* All games count as read, whether they are selected or not. */
bool rows_read_found(rows_job *j, const sources *from, query *q, unsigned n_threads)
{
    pool p = {.job = j, .sources = from};
    const job steps = {.context = &p, .result_new = block_new, .result_free = block_free, .work = work, .merge = merge};
    const visits each = {.sources = from, .query = q, .work = "reading", .visit = take_game, .context = &p};
    q->search.wanted = TBY_WANTED_GAMES;
    q->search.n_threads = n_threads;
    p.run = parallel_begin(&steps, n_threads);
    p.n_unread += visits_run(&each);
    if (((block *)parallel_part(p.run)->result)->n_games > 0)
        parallel_hand_over(p.run);
    parallel_end(p.run);
    for (size_t i = 0; i < from->n; i++) {
        const source_counts counts = source_count(from->of[i]);
        j->total.games += counts.games;
        j->total.bad += counts.bad;
    }
    return p.n_unread == 0;
}
