/*
 * parallel.c - one input, many threads, one output in the order of the input.
 *
 *     FREE --worker reads--> TAKEN --worker--> DONE --main--> FREE
 *                             |  ^
 *                           PIECE (part of the result; main returns it as TAKEN)
 *
 * Parts are in a ring and go through each step in order. With one thread, or for an input that fits into one part, no
 * thread is started, and the steps are done one after the other. Parts that the caller fills are FREE until then.
 */
#include "io/parallel.h"
#include "os/threads.h"
#include "support/array.h"
#include "support/failure.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SIZE = 1 << 19,
    GROWN_SIZE = 1 << 21, /* twice the longest game that is read: without a boundary in it, there will be none */
    LINE_SIZE = 1 << 24,
    PARTS_MAX = 24 /* the memory limit, whatever the number of threads */
};
enum { FREE, TAKEN, PIECE, DONE };

typedef struct run {
    input *in; /* NULL: the caller fills the parts */
    const job *job;
    char *rest; /* bytes read after the last boundary */
    size_t n_rest;
    bool is_read; /* the input has ended, or a stream reads it; or the caller has filled the last part */
    bool is_alone;
    atomic_uint_fast64_t n_bytes; /* read so far */
    uint64_t n_lines, n_games;    /* merged so far */
    uint64_t n_passed;            /* bytes of these parts */

    os_mutex reading; /* held by the thread that reads the input; taken before `lock` */
    os_mutex lock;
    os_condition changed; /* the state of some part */
    part *parts;
    size_t n_parts;
    uint64_t n_filled, n_taken, n_merged; /* counts; part number i is parts[i % n_parts] */
    uint64_t n_told, n_games_told;        /* parts that have reported their games, from the first on, and these games */
    os_thread *threads;
    unsigned n_threads; /* that run */
    atomic_int failure; /* a tby_status: the first one; no more is read then */
} run;

/* Always false. */
static bool fail(run *r, tby_status status)
{
    int none = TBY_OK;
    atomic_compare_exchange_strong(&r->failure, &none, (int)status);
    return false;
}

/* Keeps the failure for the caller. */
static bool is_good(const run *r, tby_failure *failure)
{
    const tby_status status = (tby_status)atomic_load(&r->failure);
    if (status == TBY_TOO_LONG)
        return failure_keep(failure, status, "a line of more than %d bytes", LINE_SIZE);
    if (status == TBY_BUSY)
        return failure_keep(failure, status, "no thread could be started");
    return status == TBY_OK || failure_no_memory(failure);
}

/* ---- Cutting ---------------------------------------------------------------------------------------------------- */

size_t cut_at_line(const char *s, size_t n)
{
    while (n && s[n - 1] != '\n')
        n--;
    return n;
}

static bool part_room(part *p, size_t cap)
{
    return array_reserve(&p->bytes, &p->cap, cap, 1, NULL) || fail(p->run, TBY_NO_MEMORY);
}

static size_t read_some(run *r, char *buf, size_t cap)
{
    const size_t n = input_read(r->in, buf, cap);
    if (n == TBY_SOURCE_FAILED)
        return 0; /* the input keeps the error; it is reported at the end */
    atomic_fetch_add(&r->n_bytes, n);
    return n;
}

/* The input has ended; did it fail before its own end? Then its last game or line is not whole. */
static void note_end(part *p) { p->is_cut = input_is_cut(p->run->in); }

/* Reads until the part has `size` bytes; returns false if the input ended before. */
static bool fill(run *r, part *p, size_t size)
{
    if (!part_room(p, size))
        return !(p->is_cut = true);
    while (p->n < size) {
        const size_t n = read_some(r, p->bytes + p->n, size - p->n);
        if (n == 0) {
            note_end(p);
            return false;
        }
        p->n += n;
    }
    return true;
}

static void take_rest(run *r, part *p)
{
    const size_t n = part_room(p, r->n_rest) ? r->n_rest : 0;
    if (n)
        memcpy(p->bytes, r->rest, n);
    p->n = n;
    r->n_rest = 0;
}

static void leave_rest(run *r, part *p, size_t cut)
{
    r->n_rest = p->n - cut;
    if (r->n_rest)
        memcpy(r->rest, p->bytes + cut, r->n_rest);
    p->n = cut;
}

/* Is nothing more wanted? */
static bool is_full(const run *r)
{
    return (r->job->is_full && atomic_load(r->job->is_full)) || atomic_load(&r->failure) != TBY_OK;
}

