/*
 * visits.c - finds the positions that games reach, and sorts them.
 *
 * The games are replayed twice for each range: first to count how many visits fall into each bucket, then to store them at
 * their place. So there is one array, and it is the same for any number of threads.
 */
#include "codec/packed.h"
#include "os/threads.h"
#include "position/board.h"
#include "publish/positions.h"

#include <stdatomic.h>
#include <stdlib.h>

unsigned publish_visits_n_ranges(const tby_publisher *p)
{
    const uint64_t standard = (uint64_t)3 << 30, memory = p->options->memory ? p->options->memory : standard;
    const uint64_t n = p->n_positions * sizeof(visit) / memory + 1;
    return n < 4096 ? (unsigned)n : 4096;
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

static uint32_t shape_of(const uint64_t plane[4])
{
    const uint64_t black = plane[3], pawns = plane[0] & ~(plane[1] | plane[2]);
    const uint64_t kinds[] = {plane[0] & plane[1], plane[1] & ~(plane[0] | plane[2]), plane[2] & ~(plane[0] | plane[1]),
                              plane[1] & plane[2]}; /* knights, bishops, rooks, queens */
    uint64_t counts = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        counts = counts << 8 | (uint64_t)bb_count(kinds[i] & ~black) << 4 | (uint64_t)bb_count(kinds[i] & black);
    return (uint32_t)(((pawns & ~black) * 0x9e3779b97f4a7c15ULL + (pawns & black) * 0xc2b2ae3d27d4eb4fULL +
                       counts * 0x165667b19e3779f9ULL) >>
                      32);
}

uint32_t publish_shape(const tby_board *board) { return shape_of(board->plane); }

static visit visit_of(uint32_t shape, uint64_t key)
{
    return (visit){.key = (uint64_t)shape << 32 | key >> 32, .next = (tby_move)(key >> 16 & 0xffff)};
}

uint64_t publish_key(const tby_position *pos, uint16_t *next)
{
    const visit v = visit_of(publish_shape(&pos->board), tby_position_key(pos));
    *next = v.next;
    return v.key;
}

/* ---- Replaying ------------------------------------------------------------------------------------------ */

enum { PLIES = 128 };
typedef struct plies {
    uint64_t planes[4][PLIES], keys[PLIES];
    tby_bitboard castling[PLIES];
    tby_square en_passant[PLIES];
} plies;

typedef struct collecting {
    const positions *all;
    visits *v;
    uint64_t (
        *places)[VISIT_BUCKETS]; /* for each share of the games: first counts, then where its next visit belongs */
    unsigned n_shares;
    uint64_t scale; /* from shapes to buckets, times 2^32 */
    bool is_counting;
    atomic_uint next;
    atomic_bool has_failed;
} collecting;

static unsigned bucket_of(const collecting *c, uint32_t shape)
{
    return (unsigned)((shape - c->v->first) * c->scale >> 32);
}

/* A move keeps the shape if it keeps the pawns and is no capture, after which no square is occupied that was free. */
static bool is_same_shape(const plies *p, size_t i)
{
    const uint64_t *a = p->planes[0] + i, *b = p->planes[1] + i, *c = p->planes[2] + i, *d = p->planes[3] + i;
    const uint64_t pawns = *a & ~(*b | *c), before = a[-1] & ~(b[-1] | c[-1]);
    const uint64_t occupied = *a | *b | *c, was_occupied = a[-1] | b[-1] | c[-1];
    return pawns == before && (pawns & *d) == (pawns & d[-1]) && (occupied == was_occupied || occupied & ~was_occupied);
}

static void put_plies(const collecting *c, uint64_t *places, visit from, const plies *p, size_t n)
{
    visits *v = c->v;
    uint32_t shape = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !is_same_shape(p, i))
            shape = shape_of((const uint64_t[]){p->planes[0][i], p->planes[1][i], p->planes[2][i], p->planes[3][i]});
        if (shape - v->first >= v->width)
            continue;
        const uint64_t place = places[bucket_of(c, shape)]++;
        if (c->is_counting)
            continue;
        visit one = visit_of(shape, p->keys[i]);
        one.game = from.game;
        one.ply = (uint16_t)(from.ply + i);
        v->of[place] = one;
    }
}

