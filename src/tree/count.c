/*
 * count.c - counts the distinct positions of each ply.
 *
 *     positions of a ply --> workers: every move, a record each --> partitions: each record once --> merged, in order
 *         ^                                                                                              |
 *         +--------------- on disk, exact, in blocks; new ones separate from those seen before ----------+
 *
 * The last ply, which has by far the most positions, is stored as fingerprints and only counted. A position is new at a
 * ply if it was not new at an earlier ply with the same side to move. The earlier positions are on disk in partitions,
 * so they are compared partition by partition while the ply is merged.
 */
#include "os/clock.h"
#include "os/memory.h"
#include "tree/partition.h"
#include "tree/team.h"
#include "tree/tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 4096 /* records of a ply on disk */, BATCH = 128 /* records buffered for a partition */ };
enum { PLIES_MAX = 100 };

/* The positions of a ply, as exact records: blocks of one partition each. */
typedef struct ply_set {
    temp_file file;
    extents fresh[N_PARTITIONS], known[N_PARTITIONS]; /* new at this ply, and seen before */
    uint64_t n;
} ply_set;

typedef struct counting {
    const tby_tree_count *options;
    ply_set *plies; /* those before this one */
    tby_tree_ply now;
    int width;      /* of the records of this ply */
    tby_color side; /* to move in the ply before */
    partitions *parts;
    extent *blocks; /* of the ply before */
    size_t n_blocks;
    atomic_uint_fast64_t n_moves, n_positions, n_new;
    tby_failure *failure;
} counting;

/* Sets the failure from errno: memory, or a temporary file. */
static bool count_fail(tby_failure *f)
{
    return errno == ENOMEM || errno == 0 ? failure_no_memory(f)
                                         : failure_keep(f, TBY_IO_ERROR, "temporary file: %s", strerror(errno));
}

static void fail_in_team(team *t)
{
    os_mutex_lock(&t->lock);
    count_fail(t->failure);
    os_mutex_unlock(&t->lock);
    atomic_store(&t->stops, true);
}

/* ---- Expanding ----------------------------------------------------------------------------------------- */

/* Records that a worker has generated and not delivered yet. */
typedef struct outbox {
    size_t n[N_PARTITIONS];
    uint32_t records[N_PARTITIONS][BATCH * RECORD_EXACT];
} outbox;

TBY_INLINE bool send(counting *c, outbox *box, unsigned part)
{
    const bool is_good = partition_add(c->parts, part, box->records[part], box->n[part]);
    box->n[part] = 0;
    return is_good;
}

TBY_INLINE bool expand(counting *c, outbox *box, const uint32_t *parent, uint64_t *n_moves, int width)
{
    tby_move moves[TBY_MOVES_MAX];
    uint32_t record[RECORD_EXACT];
    const tby_position pos = record_position(parent, c->side);
    const size_t n = tby_moves_list(moves, &pos);
    *n_moves += n;
    for (size_t i = 0; i < n; i++) {
        tby_position child = pos;
        tby_position_play(&child, moves[i], NULL);
        record_of_position(record, &child, width);
        const unsigned part = partition_of(record);
        memcpy(box->records[part] + box->n[part] * (size_t)width, record, (size_t)width * sizeof *record);
        if (++box->n[part] == BATCH && !send(c, box, part))
            return false;
    }
    return true;
}

static bool expand_block(counting *c, outbox *box, const uint32_t *records, size_t n, uint64_t *n_moves)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t *parent = records + i * RECORD_EXACT;
        if (!(c->width == RECORD_EXACT ? expand(c, box, parent, n_moves, RECORD_EXACT)
                                       : expand(c, box, parent, n_moves, RECORD_FINGERPRINT)))
            return false;
    }
    return true;
}

