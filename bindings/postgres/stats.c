/*
 * stats.c - the statistics that ANALYZE collects about a column of games.
 *
 * Besides the usual statistics of a sortable type, two lists are computed from the sample: the most common placements
 * (pg_stats shows them as most_common_elems: placementKey, its lowest seven bits replaced by the first half-move at
 * which the sample has the placement) and the most common openings, by a hash of their bytes.
 */
#include "estimate.h"

#include <catalog/pg_type_d.h>
#include <utils/typcache.h>

enum {
    SAMPLE_MAX = 60000, /* games used: a larger sample is thinned out */
    PLACEMENT_PLIES = 80,
    OPENING_PLIES = 40,
    ELEMENTS_PER_TARGET = 100, /* the default target of 100 gives 10000 of each */
    GAMES_PER_TARGET = 10,     /* and 1000 games as bounds of the histogram, against which queries are checked */
    TARGET_MAX = 10000,        /* of PostgreSQL */
    COUNT_MIN = 3              /* rarer elements are not significant */
};

/* ---- Keys -------------------------------------------------------------------------------------------------- */

typedef struct key_list {
    uint64 *keys;
    size_t n;
} key_list;

static uint64 noted_key(uint64 key, size_t ply) { return (key & ~(uint64)PLY_MASK) | ply; }

static int compare_keys(const void *a, const void *b)
{
    const int64 x = *(const int64 *)a, y = *(const int64 *)b;
    return (x > y) - (x < y);
}

/* A radix sort from the lowest byte: for millions of keys, qsort takes several times as long. */
uint64 *sort_keys(uint64 *keys, uint64 *room, size_t n, unsigned first_bit, unsigned end_bit)
{
    for (unsigned shift = first_bit; shift < end_bit; shift += 8) {
        size_t starts[256] = {0}, at = 0;
        for (size_t i = 0; i < n; i++)
            starts[keys[i] >> shift & 255]++;
        for (int i = 0; i < 256; i++) {
            const size_t count = starts[i];
            starts[i] = at;
            at += count;
        }
        for (size_t i = 0; i < n; i++)
            room[starts[keys[i] >> shift & 255]++] = keys[i];
        uint64 *other = keys;
        keys = room;
        room = other;
    }
    return keys;
}

/* Removes duplicates; keeps the first occurrence. */
static size_t unique_keys(uint64 *keys, size_t n)
{
    size_t n_unique = 0;
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !is_same_key(keys[i], keys[i - 1]))
            keys[n_unique++] = keys[i];
    return n_unique;
}

static void note_game(key_list *placements, key_list *openings, bytes_argument game)
{
    tby_packed cursor;
    uint64 *keys = placements->keys + placements->n;
    size_t n = 0;
    if (!tby_packed_begin(&cursor, game.bytes, game.n))
        return;
    do {
        if (n <= OPENING_PLIES)
            openings->keys[openings->n++] = noted_key(opening_key(game.bytes, (size_t)(cursor.at - game.bytes)), n);
        keys[n] = noted_key(cursor.pos.placement_key, n);
        n++;
    } while (n <= PLACEMENT_PLIES && tby_packed_next(&cursor) != TBY_MOVE_NONE);
    placements->n += unique_keys(keys, n);
}

/* ---- ANALYZE ----------------------------------------------------------------------------------------------- */

typedef struct usual_analysis {
    AnalyzeAttrComputeStatsFunc compute;
    void *extra;
} usual_analysis;

typedef struct counted_key {
    uint64 key;
    size_t count;
} counted_key;

static int compare_counts(const void *a, const void *b)
{
    const counted_key *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return compare_keys(&x->key, &y->key);
}

static int compare_counted_keys(const void *a, const void *b)
{
    return compare_keys(&((const counted_key *)a)->key, &((const counted_key *)b)->key);
}

/* The most frequent keys, sorted by key. */
static counted_key *most_common(key_list *list, size_t max, size_t *n_out)
{
    size_t n = 0;
    uint64 *room = MemoryContextAllocHuge(CurrentMemoryContext, (list->n + 1) * sizeof *room);
    sort_keys(list->keys, room, list->n, 0, 64); /* after eight rounds the result is in list->keys */
    pfree(room);
    counted_key *counted = palloc((list->n / COUNT_MIN + 1) * sizeof *counted);
    for (size_t i = 0, end; i < list->n; i = end) {
        for (end = i + 1; end < list->n && is_same_key(list->keys[end], list->keys[i]); end++)
            ;
        if (end - i >= COUNT_MIN)
            counted[n++] = (counted_key){list->keys[i], end - i};
    }
    qsort(counted, n, sizeof *counted, compare_counts);
    n = n < max ? n : max;
    qsort(counted, n, sizeof *counted, compare_counted_keys);
    *n_out = n;
    return counted;
}

