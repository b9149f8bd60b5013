/*
 * rows_read.c - turns games into rows, in many threads, and writes them in the order of the input.
 *
 * All games of a file are read without building them, if they are PGN. The games that a search finds belong to the main
 * thread, which copies them as they are stored:
 *
 *     main: find --> copies of stored games --> [block] [block] [block] --> workers: rows, encoded --> main: merge
 *
 * Workers encode the rows of their games. Rows of small parts, and all rows with --distinct or --sample, are collected
 * and encoded by the main thread. Neither that nor the contents of a block depends on the number of threads, so the
 * output does not either.
 */
#include "progress.h"
#include "rows.h"
#include "visits.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    FEW_ROWS = 1 << 13,  /* fewer are collected */
    MANY_ROWS = 1 << 17, /* this many are handed over at once */
    MANY_BYTES = 1 << 26
};

enum { BLOCK_GAMES = 512, BLOCK_BYTES = 1 << 20 };

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* What one thread made from some games. */
typedef struct rows_result {
    tby_table *table;
    tby_table_piece *piece;
    bool is_encoded;
    tby_rows_counts counts;
    uint64_t n_picked;
    bool has_bad_file;
} rows_result;

static tby_table *rows_table(const rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    return memory_got(tby_table_new(columns, n_columns, NULL));
}

static void *rows_result_new(void *context)
{
    const rows_job *j = context;
    rows_result *res = memory_new(1, sizeof *res);
    res->table = rows_table(j);
    res->piece = memory_got(tby_table_piece_new(j->format, NULL));
    return res;
}

static void rows_result_free(void *memory)
{
    rows_result *res = memory;
    tby_table_free(res->table);
    tby_table_piece_free(res->piece);
    free(res);
}

/* Encodes the rows if there are many; otherwise they are encoded after being collected. */
static void rows_encode(const rows_job *j, rows_result *res)
{
    res->is_encoded = !j->select && tby_table_n_rows(res->table) >= FEW_ROWS;
    memory_need(!res->is_encoded || tby_table_encode(res->piece, res->table, j->n_columns));
}

/* Are there enough rows to hand them over? */
static bool rows_are_many(const rows_result *res)
{
    return tby_table_n_rows(res->table) >= MANY_ROWS || tby_table_size(res->table) >= MANY_BYTES;
}

/* ---- Merging ---------------------------------------------------------------------------------------------------- */

static void write_piece(rows_job *j, const tby_table_piece *piece, size_t n_rows)
{
    memory_need(tby_table_writer_add(j->writer, piece)); /* a failed write ends the program */
    j->n_written += n_rows;
}

static void write_table(rows_job *j, tby_table *t)
{
    if (tby_table_n_rows(t) == 0)
        return;
    memory_need(tby_table_encode(j->piece, t, j->n_columns));
    write_piece(j, j->piece, tby_table_n_rows(t));
    tby_table_cut(t, 0);
}

/* Reports the faults of a part's games, and writes its rows, or keeps them for later. */
static void rows_merge(rows_job *j, const part *p, rows_result *res)
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

/* ---- All games of a file ---------------------------------------------------------------------------------------- */

/* State while a part is read. */
typedef struct reading {
    const rows_job *job;
    part *part;
    rows_result *result;
    tby_rows_reader *reader;
} reading;

static void note_of_fault(void *context, const tby_game_fault *fault)
{
    reading *r = context;
    if (!interrupts_came()) /* else it may be due to that */
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
    if (!rows_are_many(r->result) && !part_has_news(r->part))
        return;
    number_games(r, part_games_before(r->part));
    rows_encode(r->job, r->result);
    part_flush(r->part);
}

static void read_games(reading *r)
{
    for (;;) {
        const uint64_t n_before = tby_rows_reader_where(r->reader).n_games;
        const tby_game_read read = tby_rows_reader_next(r->reader, r->result->table, note_of_fault, r);
        if (read == TBY_GAME_END)
            return;
        memory_need(read != TBY_GAME_NO_MEMORY);
        if (tby_rows_reader_where(r->reader).n_games == n_before)
            r->result->has_bad_file = true;
        hand_over_many(r);
    }
}

static void read_part(void *context, part *p)
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

static void merge_part(void *context, part *p) { rows_merge(context, p, p->result); }

bool rows_read(rows_job *j, const char *path, const char *from, unsigned n_threads)
{
    job steps = {
        .context = j,
        .result_new = rows_result_new,
        .result_free = rows_result_free,
        .work = read_part,
        .merge = merge_part,
    };
    j->games_before = j->total.games;
    input *in = job_open(&steps, path, from);
    return in && job_run(in, n_threads, &steps);
}

