/*
 * partition.c - a set of records in hash tables, one per partition, and in sorted runs on disk.
 *
 * Keeps    the larger a record's first word, the higher its home slot; the record is there or after it, with no free
 *          slot between. TAIL slots follow the last home slot, so nothing wraps around. Reading a table from start to
 *          end is out of order only within a cluster.
 */
#include "tree/partition.h"
#include "os/memory.h"
#include "support/array.h"

enum { FIRST_SLOTS = 256, TAIL = 128, READ_AHEAD = 8, RUN_BUFFER = 4096 /* records */ };

bool extents_add(extents *list, extent e) { return array_add(&list->items, &list->n, &list->cap, &e, sizeof e, NULL); }

/* ---- Memory -------------------------------------------------------------------------------------------- */

static size_t table_size(const partitions *all, size_t n_slots)
{
    return (n_slots + TAIL) * (size_t)all->width * sizeof(uint32_t);
}

/* All zeros. In large pages if the system has them: accesses are random, each on another page. */
static bool table_new(const partitions *all, partition *p, size_t n_slots)
{
    void *memory = os_block_new(table_size(all, n_slots));
    if (!memory)
        return false;
    *p = (partition){.slots = memory, .n_slots = n_slots};
    return true;
}

static void table_free(const partitions *all, partition *p)
{
    if (p->slots)
        os_block_free(p->slots, table_size(all, p->n_slots));
    p->slots = NULL;
    p->n_slots = p->n_used = 0;
}

/* While a table grows, it exists twice. */
void partitions_begin(partitions *all, int width, size_t memory, uint64_t n_expected, temp_file *runs)
{
    const size_t slots = memory / (N_PARTITIONS + N_PARTITIONS / 8) / (sizeof(uint32_t) * (size_t)width);
    const uint64_t wanted = n_expected / N_PARTITIONS * 5 / 4;
    *all = (partitions){.width = width, .max_slots = slots > FIRST_SLOTS ? slots : FIRST_SLOTS, .runs = runs};
    all->first_slots = wanted < FIRST_SLOTS ? FIRST_SLOTS : wanted < all->max_slots ? (size_t)wanted : all->max_slots;
    for (unsigned i = 0; i < N_PARTITIONS; i++)
        os_mutex_init(&all->parts[i].lock);
}

void partitions_end(partitions *all)
{
    for (unsigned i = 0; i < N_PARTITIONS; i++) {
        os_mutex_destroy(&all->parts[i].lock);
        table_free(all, &all->parts[i]);
        free(all->parts[i].runs.items);
    }
}

/* ---- Tables -------------------------------------------------------------------------------------------- */

TBY_INLINE uint32_t *slot_of(const partition *p, const uint32_t *record, int width)
{
    const size_t i = (size_t)(((uint64_t)(record[0] << PARTITION_BITS) * p->n_slots) >> 32);
    return p->slots + i * (size_t)width;
}

/* False if the table is full. */
TBY_INLINE bool put(partition *p, const uint32_t *record, int width)
{
    uint32_t *slot = slot_of(p, record, width);
    const uint32_t *end = p->slots + (p->n_slots + TAIL) * (size_t)width;
    for (; slot < end; slot += width) {
        if (record_is_free(slot)) {
            memcpy(slot, record, (size_t)width * sizeof *slot);
            p->n_used++;
            return true;
        }
        if (record_compare(slot, record, width) == 0)
            return true;
    }
    return false;
}

/* Sorts records that are nearly in order. */
TBY_INLINE void sort(uint32_t *records, size_t n, int width)
{
    uint32_t moving[RECORD_EXACT];
    const size_t size = (size_t)width * sizeof *records;
    for (size_t i = 1; i < n; i++) {
        uint32_t *at = records + i * (size_t)width;
        if (record_compare(at - width, at, width) <= 0)
            continue;
        memcpy(moving, at, size);
        do {
            memcpy(at, at - width, size);
            at -= width;
        } while (at > records && record_compare(at - width, moving, width) > 0);
        memcpy(at, moving, size);
    }
}

/* Moves the records to the front of the table, in order. */
static void table_sort(partition *p, int width)
{
    uint32_t *to = p->slots;
    const uint32_t *end = p->slots + (p->n_slots + TAIL) * (size_t)width;
    for (const uint32_t *from = p->slots; from < end; from += width)
        if (!record_is_free(from)) {
            memmove(to, from, (size_t)width * sizeof *to);
            to += width;
        }
    if (width == RECORD_EXACT)
        sort(p->slots, p->n_used, RECORD_EXACT);
    else
        sort(p->slots, p->n_used, RECORD_FINGERPRINT);
}

static bool spill(partitions *all, partition *p)
{
    const size_t size = sizeof(uint32_t) * (size_t)all->width;
    extent run = {.n = p->n_used};
    table_sort(p, all->width);
    if (!temp_file_add(all->runs, p->slots, p->n_used * size, &run.offset) || !extents_add(&p->runs, run))
        return false;
    atomic_fetch_add(&all->n_on_disk, p->n_used);
    memset(p->slots, 0, table_size(all, p->n_slots));
    p->n_used = 0;
    return true;
}

/* Grows the table by half, or empties it if it would become too large. */
static bool make_room(partitions *all, partition *p)
{
    size_t wanted = p->n_slots ? p->n_slots + p->n_slots / 2 : all->first_slots;
    if (wanted > all->max_slots && p->n_slots < all->max_slots / 8 * 7)
        wanted = all->max_slots;
    if (wanted > all->max_slots)
        return spill(all, p);
    partition larger;
    if (!table_new(all, &larger, wanted))
        return p->n_used > 0 && spill(all, p);
    const size_t n_old = p->slots ? p->n_slots + TAIL : 0;
    for (size_t i = 0; i < n_old; i++) {
        const uint32_t *record = p->slots + i * (size_t)all->width;
        if (!record_is_free(record) && !put(&larger, record, all->width)) {
            table_free(all, &larger);
            return spill(all, p);
        }
    }
    table_free(all, p);
    p->slots = larger.slots;
    p->n_slots = larger.n_slots;
    p->n_used = larger.n_used;
    return true;
}