static void expand_some(void *context, unsigned number)
{
    team *t = context;
    counting *c = t->context;
    const temp_file *file = &c->plies[c->now.ply - 1].file;
    outbox *box = calloc(1, sizeof *box);
    uint32_t *records = malloc(BLOCK * RECORD_EXACT * sizeof *records);
    uint64_t n_moves = 0;
    size_t i, end;
    errno = 0;
    bool is_good = box && records;
    while (is_good && team_take(t, 1, &i, &end)) {
        const extent block = c->blocks[i];
        is_good = temp_file_read(file, records, block.n * RECORD_EXACT * sizeof *records, block.offset) &&
                  expand_block(c, box, records, block.n, &n_moves);
        team_step(t, number, block.n);
    }
    for (unsigned part = 0; is_good && part < N_PARTITIONS; part++)
        is_good = send(c, box, part);
    if (!is_good)
        fail_in_team(t);
    atomic_fetch_add(&c->n_moves, n_moves);
    free(records);
    free(box);
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

/* Writes records of one kind to disk, in blocks. */
typedef struct block_writer {
    temp_file *file;
    extents *blocks;
    uint32_t *records;
    size_t n;
} block_writer;

static bool block_flush(block_writer *w)
{
    extent block = {.n = w->n};
    if (w->n == 0)
        return true;
    w->n = 0;
    return temp_file_add(w->file, w->records, block.n * RECORD_EXACT * sizeof *w->records, &block.offset) &&
           extents_add(w->blocks, block);
}

static bool block_add(block_writer *w, const uint32_t *record)
{
    memcpy(w->records + w->n * RECORD_EXACT, record, RECORD_EXACT * sizeof *record);
    return ++w->n < BLOCK || block_flush(w);
}

/* One partition being merged. */
typedef struct merging {
    int width;
    const uint32_t *earlier, *earlier_end; /* records new at earlier plies, in order */
    block_writer fresh, known;
    uint64_t n_positions, n_new;
} merging;

static bool count_record(void *context, const uint32_t *record)
{
    merging *m = context;
    int order = 1;
    while (m->earlier < m->earlier_end && (order = record_compare(m->earlier, record, m->width)) < 0)
        m->earlier += m->width;
    const bool is_known = m->earlier < m->earlier_end && order == 0;
    m->n_positions++;
    m->n_new += !is_known;
    return m->width != RECORD_EXACT || block_add(is_known ? &m->known : &m->fresh, record);
}

static size_t extents_sum(const extents *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->items[i].n;
    return n;
}

/* Appends the records of a partition that were new at a ply to `to`, as records of `width`; there must be room for
   exact ones. */
static bool read_fresh(const ply_set *set, unsigned part, uint32_t *to, int width)
{
    for (size_t i = 0; i < set->fresh[part].n; i++) {
        const extent block = set->fresh[part].items[i];
        uint64_t w[4];
        if (!temp_file_read(&set->file, to, block.n * RECORD_EXACT * sizeof *to, block.offset))
            return false;
        for (size_t j = 0; width != RECORD_EXACT && j < block.n; j++) {
            record_words(w, to + j * RECORD_EXACT);
            record_of_words(to + j * (size_t)width, w, width);
        }
        to += block.n * (size_t)width;
    }
    return true;
}

static int compare_exact(const void *a, const void *b) { return record_compare(a, b, RECORD_EXACT); }
static int compare_fingerprints(const void *a, const void *b) { return record_compare(a, b, RECORD_FINGERPRINT); }

/* All records of a partition that were new at plies of the same side, in order; must be freed. NULL on failure. */
static uint32_t *read_earlier(const counting *c, unsigned part, size_t *n)
{
    *n = 0;
    for (unsigned ply = c->now.ply % 2; ply < c->now.ply; ply += 2)
        *n += extents_sum(&c->plies[ply].fresh[part]);
    uint32_t *records = malloc((*n + 1) * RECORD_EXACT * sizeof *records), *to = records;
    for (unsigned ply = c->now.ply % 2; records && ply < c->now.ply; ply += 2) {
        if (!read_fresh(&c->plies[ply], part, to, c->width)) {
            free(records);
            return NULL;
        }
        to += extents_sum(&c->plies[ply].fresh[part]) * (size_t)c->width;
    }
    if (records)
        qsort(records, *n, sizeof *records * (size_t)c->width,
              c->width == RECORD_EXACT ? compare_exact : compare_fingerprints);
    return records;
}

static bool merge_part(counting *c, merging *m, unsigned part)
{
    ply_set *set = &c->plies[c->now.ply];
    size_t n;
    uint32_t *earlier = read_earlier(c, part, &n);
    m->earlier = earlier;
    m->earlier_end = earlier ? earlier + n * (size_t)c->width : NULL;
    m->fresh.blocks = &set->fresh[part];
    m->known.blocks = &set->known[part];
    const bool is_good = earlier && partition_visit(c->parts, part, count_record, m) && block_flush(&m->fresh) &&
                         block_flush(&m->known);
    free(earlier);
    return is_good;
}

static void merge_some(void *context, unsigned number)
{
    team *t = context;
    counting *c = t->context;
    temp_file *file = &c->plies[c->now.ply].file;
    const size_t size = BLOCK * RECORD_EXACT * sizeof(uint32_t);
    merging m = {.width = c->width, .fresh = {.file = file}, .known = {.file = file}};
    size_t part, end;
    errno = 0;
    m.fresh.records = malloc(size);
    m.known.records = malloc(size);
    bool is_good = m.fresh.records && m.known.records;
    while (is_good && team_take(t, 1, &part, &end)) {
        is_good = merge_part(c, &m, (unsigned)part);
        team_step(t, number, t->total / 5 / N_PARTITIONS);
    }
    if (!is_good)
        fail_in_team(t);
    atomic_fetch_add(&c->n_positions, m.n_positions);
    atomic_fetch_add(&c->n_new, m.n_new);
    free(m.fresh.records);
    free(m.known.records);
}

/* ---- Plies --------------------------------------------------------------------------------------------- */

static bool list_blocks(counting *c, const ply_set *set)
{
    size_t n = 0;
    for (unsigned part = 0; part < N_PARTITIONS; part++)
        n += set->fresh[part].n + set->known[part].n;
    free(c->blocks);
    c->n_blocks = 0;
    c->blocks = malloc((n + 1) * sizeof *c->blocks);
    for (unsigned part = 0; c->blocks && part < N_PARTITIONS; part++) {
        const extents *lists[2] = {&set->fresh[part], &set->known[part]};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < lists[k]->n; i++)
                c->blocks[c->n_blocks++] = lists[k]->items[i];
    }
    return c->blocks != NULL;
}