/* ---- The games that a search finds ------------------------------------------------------------------------------ */

/* Stored games, and the rows made from them. */
typedef struct block {
    buffer bytes; /* of all texts of `games`, one after the other */
    size_t n_games;
    tby_row games[BLOCK_GAMES];       /* their texts are in `bytes`, which may move when it grows: see add_row_game */
    tby_game_id ids[BLOCK_GAMES];     /* in the column `game` */
    const char *sources[BLOCK_GAMES]; /* their names */
    uint64_t n_damaged;
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

static void report_fault(part *p, size_t index, const char *why)
{
    block *b = p->result;
    buffer_printf(&p->notes.text, "%s: game %" PRId64 "%s\n", b->sources[index], b->ids[index], why);
    b->result->counts.bad++;
}

static void report_damage(part *p, size_t index, const tby_error *err)
{
    char why[TBY_ERROR_SIZE];
    snprintf(why, sizeof why, " is damaged: %s", err->detail);
    report_fault(p, index, why);
    ((block *)p->result)->n_damaged++;
}

static void report_null_move(part *p, size_t index)
{
    static const tby_error null_move = {.status = TBY_ILLEGAL_NULL_MOVE, .detail = "in the main line of a game"};
    char why[TBY_ERROR_SIZE] = ": ";
    tby_error_write(why + 2, sizeof why - 2, &null_move);
    report_fault(p, index, why);
}

static void add_row_game(tby_rows_reader *reader, tby_game *game, part *p, size_t index, size_t *at)
{
    block *b = p->result;
    tby_error err = {.status = TBY_OK};
    *at += tby_row_texts_point(&b->games[index], b->bytes.s + *at);
    const tby_status status = tby_row_game(game, &b->games[index], &err);
    memory_need(status != TBY_NO_MEMORY);
    if (status != TBY_OK) {
        report_damage(p, index, &err);
        return;
    }
    switch (tby_rows_reader_add(reader, b->result->table, game, b->ids[index])) {
    case TBY_GAME_BAD: report_null_move(p, index); break;
    case TBY_GAME_NO_MEMORY: memory_failed();
    default: b->result->n_picked++; break;
    }
}

static void work_on_block(void *context, part *p)
{
    const rows_job *j = ((const pool *)context)->job;
    block *b = p->result;
    tby_rows_reader *reader = memory_got(tby_rows_reader_new_empty(j->rows, NULL));
    tby_game *game = memory_got(tby_game_new(NULL));
    size_t at = 0;
    for (size_t i = 0; i < b->n_games; i++)
        add_row_game(reader, game, p, i, &at);
    const tby_rows_counts counts = tby_rows_reader_counts(reader);
    b->result->counts.plies = counts.plies;
    b->result->counts.rows = counts.rows;
    b->result->counts.left_out = counts.left_out;
    rows_encode(j, b->result);
    tby_rows_reader_free(reader);
    tby_game_free(game);
}

/* A damaged game is reported as by all commands: the output is not whole. */
static void merge_block(void *context, part *p)
{
    pool *all = context;
    block *b = p->result;
    if (b->n_damaged)
        input_incomplete();
    all->n_unread += b->n_damaged;
    rows_merge(all->job, p, b->result);
    b->n_games = b->bytes.n = b->n_damaged = 0;
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
        source_tell(s, source_error(s));
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
    const job steps = {
        .context = &p, .result_new = block_new, .result_free = block_free, .work = work_on_block, .merge = merge_block};
    const visits each = {.sources = from, .query = q, .work = "reading", .visit = take_game, .context = &p};
    q->search.wanted = TBY_WANTED_GAMES;
    q->search.n_threads = n_threads;
    p.run = job_begin(&steps, n_threads);
    visits_run(&each);
    if (((block *)parallel_part(p.run)->result)->n_games > 0)
        parallel_hand_over(p.run);
    job_end(p.run);
    for (size_t i = 0; i < from->n; i++) {
        const tby_db_games_read counts = source_count(from->of[i]);
        j->total.games += counts.games;
        j->total.bad += counts.bad;
    }
    return p.n_unread == 0;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

void rows_begin(rows_job *j)
{
    size_t n_columns;
    const tby_column *columns = tby_rows_columns(j->rows, &n_columns);
    j->gathered = rows_table(j);
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
