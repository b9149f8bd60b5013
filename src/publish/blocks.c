/*
 * blocks.c - the positions of all games, sorted by key, in blocks of equal size.
 *
 *      0         4         8         12
 *     +---------+---------+---------+--------------+----------------+------+----------+
 *     | first   | bytes   | number  | tables       | alone          | 0... | checksum |
 *     +---------+---------+---------+--------------+----------------+------+----------+
 *
 *     first    the upper 24 bits of the block's first key, times 256: no two blocks share those of a key
 *     tables   DIFFERENCE CHECK SIZE TABLE: of the upper 32 bits of the key, its next 24 bits, and tables.c
 *     alone    positions that only one game reaches: the difference of the upper 32 bits (codec/bits.h), and the group of
 *              the game
 */
#include "codec/bits.h"
#include "os/threads.h"
#include "publish/tables.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { HEADER = 12, BATCH = 1024 };

/* What becomes of one bucket of visits, in the order of its keys. */
typedef struct item {
    uint64_t key;
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
    tby_publisher *p;
    const all_keys *keys;
    const alone *without;
    const visits *v;
    uint64_t n_before; /* keys before those of `v` */
    uint64_t *indexes; /* of the first key of each bucket */
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
    uint32_t ranges_at;
    bit_buffer alone;
    item *pending; /* with the same 24 bits */
    size_t n_pending, cap_pending;
    buffer bytes; /* of those */
    uint32_t first, last_table, last_alone, n_alone, last_first;
    size_t n_blocks;
    uint64_t n_bits;
    unsigned k, group_bits;
    bool is_open;
} filling;

/* ---- Tables, in threads --------------------------------------------------------------------------------- */