/* The next part. True if it is the last. */
static bool read_part(run *r, part *p)
{
    p->at = p->n = 0;
    p->base = p->n_lines = p->n_games = 0;
    p->is_cut = p->is_stream = false;
    if (is_full(r))
        return true;
    p->is_stream = !r->job->cut;
    take_rest(r, p);
    for (size_t size = r->job->part_size ? r->job->part_size : BLOCK_SIZE; !p->is_stream; size *= 2) {
        if (!fill(r, p, size))
            return true;
        const size_t cut = r->job->cut(p->bytes, p->n);
        if (cut) {
            leave_rest(r, p, cut);
            return false;
        }
        p->is_stream = size >= GROWN_SIZE;
    }
    return true;
}

/* ---- What workers read ------------------------------------------------------------------------------------------ */

static void show_progress(run *r)
{
    if (r->in && r->job->progress)
        r->job->progress(r->job->context, input_fraction(r->in), atomic_load(&r->n_bytes), r->n_games);
}

/* Continues reading after the bytes of a stream, into `bytes`. */
static size_t stream_on(part *p)
{
    const size_t kept = p->n - p->at;
    if (!p->run->job->keeps_text && p->at) {
        memmove(p->bytes, p->bytes + p->at, kept);
        p->base += p->at;
        p->at = 0;
        p->n = kept;
    }
    const size_t text_max = p->run->job->text_max;
    if (text_max && p->at > text_max)
        part_forget(p, p->base + p->at - text_max);
    if (p->cap - p->n < BLOCK_SIZE / 2 && !part_room(p, p->n + BLOCK_SIZE)) {
        p->is_cut = true;
        return 0;
    }
    const size_t n = read_some(p->run, p->bytes + p->n, p->cap - p->n);
    p->n += n;
    if (n == 0)
        note_end(p);
    if (p->run->is_alone)
        show_progress(p->run);
    return n;
}

size_t part_read(void *context, char *buf, size_t cap)
{
    part *p = context;
    if (p->at == p->n && (!p->is_stream || stream_on(p) == 0))
        return p->is_cut ? TBY_SOURCE_FAILED : 0;
    const size_t left = p->n - p->at, n = left < cap ? left : cap;
    memcpy(buf, p->bytes + p->at, n);
    p->at += n;
    return n;
}

bool part_line(part *p, const char **s, size_t *n)
{
    size_t looked = 0; /* bytes after `at` without a line end */
    const char *end = NULL;
    for (;;) {
        if (p->n - p->at > looked)
            end = memchr(p->bytes + p->at + looked, '\n', p->n - p->at - looked);
        looked = p->n - p->at;
        if (end || !p->is_stream || stream_on(p) == 0)
            break;
        if (looked > LINE_SIZE)
            return fail(p->run, TBY_TOO_LONG);
    }
    if (p->at == p->n || (!end && p->is_cut))
        return false;
    *s = p->bytes + p->at;
    *n = end ? (size_t)(end - *s) : looked;
    p->at += *n + (end != NULL);
    if (*n && (*s)[*n - 1] == '\r')
        --*n;
    return true;
}

const char *part_text(const part *p, uint64_t offset) { return p->bytes + (offset - p->base); }

bool part_has_text(const part *p, uint64_t offset) { return offset >= p->base; }

bool part_is_long(const part *p, size_t ahead, uint64_t *offset)
{
    const bool is_long = p->is_stream && p->at == p->n && p->at > ahead + PART_RESULT_SIZE;
    *offset = p->base + (is_long ? p->at - ahead : 0);
    return is_long;
}

bool part_has_news(const part *p) { return p->is_stream && p->notes.text.n > 0; }

void part_forget(part *p, uint64_t offset)
{
    const size_t n = (size_t)(offset - p->base);
    if (!p->is_stream || n < BLOCK_SIZE || p->at < n)
        return;
    memmove(p->bytes, p->bytes + n, p->n - n);
    p->base = offset;
    p->n -= n;
    p->at -= n;
}

/* ---- Merging ---------------------------------------------------------------------------------------------------- */

static void merge(run *r, part *p, bool is_done)
{
    p->lines_before = r->n_lines;
    p->games_before = r->n_games;
    p->bytes_before = r->n_passed;
    r->job->merge(r->job->context, p);
    report_clear(&p->notes);
    if (is_done) {
        r->n_lines += p->n_lines;
        r->n_games += p->n_games;
        r->n_passed += p->base + p->n;
    }
    show_progress(r);
}

