/*
 * shared.c - the positions that several games reach, with their numbers of games.
 */
#include "os/threads.h"
#include "publish/positions.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What one bucket of visits has. */
typedef struct found {
    shared_key *of;
    size_t n, cap;
    uint64_t n_shapes;
} found;

typedef struct finding {
    positions *all;
    const visits *v;
    found *in; /* each bucket */
    atomic_uint next;
    atomic_bool has_failed;
} finding;

/* ---- All games ------------------------------------------------------------------------------------------ */

/* A game has at most as many half-moves as bytes; after them comes the trailer. */
static uint64_t places_of(const publish_game *game) { return game->row.moves.n - TBY_PACKED_TRAILER_SIZE; }

bool publish_positions_begin(positions *all, tby_publisher *p)
{
    const size_t n = p->n_games;
    uint64_t n_places = 0;
    *all = (positions){.p = p};
    all->places = malloc((n + 1) * sizeof *all->places);
    all->games = malloc((n + 1) * sizeof *all->games);
    for (size_t i = 0; all->places && all->games && i < n; i++) {
        const tby_row *row = &p->games[i].row;
        all->places[i] = n_places;
        all->games[i] =
            (brief_game){row->date, {(short)row->elo[TBY_WHITE], (short)row->elo[TBY_BLACK]}, (uint8_t)row->result};
        n_places += places_of(&p->games[i]);
    }
    all->moves = malloc((size_t)(n_places + 1) * sizeof *all->moves);
    all->is_shared = calloc((size_t)(n_places / 64 + 1), sizeof *all->is_shared);
    if (!all->places || !all->games || !all->moves || !all->is_shared)
        return failure_no_memory(p->failure);
    all->places[n] = n_places;
    return true;
}

void publish_positions_free(positions *all)
{
    free(all->places);
    free(all->games);
    free(all->moves);
    free(all->is_shared);
    free(all->shared);
    free(all->starts);
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

static void mark(const finding *w, uint64_t at, uint64_t end)
{
    for (; at < end; at++) {
        const uint64_t place = w->all->places[w->v->of[at].game] + w->v->of[at].ply;
        atomic_fetch_or_explicit(&w->all->is_shared[place / 64], (uint64_t)1 << (place % 64), memory_order_relaxed);
    }
}

static bool find_in_bucket(finding *w, unsigned bucket)
{
    const visits *v = w->v;
    found *f = &w->in[bucket];
    uint64_t n_games, shape = UINT64_MAX;
    for (uint64_t at = v->starts[bucket], end; at < v->starts[bucket + 1]; at = end) {
        end = publish_visits_group(v, at, v->starts[bucket + 1], &n_games);
        f->n_shapes += v->of[at].key >> 32 != shape;
        shape = v->of[at].key >> 32;
        if (n_games == 1)
            continue;
        const shared_key one = {v->of[at].key, (uint32_t)n_games, v->of[at].next};
        if (!array_add(&f->of, &f->n, &f->cap, &one, sizeof one, NULL))
            return false;
        mark(w, at, end);
    }
    return true;
}

static void find_in_buckets(void *context, unsigned number)
{
    finding *w = context;
    (void)number;
    for (unsigned bucket; (bucket = atomic_fetch_add(&w->next, 1)) < VISIT_BUCKETS;)
        if (!find_in_bucket(w, bucket))
            atomic_store(&w->has_failed, true);
}

static bool append(positions *all, const found *f)
{
    if (!array_reserve(&all->shared, &all->cap_shared, all->n_shared + f->n, sizeof *f->of, NULL))
        return false;
    if (f->n)
        memcpy(all->shared + all->n_shared, f->of, f->n * sizeof *f->of);
    all->n_shared += f->n;
    all->n_shapes += f->n_shapes;
    return true;
}

bool publish_positions_add(positions *all, const visits *v)
{
    finding w = {.all = all, .v = v, .in = calloc(VISIT_BUCKETS, sizeof *w.in)};
    bool is_good = w.in != NULL;
    if (is_good)
        threads_run(publish_threads(all->p), find_in_buckets, &w);
    is_good = is_good && !atomic_load(&w.has_failed);
    for (unsigned i = 0; w.in && i < VISIT_BUCKETS; i++) {
        is_good = is_good && append(all, &w.in[i]);
        free(w.in[i].of);
    }
    free(w.in);
    return is_good || failure_no_memory(all->p->failure);
}

/* ---- Looking up ----------------------------------------------------------------------------------------- */

/* About four keys have the same upper bits. */
bool publish_positions_ready(positions *all)
{
    unsigned bits = 8;
    while (bits < 30 && (uint64_t)4 << bits < all->n_shared)
        bits++;
    all->shift = 64 - bits;
    all->starts = malloc((((size_t)1 << bits) + 1) * sizeof *all->starts);
    if (!all->starts)
        return failure_no_memory(all->p->failure);
    size_t at = 0;
    for (size_t i = 0; i <= (size_t)1 << bits; i++) {
        while (at < all->n_shared && all->shared[at].key >> all->shift < i)
            at++;
        all->starts[i] = (uint32_t)at;
    }
    return true;
}

uint32_t publish_positions_games(const positions *all, const tby_position *pos)
{
    uint16_t next;
    const uint64_t key = publish_key(pos, &next);
    size_t low = all->starts[key >> all->shift], high = all->starts[(key >> all->shift) + 1];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const shared_key *one = &all->shared[middle];
        if (one->key == key && one->next == next)
            return one->n_games;
        if (one->key < key || (one->key == key && one->next < next))
            low = middle + 1;
        else
            high = middle;
    }
    return 1;
}
