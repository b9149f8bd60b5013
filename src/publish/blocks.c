/*
 * blocks.c - the positions of all games, sorted, in blocks of equal size.
 *
 *      0         4         8         12
 *     +---------+---------+---------+--------------+----------------+------+
 *     | shape   | bytes   | number  | tables       | alone          | 0... |
 *     +---------+---------+---------+--------------+----------------+------+
 *
 *     shape    the block's first
 *     tables   SHAPE CHECK SIZE TABLE: the difference of the shape from the one before, the upper 40 bits of the position's
 *              key, and tables.c
 *     alone    positions that only one game reaches and that only lead to such positions, in bits (codec/bits.h), `number`
 *              times SHAPE COUNT GROUP...: the difference of the shape; if all have the same group of games, 0 and the group;
 *              otherwise, for each position, some bits of its key and the group of its game
 *
 * Bits of a key are those after its upper 16, which lead to the block: as many as COUNT has, and 8.
 *
 * In the directory, each block has the shape and the upper 16 bits of the key that come first, as a varint: twice the
 * difference of the upper 24 bits of the shape, plus 1 if the other 24 bits are not 0 and follow in three bytes.
 */
#include "codec/bits.h"
#include "os/threads.h"
#include "publish/tables.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { HEADER = 12, BATCH = VISIT_BUCKETS / 64, FINGERPRINT = 8 };
enum { SIZE = PUBLISH_BLOCK - PUBLISH_STORE_SIZE, ROOM = SIZE - HEADER };

/* What becomes of one bucket of visits, in their order. */
typedef struct item {
    uint64_t key; /* the upper 48 bits */
    uint32_t shape;
    uint32_t n;        /* bytes of its table; 0: it is alone */
    uint32_t n_ranges; /* bytes of its ranges, if they are apart */
    uint32_t group;    /* of a position that is alone */
} item;

typedef struct product {
    item *items;
    size_t n, cap;
    buffer bytes; /* tables, each followed by its ranges */
} product;

typedef struct making {
    const positions *all;
    const visits *v;
    product products[BATCH];
    unsigned first_bucket;
    atomic_uint next;
    atomic_bool has_failed;
} making;

/* The block that is being filled. */
typedef struct filling {
    tby_publisher *p;
    buffer tables;
    buffer ranges; /* of large positions: a section of its own */
    uint32_t *range_sizes;
    size_t n_ranges, cap_ranges;
    bit_buffer alone;
    item *pending; /* with the same upper 24 bits */
    size_t n_pending, cap_pending;
    buffer bytes;               /* of those */
    uint64_t first, last_first; /* 48 bits */
    uint32_t last_table, last_alone, n_alone;
    size_t n_blocks;
    unsigned k, group_bits;
    bool is_open;
} filling;

/* ---- Tables, in threads --------------------------------------------------------------------------------- */

/* The table of a position follows from its only game. */
static bool is_alone(const positions *all, const visit *of)
{
    const uint64_t place = all->places[of->game] + of->ply;
    const tby_move next = all->moves[place];
    return next == TBY_MOVE_NONE || (next != TBY_MOVE_NULL && !publish_is_shared(all, place + 1));
}

static bool make_bucket(making *m, product *out, unsigned bucket, buffer *ranges)
{
    const visits *v = m->v;
    uint64_t n_games;
    out->n = 0;
    buffer_clear(&out->bytes);
    for (uint64_t at = v->starts[bucket], end; at < v->starts[bucket + 1]; at = end) {
        const visit *of = &v->of[at];
        item one = {.key = (of->key & UINT32_MAX) << 16 | of->next,
                    .shape = (uint32_t)(of->key >> 32),
                    .group = of->game / PUBLISH_GROUP};
        const size_t before = out->bytes.n;
        end = publish_visits_group(v, at, v->starts[bucket + 1], &n_games);
        if (n_games > 1 || !is_alone(m->all, of)) {
            publish_table_put(&out->bytes, ranges, m->all, of, end - at);
            one.n = (uint32_t)(out->bytes.n - before);
            one.n_ranges = (uint32_t)ranges->n;
            buffer_add(&out->bytes, ranges->s, ranges->n);
        }
        if (out->bytes.has_failed || !array_add(&out->items, &out->n, &out->cap, &one, sizeof one, NULL))
            return false;
    }
    return true;
}