static void set_state(part *p, int state)
{
    p->state = state;
    os_condition_broadcast(&p->run->changed);
}

void part_flush(part *p)
{
    run *r = p->run;
    if (r->is_alone) {
        merge(r, p, false);
        return;
    }
    os_mutex_lock(&r->lock);
    set_state(p, PIECE);
    while (p->state == PIECE)
        os_condition_wait(&r->changed, &r->lock);
    os_mutex_unlock(&r->lock);
}

/* ---- Counting games --------------------------------------------------------------------------------------------- */

uint64_t part_games_before(part *p)
{
    run *r = p->run;
    if (!r || r->is_alone)
        return r ? r->n_games : 0;
    os_mutex_lock(&r->lock);
    while (r->n_told < p->number)
        os_condition_wait(&r->changed, &r->lock);
    const uint64_t n_games = r->n_games_told;
    os_mutex_unlock(&r->lock);
    return n_games;
}

void part_tell_games(part *p, uint64_t n_games)
{
    run *r = p->run;
    p->n_games = n_games;
    if (!r || r->is_alone)
        return;
    os_mutex_lock(&r->lock);
    while (r->n_told < p->number)
        os_condition_wait(&r->changed, &r->lock);
    r->n_games_told += n_games;
    r->n_told++;
    os_condition_broadcast(&r->changed);
    os_mutex_unlock(&r->lock);
}

/* ---- One thread ------------------------------------------------------------------------------------------------- */

/* The first part has already been read. */
static void run_alone(run *r)
{
    part *p = &r->parts[0];
    r->is_alone = true;
    for (;;) {
        r->job->work(r->job->context, p);
        merge(r, p, true);
        if (r->is_read)
            return;
        r->is_read = read_part(r, p);
    }
}

/* ---- Many ------------------------------------------------------------------------------------------------------- */

static part *part_at(run *r, uint64_t number) { return &r->parts[number % r->n_parts]; }

/* A worker's own memory for the bytes of a part, reused for the next one while it is in the processor's cache. */
typedef struct room {
    char *bytes;
    size_t cap;
} room;

static void swap_room(part *p, room *own)
{
    const room other = {p->bytes, p->cap};
    p->bytes = own->bytes;
    p->cap = own->cap;
    *own = other;
}

/* The next part, read into the memory of the thread that will work on it. NULL when there is none. */
static part *take_part(run *r, room *own)
{
    os_mutex_lock(&r->reading);
    os_mutex_lock(&r->lock);
    part *p = part_at(r, r->n_taken);
    while (!r->in && r->n_taken == r->n_filled && !r->is_read)
        os_condition_wait(&r->changed, &r->lock);
    bool is_filled = r->n_taken < r->n_filled; /* the first one, or by the caller */
    const bool is_over = !is_filled && r->is_read;
    while (!is_filled && !is_over && p->state != FREE)
        os_condition_wait(&r->changed, &r->lock);
    if (!is_filled && !is_over) {
        os_mutex_unlock(&r->lock);
        swap_room(p, own);
        const bool is_last = read_part(r, p);
        os_mutex_lock(&r->lock);
        r->is_read = is_last;
        r->n_filled++;
        is_filled = true;
    }
    if (is_filled) {
        p->state = TAKEN;
        p->number = r->n_taken++;
    }
    os_mutex_unlock(&r->lock);
    os_mutex_unlock(&r->reading);
    return is_filled ? p : NULL;
}

static void *work_thread(void *context)
{
    run *r = context;
    room own = {NULL, 0};
    for (part *p; (p = take_part(r, &own)) != NULL;) {
        r->job->work(r->job->context, p);
        swap_room(p, &own);
        os_mutex_lock(&r->lock);
        set_state(p, DONE);
        os_mutex_unlock(&r->lock);
    }
    free(own.bytes);
    return NULL;
}

/* Waits for a change, or a fifth of a second: the progress bar must move even if no part is done. */
static void wait_a_moment(run *r)
{
    os_condition_wait_for(&r->changed, &r->lock, 200);
    show_progress(r);
}

/* Until fewer than `few` parts are left, and the input has ended. */
static void merge_parts(run *r, uint64_t few)
{
    os_mutex_lock(&r->lock);
    while (r->n_filled - r->n_merged >= few || (r->in && !r->is_read)) {
        part *p = part_at(r, r->n_merged);
        const int state = r->n_merged < r->n_filled ? p->state : FREE;
        if (state != PIECE && state != DONE) {
            wait_a_moment(r);
            continue;
        }
        os_mutex_unlock(&r->lock);
        merge(r, p, state == DONE);
        os_mutex_lock(&r->lock);
        r->n_merged += state == DONE;
        set_state(p, state == DONE ? FREE : TAKEN);
    }
    os_mutex_unlock(&r->lock);
}