static void replay(const collecting *c, uint64_t *places, size_t number)
{
    const tby_text bytes = c->all->p->games[number].row.moves;
    tby_packed cursor;
    plies p;
    size_t n, ply = 0;
    if (!tby_packed_begin(&cursor, (const uint8_t *)bytes.s, bytes.n))
        return;
    do {
        tby_move *moves = c->all->moves + c->all->places[number] + ply;
        const packed_plies to = {
            {p.planes[0], p.planes[1], p.planes[2], p.planes[3]}, p.castling, p.en_passant, moves, p.keys};
        const uint64_t left = c->all->places[number + 1] - c->all->places[number] - ply;
        n = packed_read_plies(&to, left < PLIES ? (size_t)left : PLIES, &cursor);
        put_plies(c, places, (visit){.game = (uint32_t)number, .ply = (uint16_t)ply}, &p, n);
        ply += n;
    } while (c->all->moves[c->all->places[number] + ply - 1] != TBY_MOVE_NONE);
}

static void replay_shares(void *context, unsigned number)
{
    collecting *c = context;
    (void)number;
    for (unsigned share; (share = atomic_fetch_add(&c->next, 1)) < c->n_shares;) {
        const size_t n = c->all->p->n_games, first = n * share / c->n_shares, end = n * (share + 1) / c->n_shares;
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

/* Positions with the same key are rarely different. */
static void sort_rest(visit *of, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const visit moved = of[i];
        size_t k = i;
        for (; k > 0 && of[k - 1].key == moved.key && moved.next < of[k - 1].next; k--)
            of[k] = of[k - 1];
        of[k] = moved;
    }
}

static void sort_buckets(void *context, unsigned number)
{
    collecting *c = context;
    visits *v = c->v;
    visit *room = NULL;
    size_t cap = 0;
    (void)number;
    for (unsigned bucket; (bucket = atomic_fetch_add(&c->next, 1)) < VISIT_BUCKETS;) {
        const size_t n = (size_t)(v->starts[bucket + 1] - v->starts[bucket]);
        if (!array_reserve(&room, &cap, n, sizeof *room, NULL)) {
            atomic_store(&c->has_failed, true);
            break;
        }
        if (n == 0)
            continue;
        positions_sort(v->of + v->starts[bucket], room, n, 0);
        sort_rest(v->of + v->starts[bucket], n);
    }
    free(room);
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

bool publish_visits_collect(visits *v, positions *all, unsigned range, unsigned n_ranges)
{
    const unsigned n_threads = publish_threads(all->p);
    collecting c = {.all = all, .v = v, .n_shares = n_threads, .is_counting = true};
    v->first = ((uint64_t)range << 32) / n_ranges;
    v->width = ((uint64_t)(range + 1) << 32) / n_ranges - v->first;
    c.scale = ((uint64_t)VISIT_BUCKETS << 32) / v->width;
    c.places = calloc(c.n_shares, sizeof *c.places);
    if (!c.places)
        return failure_no_memory(all->p->failure);
    threads_run(n_threads, replay_shares, &c);
    make_places(&c);
    bool is_good = reserve(v);
    if (is_good) {
        c.is_counting = false;
        atomic_store(&c.next, 0);
        threads_run(n_threads, replay_shares, &c);
        atomic_store(&c.next, 0);
        threads_run(n_threads, sort_buckets, &c);
        is_good = !atomic_load(&c.has_failed);
    }
    free(c.places);
    return is_good || failure_no_memory(all->p->failure);
}

void publish_visits_free(visits *v) { free(v->of); }

uint64_t publish_visits_group(const visits *v, uint64_t at, uint64_t end, uint64_t *n_games)
{
    const uint64_t first = at;
    *n_games = 0;
    for (; at < end && v->of[at].key == v->of[first].key && v->of[at].next == v->of[first].next; at++)
        *n_games += at == first || v->of[at].game != v->of[at - 1].game;
    return at;
}