/* Returns how many records were added before the table was full. */
TBY_INLINE size_t put_some(partition *p, const uint32_t *records, size_t n, int width)
{
    for (size_t i = 0; i < n && i < READ_AHEAD; i++)
        __builtin_prefetch(slot_of(p, records + i * (size_t)width, width), 1);
    for (size_t i = 0; i < n; i++) {
        if (i + READ_AHEAD < n)
            __builtin_prefetch(slot_of(p, records + (i + READ_AHEAD) * (size_t)width, width), 1);
        if (!put(p, records + i * (size_t)width, width))
            return i;
    }
    return n;
}

TBY_INLINE bool add(partitions *all, partition *p, const uint32_t *records, size_t n, int width)
{
    while (n > 0) {
        while (p->n_used + n > p->n_slots / 8 * 7)
            if (!make_room(all, p))
                return false;
        const size_t done = put_some(p, records, n, width);
        records += done * (size_t)width;
        n -= done;
        if (n > 0 && !make_room(all, p)) /* a cluster reached the end of the table */
            return false;
    }
    return true;
}

bool partition_add(partitions *all, unsigned number, const uint32_t *records, size_t n)
{
    partition *p = &all->parts[number];
    os_mutex_lock(&p->lock);
    const bool is_good = all->width == RECORD_EXACT ? add(all, p, records, n, RECORD_EXACT)
                                                    : add(all, p, records, n, RECORD_FINGERPRINT);
    os_mutex_unlock(&p->lock);
    return is_good;
}

/* ---- Merging ------------------------------------------------------------------------------------------- */

/* A sorted sequence of records: the table, or a run that is read piece by piece. */
typedef struct source {
    const uint32_t *at, *end;
    uint32_t *buffer;
    extent rest;
} source;

typedef struct merge {
    const partitions *all;
    source *sources;
    size_t *heap; /* sources with records left, smallest record first */
    size_t n;
} merge;

static bool source_fill(source *s, const partitions *all)
{
    const size_t size = sizeof(uint32_t) * (size_t)all->width;
    const size_t n = s->rest.n < RUN_BUFFER ? s->rest.n : RUN_BUFFER;
    if (n > 0 && !temp_file_read(all->runs, s->buffer, n * size, s->rest.offset))
        return false;
    s->at = s->buffer;
    s->end = s->buffer + n * (size_t)all->width;
    s->rest.offset += n * size;
    s->rest.n -= n;
    return true;
}

static bool heap_less(const merge *m, size_t a, size_t b)
{
    return record_compare(m->sources[m->heap[a]].at, m->sources[m->heap[b]].at, m->all->width) < 0;
}

static void heap_sink(merge *m, size_t i)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= m->n)
            return;
        child += child + 1 < m->n && heap_less(m, child + 1, child);
        if (!heap_less(m, child, i))
            return;
        const size_t other = m->heap[i];
        m->heap[i] = m->heap[child];
        m->heap[child] = other;
        i = child;
    }
}

/* Skips the smallest record. */
static bool merge_step(merge *m)
{
    source *s = &m->sources[m->heap[0]];
    s->at += m->all->width;
    if (s->at == s->end && s->rest.n > 0 && !source_fill(s, m->all))
        return false;
    if (s->at == s->end)
        m->heap[0] = m->heap[--m->n];
    heap_sink(m, 0);
    return true;
}

static bool merge_all(merge *m, record_visitor visit, void *context)
{
    uint32_t last[RECORD_EXACT] = {0}; /* not a valid record: see record.h */
    const int width = m->all->width;
    for (size_t i = m->n; i-- > 0;)
        heap_sink(m, i);
    while (m->n > 0) {
        const uint32_t *record = m->sources[m->heap[0]].at;
        if (record_compare(record, last, width) != 0) {
            if (!visit(context, record))
                return false;
            memcpy(last, record, (size_t)width * sizeof *last);
        }
        if (!merge_step(m))
            return false;
    }
    return true;
}

static bool open_sources(merge *m, partition *p)
{
    const partitions *all = m->all;
    bool is_good = true;
    if (p->n_used > 0)
        m->sources[0] = (source){.at = p->slots, .end = p->slots + p->n_used * (size_t)all->width};
    for (size_t i = 0; is_good && i < p->runs.n; i++) {
        source *s = &m->sources[i + 1];
        s->rest = p->runs.items[i];
        s->buffer = malloc(sizeof(uint32_t) * (size_t)all->width * RUN_BUFFER);
        is_good = s->buffer && source_fill(s, all);
    }
    for (size_t i = 0; i <= p->runs.n; i++)
        if (m->sources[i].at < m->sources[i].end)
            m->heap[m->n++] = i;
    return is_good;
}

bool partition_visit(partitions *all, unsigned number, record_visitor visit, void *context)
{
    partition *p = &all->parts[number];
    merge m = {.all = all};
    m.sources = calloc(p->runs.n + 1, sizeof *m.sources);
    m.heap = calloc(p->runs.n + 1, sizeof *m.heap);
    if (p->n_used > 0)
        table_sort(p, all->width);
    const bool is_good = m.sources && m.heap && open_sources(&m, p) && merge_all(&m, visit, context);
    for (size_t i = 0; m.sources && i <= p->runs.n; i++)
        free(m.sources[i].buffer);
    free(m.sources);
    free(m.heap);
    table_free(all, p);
    return is_good;
}
