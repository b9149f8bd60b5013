/*
 * rows_found.c - turns the games that a search finds into rows, in many threads.
 *
 *     main: find --> copies of stored games --> [block] [block] [block] --> workers: rows, encoded --> main: merge
 *
 * A source belongs to the main thread, which finds the games and copies them as stored. Blocks are in a ring; if the
 * next one is still being processed, the main thread waits for it. The contents of a block do not depend on the number
 * of threads, so neither does the output. With one thread, the steps are done one after the other.
 */
#include "progress.h"
#include "rows.h"
#include "support/threads.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_GAMES = 512, BLOCK_BYTES = 1 << 20, BLOCKS_MAX = 24 };

/* Stored games, and the rows made from them. */
typedef struct block {
    buffer bytes; /* of all texts of `games`, one after the other */
    size_t n_games;
    tby_row games[BLOCK_GAMES];       /* their texts are in `bytes`, which may move when it grows: see add_game */
    tby_game_id ids[BLOCK_GAMES];     /* in the column `game` */
    const char *sources[BLOCK_GAMES]; /* their names */
    rows_result *result;
    bool is_done;
} block;

typedef struct pool {
    rows_job *job;
    const sources *sources;
    const source *visited;
    uint64_t games_before; /* in the sources before it, to number the games of files */
    uint64_t n_unread;
    bool is_alone, is_over;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* the state of some block */
    block *blocks;
    size_t n_blocks;
    uint64_t n_filled, n_taken, n_merged; /* block number i is blocks[i % n_blocks] */
} pool;

static block *block_at(pool *p, uint64_t number) { return &p->blocks[number % p->n_blocks]; }

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

/* What a thread needs. */
typedef struct worker {
    const rows_job *job;
    tby_rows_reader *reader;
    tby_game *game;
} worker;

static worker worker_begin(const pool *p)
{
    const worker w = {p->job, tby_rows_reader_new_empty(p->job->rows, NULL), tby_game_new(NULL)};
    memory_need(w.reader && w.game);
    return w;
}

static void worker_end(worker *w)
{
    tby_rows_reader_free(w->reader);
    tby_game_free(w->game);
}

static void tell_fault(block *b, size_t index, const tby_error *err)
{
    char why[TBY_ERROR_SIZE];
    tby_error_write(why, sizeof why, err);
    buffer_printf(&b->result->faults.text, "%s: game %" PRId64 ": %s\n", b->sources[index], b->ids[index], why);
    b->result->counts.bad++;
}

static void add_game(const worker *w, block *b, size_t index, size_t *at)
{
    static const tby_error null_move = {.status = TBY_ILLEGAL_NULL_MOVE, .detail = "in the main line of a game"};
    tby_error err = {.status = TBY_OK};
    *at += tby_row_texts_point(&b->games[index], b->bytes.s + *at);
    const tby_status status = tby_row_game(w->game, &b->games[index], &err);
    memory_need(status != TBY_NO_MEMORY);
    if (status != TBY_OK) {
        tell_fault(b, index, &err);
        return;
    }
    switch (tby_rows_reader_add(w->reader, b->result->table, w->game, b->ids[index])) {
    case TBY_GAME_BAD: tell_fault(b, index, &null_move); break;
    case TBY_GAME_NO_MEMORY: memory_failed();
    default: b->result->n_picked++; break;
    }
}

static void work(const worker *w, block *b)
{
    const tby_rows_counts before = tby_rows_reader_counts(w->reader);
    size_t at = 0;
    for (size_t i = 0; i < b->n_games; i++)
        add_game(w, b, i, &at);
    const tby_rows_counts after = tby_rows_reader_counts(w->reader);
    b->result->counts.plies = after.plies - before.plies;
    b->result->counts.rows = after.rows - before.rows;
    b->result->counts.left_out = after.left_out - before.left_out;
    rows_encode(w->job, b->result);
}

static block *take_block(pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->n_taken == p->n_filled && !p->is_over)
        pthread_cond_wait(&p->changed, &p->lock);
    block *b = p->n_taken < p->n_filled ? block_at(p, p->n_taken++) : NULL;
    pthread_mutex_unlock(&p->lock);
    return b;
}

static void *work_thread(void *context)
{
    pool *p = context;
    worker w = worker_begin(p);
    for (block *b; (b = take_block(p)) != NULL;) {
        work(&w, b);
        pthread_mutex_lock(&p->lock);
        b->is_done = true;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    worker_end(&w);
    return NULL;
}

/* ---- The main thread -------------------------------------------------------------------------------------------- */

static void merge_next(pool *p)
{
    block *b = block_at(p, p->n_merged++);
    if (p->is_alone) {
        worker w = worker_begin(p);
        work(&w, b);
        worker_end(&w);
    } else {
        pthread_mutex_lock(&p->lock);
        while (!b->is_done)
            pthread_cond_wait(&p->changed, &p->lock);
        pthread_mutex_unlock(&p->lock);
    }
    rows_tell(b->result, 0, 0);
    rows_merge(p->job, b->result);
    b->is_done = false;
    b->n_games = b->bytes.n = 0;
}

static void hand_over(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->n_filled++;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (p->n_filled - p->n_merged == p->n_blocks)
        merge_next(p);
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
    block *b = block_at(p, p->n_filled);
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
        hand_over(p);
    return true;
}

static void merge_rest(pool *p)
{
    if (block_at(p, p->n_filled)->n_games > 0)
        hand_over(p);
    while (p->n_merged < p->n_filled)
        merge_next(p);
}

static void find_games(pool *p, query *q)
{
    const visits each = {.sources = p->sources, .query = q, .work = "reading", .visit = take_game, .context = p};
    p->n_unread += visits_run(&each);
    merge_rest(p);
}

static void find_together(pool *p, query *q, unsigned n_threads)
{
    pthread_t *threads = memory_new(n_threads, sizeof *threads);
    const unsigned n = threads_start(threads, n_threads, work_thread, p);
    p->is_alone = n == 0;
    find_games(p, q);
    pthread_mutex_lock(&p->lock);
    p->is_over = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    threads_join(threads, n);
    free(threads);
}

/* ---- All sources ------------------------------------------------------------------------------------------------ */

static void pool_begin(pool *p, unsigned n_threads)
{
    const size_t n_blocks = 4 * (size_t)n_threads + 2;
    p->is_alone = n_threads == 1;
    p->n_blocks = p->is_alone ? 1 : n_blocks < BLOCKS_MAX ? n_blocks : BLOCKS_MAX;
    p->blocks = memory_new(p->n_blocks, sizeof *p->blocks);
    for (size_t i = 0; i < p->n_blocks; i++)
        p->blocks[i].result = rows_result_new(p->job);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
}

static void pool_end(pool *p)
{
    for (size_t i = 0; i < p->n_blocks; i++) {
        rows_result_free(p->blocks[i].result);
        buffer_free(&p->blocks[i].bytes);
    }
    free(p->blocks);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
}

/* All games count as read, whether they are selected or not. */
bool rows_read_found(rows_job *j, const sources *from, query *q, unsigned n_threads)
{
    pool p = {.job = j, .sources = from};
    q->search.wanted = TBY_WANTED_GAMES;
    q->search.n_threads = n_threads;
    pool_begin(&p, n_threads);
    if (p.is_alone)
        find_games(&p, q);
    else
        find_together(&p, q, n_threads);
    pool_end(&p);
    for (size_t i = 0; i < from->n; i++) {
        const source_counts counts = source_count(from->of[i]);
        j->total.games += counts.games;
        j->total.bad += counts.bad;
    }
    return p.n_unread == 0;
}