static bool make_bucket(making *m, product *out, unsigned bucket, buffer *ranges)
{
    const visits *v = m->v;
    uint64_t index = m->indexes[bucket], n_games;
    out->n = 0;
    buffer_clear(&out->bytes);
    for (uint64_t at = v->starts[bucket], end; at < v->starts[bucket + 1]; at = end, index++) {
        item one = {.key = v->of[at].key, .group = v->of[at].game / PUBLISH_GROUP};
        const size_t before = out->bytes.n;
        end = publish_visits_group(v, at, v->starts[bucket + 1], &n_games);
        if (!publish_alone_is(m->without, index)) {
            publish_table_put(&out->bytes, ranges, m->p, m->keys, v->of + at, end - at);
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
        if (m->first_bucket + i < VISIT_BUCKETS && !make_bucket(m, &m->products[i], m->first_bucket + i, &ranges))
            atomic_store(&m->has_failed, true);
    buffer_free(&ranges);
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

static void begin_block(filling *f, uint32_t prefix)
{
    buffer_clear(&f->tables);
    buffer_clear(&f->alone.bytes);
    f->alone.n = 0;
    f->alone.word = 0;
    f->n_bits = 0;
    f->n_alone = 0;
    f->first = f->last_table = f->last_alone = prefix << 8;
    f->is_open = true;
}

static bool end_block(filling *f)
{
    buffer block = {0};
    uint8_t header[HEADER];
    if (!f->is_open)
        return true;
    bits_fill(&f->alone);
    bytes_set_32(header, f->first);
    bytes_set_32(header + 4, (uint32_t)f->tables.n);
    bytes_set_32(header + 8, f->n_alone);
    buffer_add(&block, header, HEADER);
    buffer_add(&block, f->tables.s, f->tables.n);
    buffer_add(&block, f->alone.bytes.s, f->alone.bytes.n);
    const size_t rest = PUBLISH_BLOCK - PUBLISH_CHECKSUM - block.n;
    if (buffer_reserve(&block, rest)) {
        memset(block.data + block.n, 0, rest);
        block.n += rest;
    }
    varint_put(&f->p->firsts, (f->first >> 8) - f->last_first);
    f->last_first = f->first >> 8;
    f->n_blocks++;
    f->is_open = false;
    const bool is_good = !f->tables.has_failed && !f->alone.bytes.has_failed &&
                         publish_stream_chunk(&f->p->out, &block) > 0;
    buffer_free(&block);
    return is_good || failure_no_memory(f->p->failure);
}

/* The ranges of a large position are written elsewhere; the end of its table says where. */
static void put_apart(filling *f, uint8_t *table_end, const uint8_t *ranges, uint32_t n)
{
    bytes_set_32(table_end - 8, f->ranges_at);
    bytes_set_32(table_end - 4, n + PUBLISH_CHECKSUM);
    f->ranges_at += n + PUBLISH_CHECKSUM;
    buffer_add(&f->ranges, ranges, n);
    if (!array_add(&f->range_sizes, &f->n_ranges, &f->cap_ranges, &n, sizeof n, NULL))
        buffer_fail(&f->ranges);
}

static void put_pending(filling *f, bool is_only_measured, size_t *n_tables, uint64_t *n_bits)
{
    enum { TABLE_HEAD = 16, BITS_WORST = 96 };
    uint8_t *bytes = f->bytes.data;
    *n_tables = 0;
    *n_bits = 0;
    for (size_t i = 0; i < f->n_pending; i++) {
        const item *one = &f->pending[i];
        const uint32_t upper = (uint32_t)(one->key >> 32);
        *n_tables += one->n ? one->n + TABLE_HEAD : 0;
        *n_bits += one->n ? 0 : BITS_WORST;
        if (is_only_measured)
            continue;
        if (one->n == 0) {
            bits_put_number(&f->alone, upper - f->last_alone, f->k);
            bits_put(&f->alone, one->group, f->group_bits);
            f->last_alone = upper;
            f->n_alone++;
            continue;
        }
        if (one->n_ranges)
            put_apart(f, bytes + one->n, bytes + one->n, one->n_ranges);
        varint_put(&f->tables, upper - f->last_table);
        buffer_put_24(&f->tables, (uint32_t)(one->key >> 8) & 0xffffff);
        varint_put(&f->tables, one->n);
        buffer_add(&f->tables, bytes, one->n);
        f->last_table = upper;
        bytes += one->n + one->n_ranges;
    }
}

/* The positions that share their upper 24 bits are complete: they go into this block, or into the next one. */
static bool flush(filling *f)
{
    size_t n_tables;
    uint64_t n_bits;
    if (f->n_pending == 0)
        return true;
    put_pending(f, true, &n_tables, &n_bits);
    const size_t more = n_tables + (size_t)(n_bits / 8) + 2, most = PUBLISH_BLOCK - PUBLISH_CHECKSUM - HEADER;
    if (more > most)
        return failure_keep(f->p->failure, TBY_TOO_LONG, "too many positions have similar keys");
    if (f->is_open && f->tables.n + f->alone.bytes.n + more > most && !end_block(f))
        return false;
    if (!f->is_open)
        begin_block(f, (uint32_t)(f->pending[0].key >> 40));
    put_pending(f, false, &n_tables, &n_bits);
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
        if (f->n_pending && f->pending[0].key >> 40 != one->key >> 40 && !flush(f))
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

static void count_indexes(making *m)
{
    uint64_t index = m->n_before, n_games;
    for (unsigned bucket = 0; bucket < VISIT_BUCKETS; bucket++) {
        m->indexes[bucket] = index;
        for (uint64_t at = m->v->starts[bucket]; at < m->v->starts[bucket + 1]; index++)
            at = publish_visits_group(m->v, at, m->v->starts[bucket + 1], &n_games);
    }
    m->n_before = index;
}

static bool write_range(making *m, filling *f, double from, double to)
{
    bool is_good = true;
    count_indexes(m);
    for (m->first_bucket = 0; is_good && m->first_bucket < VISIT_BUCKETS; m->first_bucket += BATCH) {
        atomic_store(&m->next, 0);
        threads_run(publish_threads(m->p), make_buckets, m);
        is_good = !atomic_load(&m->has_failed) || failure_no_memory(m->p->failure);
        for (unsigned i = 0; is_good && i < BATCH; i++)
            is_good = fill(f, &m->products[i]);
        is_good = is_good && publish_report(m->p, from + (to - from) * m->first_bucket / VISIT_BUCKETS);
    }
    return is_good;
}

static bool find_keys(tby_publisher *p, visits *v, all_keys *keys, unsigned n_ranges)
{
    bool is_good = true;
    for (unsigned i = 0; is_good && i < n_ranges; i++)
        is_good = publish_visits_collect(v, p, i, n_ranges) &&
                  (publish_keys_add(keys, v) || failure_no_memory(p->failure)) &&
                  publish_report(p, 0.1 + 0.2 * (i + 1) / n_ranges);
    return is_good && (publish_keys_ready(keys) || failure_no_memory(p->failure));
}

static bool write_ranges(filling *f)
{
    const uint64_t start = f->p->out.at;
    const char *at = f->ranges.s;
    buffer chunk = {0};
    bool is_good = !f->ranges.has_failed || failure_no_memory(f->p->failure);
    for (size_t i = 0; is_good && i < f->n_ranges; at += f->range_sizes[i++]) {
        buffer_add(&chunk, at, f->range_sizes[i]);
        is_good = publish_stream_chunk(&f->p->out, &chunk) > 0;
    }
    buffer_free(&chunk);
    publish_section(f->p, "ranges", start);
    return is_good;
}

static bool write_all(making *m, filling *f, visits *v, unsigned n_ranges)
{
    tby_publisher *p = m->p;
    bool is_good = true;
    const uint64_t start = p->out.at;
    for (unsigned i = 0; is_good && i < n_ranges; i++) {
        const double from = 0.5 + 0.5 * i / n_ranges;
        is_good = (n_ranges == 1 || publish_visits_collect(v, p, i, n_ranges)) &&
                  write_range(m, f, from, from + 0.5 / n_ranges);
    }
    is_good = is_good && flush(f) && end_block(f);
    publish_section(p, "positions", start);
    buffer_printf(&p->sections, ",\"blocks\":%zu,\"group-bits\":%u,\"difference-bits\":%u", f->n_blocks, f->group_bits,
                  f->k);
    return is_good && write_ranges(f);
}

static void making_free(making *m)
{
    for (size_t i = 0; m && i < BATCH; i++) {
        free(m->products[i].items);
        buffer_free(&m->products[i].bytes);
    }
    free(m ? m->indexes : NULL);
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
    all_keys keys = {0};
    alone without = {NULL};
    const unsigned n_ranges = publish_visits_n_ranges(p);
    filling f = {.p = p, .group_bits = bit_length(p->n_games / PUBLISH_GROUP)};
    bool is_good = (v && m && (m->indexes = malloc(VISIT_BUCKETS * sizeof *m->indexes))) ||
                   failure_no_memory(p->failure);
    is_good = is_good && find_keys(p, v, &keys, n_ranges) && publish_alone_find(&without, p, &keys) &&
              publish_report(p, 0.5);
    if (is_good) {
        const uint64_t distance = ((uint64_t)1 << 32) / (keys.n + 1);
        f.k = distance > 1 ? bit_length(distance) - 1 : 0;
        m->p = p;
        m->keys = &keys;
        m->without = &without;
        m->v = v;
        is_good = write_all(m, &f, v, n_ranges);
    }
    filling_free(&f);
    making_free(m);
    publish_alone_free(&without);
    publish_keys_free(&keys);
    if (v)
        publish_visits_free(v);
    free(v);
    return is_good;
}