static void set_close(ply_set *set)
{
    for (unsigned part = 0; part < N_PARTITIONS; part++) {
        free(set->fresh[part].items);
        free(set->known[part].items);
    }
    temp_file_close(&set->file);
}

static bool count_root(counting *c, const tby_position *root)
{
    ply_set *set = &c->plies[0];
    uint32_t record[RECORD_EXACT];
    extent block = {.n = 1};
    record_of_position(record, root, RECORD_EXACT);
    if (!temp_file_add(&set->file, record, sizeof record, &block.offset) ||
        !extents_add(&set->fresh[partition_of(record)], block))
        return count_fail(c->failure);
    set->n = 1;
    c->now = (tby_tree_ply){.ply = 0, .n_positions = 1, .n_new = 1};
    return true;
}

/* Estimated from the growth so far: plies grow by about the same factor. */
static uint64_t expected(const counting *c)
{
    const unsigned ply = c->now.ply;
    if (ply < 2 || c->plies[ply - 1].n == 0)
        return 0;
    const double last = (double)c->plies[ply - 1].n, before = (double)c->plies[ply - 2].n;
    return (uint64_t)(last / before * last);
}

static bool count_ply(counting *c, size_t memory, temp_file *runs, const tby_tree_work *work)
{
    ply_set *before = &c->plies[c->now.ply - 1];
    team t = {.context = c, .work = work, .total = before->n + before->n / 4 + N_PARTITIONS, .failure = c->failure};
    atomic_store(&c->n_moves, 0);
    atomic_store(&c->n_positions, 0);
    atomic_store(&c->n_new, 0);
    if (!list_blocks(c, before))
        return failure_no_memory(c->failure);
    partitions_begin(c->parts, c->width, memory, expected(c), runs);
    const bool is_good = team_run(&t, expand_some, 0, c->n_blocks) && team_run(&t, merge_some, 0, N_PARTITIONS);
    c->now.n_on_disk = atomic_load(&c->parts->n_on_disk);
    c->now.n_moves = atomic_load(&c->n_moves);
    c->now.n_positions = c->plies[c->now.ply].n = atomic_load(&c->n_positions);
    c->now.n_new = atomic_load(&c->n_new);
    partitions_end(c->parts);
    return is_good;
}