static int free_slot(const VacAttrStats *stats)
{
    int slot = 0;
    while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
        slot++;
    return slot;
}

/* Values, their shares, then the smallest and the largest share, as for other kinds of elements. */
static void fill_slot(VacAttrStats *stats, int kind, key_list *list, size_t max, double n_games)
{
    const int slot = free_slot(stats);
    size_t n;
    counted_key *common = most_common(list, max, &n);
    if (n == 0 || slot == STATISTIC_NUM_SLOTS)
        return;
    MemoryContext old = MemoryContextSwitchTo(stats->anl_context);
    Datum *values = palloc(n * sizeof *values);
    float4 *shares = palloc((n + 2) * sizeof *shares), least = 1, greatest = 0;
    MemoryContextSwitchTo(old);
    for (size_t i = 0; i < n; i++) {
        values[i] = key_datum(common[i].key);
        shares[i] = (float4)((double)common[i].count / n_games);
        least = shares[i] < least ? shares[i] : least;
        greatest = shares[i] > greatest ? shares[i] : greatest;
    }
    shares[n] = least;
    shares[n + 1] = greatest;
    stats->stakind[slot] = (int16)kind;
    stats->staop[slot] = lookup_type_cache(INT8OID, TYPECACHE_EQ_OPR)->eq_opr;
    stats->stanumbers[slot] = shares;
    stats->numnumbers[slot] = (int)n + 2;
    stats->stavalues[slot] = values;
    stats->numvalues[slot] = (int)n;
    stats->statypid[slot] = INT8OID;
    stats->statyplen[slot] = sizeof(int64);
    stats->statypbyval[slot] = FLOAT8PASSBYVAL;
    stats->statypalign[slot] = TYPALIGN_DOUBLE;
}

/* With a larger target: the more games are kept, the better are the estimates for queries that match few. */
static void compute_usual(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int n_rows, double total_rows)
{
    usual_analysis *usual = stats->extra_data;
    const int target = STATISTICS_TARGET(stats), many = target * GAMES_PER_TARGET;
    stats->extra_data = usual->extra;
    STATISTICS_TARGET(stats) = many < TARGET_MAX ? many : TARGET_MAX;
    usual->compute(stats, fetch, n_rows, total_rows);
    STATISTICS_TARGET(stats) = target;
    stats->extra_data = usual;
}

static void compute(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int n_rows, double total_rows)
{
    const int step = n_rows / SAMPLE_MAX + 1, target = STATISTICS_TARGET(stats);
    compute_usual(stats, fetch, n_rows, total_rows);
    const size_t n_max = (size_t)n_rows / step + 1, max = (size_t)target * ELEMENTS_PER_TARGET;
    key_list placements = {MemoryContextAllocHuge(CurrentMemoryContext, n_max * (PLACEMENT_PLIES + 1) * sizeof(uint64)),
                           0},
             openings = {MemoryContextAllocHuge(CurrentMemoryContext, n_max * (OPENING_PLIES + 1) * sizeof(uint64)), 0};
    double n_games = 0;
    for (int i = 0; i < n_rows; i += step) {
        bool is_null;
        const Datum value = fetch(stats, i, &is_null);
        analyze_delay_point();
        if (is_null)
            continue;
        struct varlena *game = PG_DETOAST_DATUM_PACKED(value);
        note_game(&placements, &openings, bytes_of(PointerGetDatum(game)));
        n_games++;
        if (PointerGetDatum(game) != value)
            pfree(game);
    }
    fill_slot(stats, KIND_PLACEMENTS, &placements, max, n_games);
    fill_slot(stats, KIND_OPENINGS, &openings, max, n_games);
    pfree(placements.keys);
    pfree(openings.keys);
}

SQL_FUNCTION(tabiya_typanalyze)
{
    VacAttrStats *stats = (VacAttrStats *)PG_GETARG_POINTER(0);
    if (!std_typanalyze(stats))
        PG_RETURN_BOOL(false);
    usual_analysis *usual = palloc(sizeof *usual);
    *usual = (usual_analysis){stats->compute_stats, stats->extra_data};
    stats->compute_stats = compute;
    stats->extra_data = usual;
    PG_RETURN_BOOL(true);
}
