/*
 * visits.c - finds the positions that games reach, and sorts them by key.
 *
 * The games are replayed twice for each range of keys: first to count how many visits fall into each bucket, then to store
 * them at their place. So there is one array, and it is the same for any number of threads.
 */
#include "os/threads.h"
#include "publish/positions.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MOST = 64 };

unsigned publish_threads(const tby_publisher *p)
{
    const unsigned n = threads_wanted(p->options->n_threads, (int64_t)p->n_games);
    return n < THREADS_MOST ? n : THREADS_MOST;
}

unsigned publish_visits_n_ranges(const tby_publisher *p)
{
    const uint64_t standard = (uint64_t)1 << 30, memory = p->options->memory ? p->options->memory : standard;
    const uint64_t n = p->n_positions * sizeof(visit) / memory + 1;
    return n < 4096 ? (unsigned)n : 4096;
}

/* ---- Replaying ------------------------------------------------------------------------------------------ */

typedef struct collecting {
    const tby_publisher *p;
    visits *v;
    uint64_t (
        *places)[VISIT_BUCKETS]; /* for each share of the games: first counts, then where its next visit belongs */
    unsigned n_shares;
    bool is_counting;
    atomic_uint next;
} collecting;

static unsigned bucket_of(const visits *v, uint64_t key)
{
    return (unsigned)(((key >> 32) - v->first) * VISIT_BUCKETS / v->width);
}

static void replay(const collecting *c, uint64_t *places, size_t number)
{
    visits *v = c->v;
    const tby_text moves = c->p->games[number].row.moves;
    tby_packed cursor;
    tby_move next;
    unsigned ply = 0;
    if (!tby_packed_begin(&cursor, (const uint8_t *)moves.s, moves.n))
        return;
    do {
        const uint64_t key = tby_position_key(&cursor.pos);
        next = tby_packed_next(&cursor);
        if ((key >> 32) - v->first < v->width) {
            const uint64_t place = places[bucket_of(v, key)]++;
            if (!c->is_counting)
                v->of[place] = (visit){key, (uint32_t)number, (uint16_t)ply, (uint16_t)next};
        }
        ply++;
    } while (next != TBY_MOVE_NONE);
}

static void replay_shares(void *context, unsigned number)
{
    collecting *c = context;
    (void)number;
    for (unsigned share; (share = atomic_fetch_add(&c->next, 1)) < c->n_shares;) {
        const size_t n = c->p->n_games, first = n * share / c->n_shares, end = n * (share + 1) / c->n_shares;
        for (size_t i = first; i < end; i++)
            replay(c, c->places[share], i);
    }
}

/* Counts become places: bucket by bucket, and in a bucket share by share, so that games are in order. */
static void make_places(collecting *c)
{
    uint64_t at = 0;
    for (size_t bucket = 0; bucket < VISIT_BUCKETS; bucket++) {
        c->v->starts[bucket] = at;
        for (unsigned share = 0; share < c->n_shares; share++) {
            const uint64_t n = c->places[share][bucket];
            c->places[share][bucket] = at;
            at += n;
        }
    }
    c->v->starts[VISIT_BUCKETS] = c->v->n = at;
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

static int compare_visits(const void *x, const void *y)
{
    const visit *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->ply > b->ply) - (a->ply < b->ply);
}

static void sort_buckets(void *context, unsigned number)
{
    collecting *c = context;
    visits *v = c->v;
    (void)number;
    for (unsigned bucket; (bucket = atomic_fetch_add(&c->next, 1)) < VISIT_BUCKETS;) {
        const uint64_t n = v->starts[bucket + 1] - v->starts[bucket];
        if (n > 1)
            qsort(v->of + v->starts[bucket], n, sizeof *v->of, compare_visits);
    }
}

static bool reserve(visits *v)
{
    if (v->n <= v->cap)
        return true;
    free(v->of);
    v->of = malloc((size_t)v->n * sizeof *v->of);
    v->cap = v->of ? v->n : 0;
    return v->of != NULL;
}

bool publish_visits_collect(visits *v, tby_publisher *p, unsigned range, unsigned n_ranges)
{
    const unsigned n_threads = publish_threads(p);
    collecting c = {.p = p, .v = v, .n_shares = n_threads, .is_counting = true};
    v->first = ((uint64_t)range << 32) / n_ranges;
    v->width = ((uint64_t)(range + 1) << 32) / n_ranges - v->first;
    c.places = calloc(c.n_shares, sizeof *c.places);
    if (!c.places)
        return failure_no_memory(p->failure);
    threads_run(n_threads, replay_shares, &c);
    make_places(&c);
    const bool is_good = reserve(v);
    if (is_good) {
        c.is_counting = false;
        atomic_store(&c.next, 0);
        threads_run(n_threads, replay_shares, &c);
        atomic_store(&c.next, 0);
        threads_run(n_threads, sort_buckets, &c);
    }
    free(c.places);
    return is_good || failure_no_memory(p->failure);
}

void publish_visits_free(visits *v) { free(v->of); }

uint64_t publish_visits_group(const visits *v, uint64_t at, uint64_t end, uint64_t *n_games)
{
    const uint64_t first = at;
    *n_games = 0;
    for (; at < end && v->of[at].key == v->of[first].key; at++)
        *n_games += at == first || v->of[at].game != v->of[at - 1].game;
    return at;
}