static void make_buckets(void *context, unsigned number)
{
    making *m = context;
    buffer ranges = {0};
    (void)number;
    for (unsigned i; (i = atomic_fetch_add(&m->next, 1)) < BATCH;)
        if (!make_bucket(m, &m->products[i], m->first_bucket + i, &ranges))
            atomic_store(&m->has_failed, true);
    buffer_free(&ranges);
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

/* Of the shape and of the key, 48 bits. */
static uint64_t prefix_of(const item *one) { return (uint64_t)one->shape << 16 | one->key >> 32; }

static void begin_block(filling *f, uint64_t first)
{
    buffer_clear(&f->tables);
    buffer_clear(&f->alone.bytes);
    f->alone.n = 0;
    f->alone.word = 0;
    f->n_alone = 0;
    f->first = first;
    f->last_table = f->last_alone = (uint32_t)(first >> 16);
    f->is_open = true;
}

static void put_first(filling *f)
{
    const uint32_t lower = f->first & 0xffffff;
    varint_put(&f->p->firsts, ((f->first >> 24) - (f->last_first >> 24)) << 1 | (lower > 0));
    if (lower)
        buffer_put_24(&f->p->firsts, lower);
    f->last_first = f->first;
}

static bool end_block(filling *f)
{
    buffer block = {0}, chunk = {0};
    uint8_t header[HEADER];
    if (!f->is_open)
        return true;
    bits_fill(&f->alone);
    bytes_set_32(header, (uint32_t)(f->first >> 16));
    bytes_set_32(header + 4, (uint32_t)f->tables.n);
    bytes_set_32(header + 8, f->n_alone);
    buffer_add(&block, header, HEADER);
    buffer_add(&block, f->tables.s, f->tables.n);
    buffer_add(&block, f->alone.bytes.s, f->alone.bytes.n);
    if (buffer_reserve(&block, SIZE - block.n)) {
        memset(block.data + block.n, 0, SIZE - block.n);
        block.n = SIZE;
    }
    publish_store(&chunk, &block);
    put_first(f);
    f->n_blocks++;
    f->is_open = false;
    const bool is_good = !f->tables.has_failed && !f->alone.bytes.has_failed &&
                         publish_stream_chunk(&f->p->out, &chunk) > 0;
    buffer_free(&block);
    buffer_free(&chunk);
    return is_good || failure_no_memory(f->p->failure);
}

/* The ranges of a large position are a chunk in a section of its own; the end of its table says where. */
static void put_apart(filling *f, uint8_t *table_end, const uint8_t *ranges, uint32_t n)
{
    buffer bytes = {0};
    const size_t at = f->ranges.n;
    buffer_add(&bytes, ranges, n);
    publish_pack(&f->ranges, &bytes);
    buffer_free(&bytes);
    const uint32_t size = (uint32_t)(f->ranges.n - at);
    bytes_set_32(table_end - 8, (uint32_t)at);
    bytes_set_32(table_end - 4, size);
    if (!array_add(&f->range_sizes, &f->n_ranges, &f->cap_ranges, &size, sizeof size, NULL))
        buffer_fail(&f->ranges);
}

static void put_table(filling *f, const item *one, uint8_t *bytes)
{
    if (one->n_ranges)
        put_apart(f, bytes + one->n, bytes + one->n, one->n_ranges);
    varint_put(&f->tables, one->shape - f->last_table);
    buffer_put(&f->tables, (unsigned)(one->key >> 40) & 0xff);
    buffer_put(&f->tables, (unsigned)(one->key >> 32) & 0xff);
    buffer_put_24(&f->tables, (uint32_t)(one->key >> 8) & 0xffffff);
    varint_put(&f->tables, one->n);
    buffer_add(&f->tables, bytes, one->n);
    f->last_table = one->shape;
}

/* Positions of one shape: those that are alone. */
static void put_alone(filling *f, const item *of, size_t n)
{
    size_t count = 0;
    bool is_same = true;
    const item *first = NULL;
    for (size_t i = 0; i < n; i++) {
        if (of[i].n)
            continue;
        first = first ? first : &of[i];
        is_same &= of[i].group == first->group;
        count++;
    }
    if (!first)
        return;
    bits_put_number(&f->alone, first->shape - f->last_alone, f->k);
    bits_put_number(&f->alone, is_same ? 0 : count, 0);
    f->last_alone = first->shape;
    f->n_alone++;
    if (is_same)
        bits_put(&f->alone, first->group, f->group_bits);
    const unsigned n_bits = FINGERPRINT + bit_length(count);
    for (size_t i = 0; !is_same && i < n; i++)
        if (of[i].n == 0) {
            bits_put(&f->alone, (of[i].key & UINT32_MAX) >> (32 - n_bits), n_bits);
            bits_put(&f->alone, of[i].group, f->group_bits);
        }
}

static void put_items(filling *f, const item *of, size_t n, uint8_t **bytes)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && of[end].shape == of[i].shape; end++)
            if (of[end].n) {
                put_table(f, &of[end], *bytes);
                *bytes += of[end].n + of[end].n_ranges;
            }
        put_alone(f, of + i, end - i);
    }
}