static void start_threads(run *r, unsigned n)
{
    r->threads = calloc(n, sizeof *r->threads);
    r->n_threads = r->threads ? threads_start(r->threads, n, work_thread, r) : 0;
}

static void run_together(run *r, unsigned n_threads)
{
    r->n_filled = 1;
    start_threads(r, n_threads);
    if (r->n_threads == 0)
        fail(r, TBY_BUSY);
    else
        merge_parts(r, 1);
}

/* ---- A whole input ---------------------------------------------------------------------------------------------- */

static bool make_part(part *p, run *r)
{
    const job *j = r->job;
    p->run = r;
    p->job = j;
    p->result = j->result_new ? j->result_new(j->context) : calloc(1, j->result_size);
    return p->result;
}

static void run_begin(run *r, input *in, const job *j, unsigned n_threads)
{
    *r = (run){.in = in, .job = j};
    const size_t most = j->most_parts && j->most_parts < PARTS_MAX ? j->most_parts : PARTS_MAX;
    const size_t n_wanted = 6 * (size_t)n_threads + 2; /* enough work to continue while a commit waits for the disk */
    const size_t n_parts = n_threads == 1 ? 1 : n_wanted < most ? n_wanted : most;
    r->rest = calloc(GROWN_SIZE, 1);
    r->parts = calloc(n_parts, sizeof *r->parts);
    while (r->rest && r->parts && r->n_parts < n_parts && make_part(&r->parts[r->n_parts], r))
        r->n_parts++;
    if (r->n_parts < n_parts)
        fail(r, TBY_NO_MEMORY);
    os_mutex_init(&r->reading);
    os_mutex_init(&r->lock);
    os_condition_init(&r->changed);
}

static void run_end(run *r)
{
    threads_join(r->threads, r->n_threads);
    free(r->threads);
    os_condition_destroy(&r->changed);
    os_mutex_destroy(&r->lock);
    os_mutex_destroy(&r->reading);
    for (size_t i = 0; i < r->n_parts; i++) {
        r->job->result_free(r->parts[i].result);
        report_free(&r->parts[i].notes);
        free(r->parts[i].bytes);
    }
    free(r->parts);
    free(r->rest);
}

bool parallel_run(input *in, unsigned n_threads, const job *j, tby_failure *failure)
{
    run r;
    run_begin(&r, in, j, n_threads);
    if (!is_full(&r)) {
        r.is_read = read_part(&r, &r.parts[0]);
        if (r.is_read || n_threads == 1)
            run_alone(&r);
        else
            run_together(&r, n_threads);
    }
    run_end(&r);
    return is_good(&r, failure);
}

/* ---- Parts filled by the caller --------------------------------------------------------------------------------- */

run *parallel_begin(const job *j, unsigned n_threads)
{
    run *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    run_begin(r, NULL, j, n_threads);
    if (is_full(r)) {
        run_end(r);
        free(r);
        return NULL;
    }
    start_threads(r, n_threads == 1 ? 0 : n_threads);
    r->is_alone = r->n_threads == 0;
    return r;
}

part *parallel_part(run *r) { return part_at(r, r->n_filled); }

size_t part_add(part *p, const char *s, size_t n)
{
    if (n && part_room(p, p->n + n)) {
        memcpy(p->bytes + p->n, s, n);
        p->n += n;
    }
    return p->n;
}

/* The part after one that was handed over begins without bytes. */
static void empty_part(part *p) { p->n = p->at = 0; }

void parallel_hand_over(run *r)
{
    if (r->is_alone) {
        r->job->work(r->job->context, parallel_part(r));
        merge(r, parallel_part(r), true);
        empty_part(parallel_part(r));
        return;
    }
    os_mutex_lock(&r->lock);
    r->n_filled++;
    os_condition_broadcast(&r->changed);
    os_mutex_unlock(&r->lock);
    merge_parts(r, r->n_parts);
    empty_part(parallel_part(r));
}

bool parallel_end(run *r, tby_failure *failure)
{
    os_mutex_lock(&r->lock);
    r->is_read = true;
    os_condition_broadcast(&r->changed);
    os_mutex_unlock(&r->lock);
    merge_parts(r, 1);
    run_end(r);
    const bool is_whole = is_good(r, failure);
    free(r);
    return is_whole;
}