static bool open_file(temp_file *file, counting *c)
{
    return temp_file_open(file, c->options->folder) ||
           failure_keep(c->failure, failure_of_errno(errno), "cannot create a temporary file%s%s: %s",
                        c->options->folder ? " in " : "", c->options->folder ? c->options->folder : "",
                        strerror(errno));
}

/* Opens the files of this ply and counts it. */
static bool next_ply(counting *c, const tby_position *root, size_t memory, const tby_tree_work *work)
{
    temp_file runs = {.file = -1};
    const unsigned ply = c->now.ply;
    const double start = clock_seconds();
    bool is_good = open_file(&c->plies[ply].file, c);
    if (is_good && ply == 0)
        is_good = count_root(c, root);
    else if (is_good)
        is_good = open_file(&runs, c) && count_ply(c, memory, &runs, work);
    temp_file_close(&runs);
    c->now.seconds = clock_seconds() - start;
    return is_good;
}

static bool count_all(counting *c, const tby_position *root, const tby_tree_work *work)
{
    const tby_tree_count *o = c->options;
    const size_t overhead = team_size(work) * (sizeof(outbox) + 4 * BLOCK * RECORD_EXACT * sizeof(uint32_t));
    const uint64_t memory = o->memory ? o->memory : os_memory_size() / 2;
    for (unsigned ply = 0; ply <= o->depth; ply++) {
        c->now = (tby_tree_ply){.ply = ply};
        c->width = ply == o->depth ? RECORD_FINGERPRINT : RECORD_EXACT;
        c->side = (tby_color)((root->ply + ply + 1) & 1);
        if (!next_ply(c, root, memory > overhead ? (size_t)(memory - overhead) : 0, work))
            return false;
        if (o->on_ply && !o->on_ply(work ? work->context : NULL, &c->now))
            return failure_interrupted(c->failure);
    }
    return true;
}

tby_status tby_tree_count_positions(const tby_position *root, const tby_tree_count *count, const tby_tree_work *work,
                                    tby_failure *failure)
{
    counting c = {.options = count, .failure = failure_clear(failure)};
    if (count->depth > PLIES_MAX) {
        failure_keep(c.failure, TBY_TOO_DEEP, "more than %d half-moves", PLIES_MAX);
        return c.failure->status;
    }
    c.plies = calloc(count->depth + 1, sizeof *c.plies);
    c.parts = malloc(sizeof *c.parts);
    for (unsigned i = 0; c.plies && i <= count->depth; i++)
        c.plies[i].file.file = -1;
    const bool is_good = c.plies && c.parts ? count_all(&c, root, work) : failure_no_memory(c.failure);
    for (unsigned i = 0; c.plies && i <= count->depth; i++)
        set_close(&c.plies[i]);
    free(c.blocks);
    free(c.plies);
    free(c.parts);
    return failure_answer(c.failure, is_good);
}