/* The most bytes of each item, except the first, after one of the same shape or not; but a shape's count is at most 2^17. */
static size_t size_of(const filling *f, const item *one, bool is_same_shape)
{
    enum { TABLE_HEAD = 16, COUNT_BITS = 17, SHAPE_BITS = 72 };
    const size_t bits = FINGERPRINT + COUNT_BITS + f->group_bits + (is_same_shape ? 0 : SHAPE_BITS);
    return one->n ? one->n + TABLE_HEAD : bits / 8 + 1;
}

/* How many of the items fit into `room`, all with the same 48 bits or none. */
static size_t fitting(const filling *f, const item *of, size_t n, size_t room)
{
    enum { FIRST = 16 }; /* bytes more of the first item */
    size_t size = FIRST, end = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && prefix_of(&of[i]) != prefix_of(&of[i - 1]))
            end = i;
        size += size_of(f, &of[i], i > 0 && of[i].shape == of[i - 1].shape);
        if (size > room)
            return end;
    }
    return n;
}

/* The positions that share their upper 24 bits are complete: they go into this block, into the next one, or into several
   of their own. */
static bool flush(filling *f)
{
    uint8_t *bytes = f->bytes.data;
    const size_t used = f->tables.n + f->alone.bytes.n;
    if (f->is_open && fitting(f, f->pending, f->n_pending, ROOM - used) < f->n_pending && !end_block(f))
        return false;
    for (size_t i = 0, n; i < f->n_pending; i += n) {
        n = fitting(f, f->pending + i, f->n_pending - i, ROOM);
        if (n == 0)
            return failure_keep(f->p->failure, TBY_TOO_LONG, "too many positions have similar keys");
        if (i > 0 && !end_block(f))
            return false;
        if (!f->is_open)
            begin_block(f, i ? prefix_of(&f->pending[i]) : prefix_of(f->pending) >> 24 << 24);
        put_items(f, f->pending + i, n, &bytes);
    }
    f->n_pending = 0;
    buffer_clear(&f->bytes);
    return true;
}

static bool fill(filling *f, const product *from)
{
    size_t at = 0;
    for (size_t i = 0; i < from->n; i++) {
        const item *one = &from->items[i];
        const size_t n = one->n + one->n_ranges;
        if (f->n_pending && f->pending[0].shape >> 8 != one->shape >> 8 && !flush(f))
            return false;
        if (!array_add(&f->pending, &f->n_pending, &f->cap_pending, one, sizeof *one, NULL))
            return failure_no_memory(f->p->failure);
        if (n) /* else there may be no bytes at all */
            buffer_add(&f->bytes, from->bytes.s + at, n);
        at += n;
    }
    return !f->bytes.has_failed || failure_no_memory(f->p->failure);
}

/* ---- All of them ---------------------------------------------------------------------------------------- */

static bool write_range(making *m, filling *f, double from, double to)
{
    bool is_good = true;
    for (m->first_bucket = 0; is_good && m->first_bucket < VISIT_BUCKETS; m->first_bucket += BATCH) {
        atomic_store(&m->next, 0);
        threads_run(publish_threads(f->p), make_buckets, m);
        is_good = !atomic_load(&m->has_failed) || failure_no_memory(f->p->failure);
        for (unsigned i = 0; is_good && i < BATCH; i++)
            is_good = fill(f, &m->products[i]);
        is_good = is_good && publish_report(f->p, from + (to - from) * m->first_bucket / VISIT_BUCKETS);
    }
    return is_good;
}

static bool write_ranges(filling *f)
{
    const char *at = f->ranges.s;
    buffer chunk = {0};
    bool is_good = !f->ranges.has_failed || failure_no_memory(f->p->failure);
    publish_section(f->p, "ranges");
    for (size_t i = 0; is_good && i < f->n_ranges; at += f->range_sizes[i++]) {
        buffer_clear(&chunk);
        buffer_add(&chunk, at, f->range_sizes[i]);
        is_good = publish_stream_chunk(&f->p->out, &chunk) > 0;
    }
    buffer_free(&chunk);
    return is_good;
}

/* With one range, its visits are still there. */
static bool write_all(making *m, filling *f, positions *all, visits *v, unsigned n_ranges)
{
    bool is_good = true;
    publish_section(f->p, "positions");
    for (unsigned i = 0; is_good && i < n_ranges; i++) {
        const double from = 0.5 + 0.5 * i / n_ranges;
        is_good = (n_ranges == 1 || publish_visits_collect(v, all, i, n_ranges)) &&
                  write_range(m, f, from, from + 0.5 / n_ranges);
    }
    is_good = is_good && flush(f) && end_block(f);
    buffer_printf(&f->p->sections, ",\"blocks\":%zu,\"group-bits\":%u,\"difference-bits\":%u", f->n_blocks,
                  f->group_bits, f->k);
    return is_good && write_ranges(f);
}

static bool find_positions(positions *all, tby_publisher *p, visits *v, unsigned n_ranges)
{
    bool is_good = publish_positions_begin(all, p);
    for (unsigned i = 0; is_good && i < n_ranges; i++)
        is_good = publish_visits_collect(v, all, i, n_ranges) && publish_positions_add(all, v) &&
                  publish_report(p, 0.3 + 0.2 * (i + 1) / n_ranges);
    return is_good && publish_positions_ready(all);
}

static void making_free(making *m)
{
    for (size_t i = 0; m && i < BATCH; i++) {
        free(m->products[i].items);
        buffer_free(&m->products[i].bytes);
    }
    free(m);
}

static void filling_free(filling *f)
{
    buffer_free(&f->tables);
    buffer_free(&f->ranges);
    buffer_free(&f->alone.bytes);
    buffer_free(&f->bytes);
    free(f->pending);
    free(f->range_sizes);
}

bool publish_blocks_write(tby_publisher *p)
{
    visits *v = calloc(1, sizeof *v);
    making *m = calloc(1, sizeof *m);
    positions all = {.p = p};
    const unsigned n_ranges = publish_visits_n_ranges(p);
    filling f = {.p = p, .group_bits = bit_length(p->n_games / PUBLISH_GROUP)};
    bool is_good = (v && m) || failure_no_memory(p->failure);
    is_good = is_good && find_positions(&all, p, v, n_ranges);
    if (is_good) {
        const uint64_t distance = ((uint64_t)1 << 32) / (all.n_shapes + 1);
        f.k = distance > 1 ? bit_length(distance) - 1 : 0;
        m->all = &all;
        m->v = v;
        is_good = write_all(m, &f, &all, v, n_ranges);
    }
    filling_free(&f);
    making_free(m);
    publish_positions_free(&all);
    if (v)
        publish_visits_free(v);
    free(v);
    return is_good;
}
