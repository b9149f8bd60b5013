/*
 * scan.c - finds the games that reach certain positions.
 *
 * If a run of the index covers a game deeply enough, its postings decide. The other games are scanned through their
 * sketches, block by block, with one thread per processor; only the few with a matching sketch are replayed. Each
 * thread has its own connection.
 */
#include "store/sqlite/scan.h"
#include "base/contract.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/readers.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Hits ----------------------------------------------------------------------------------------------- */

bool hit_list_add(void *list, const hit *h)
{
    hit_list *l = list;
    if (!array_reserve(&l->hits, &l->cap, l->n + 1, sizeof *l->hits, NULL))
        return lite_fail_memory(l->db);
    l->hits[l->n++] = *h;
    return true;
}

int compare_hits(const void *a, const void *b)
{
    TBY_CONTRACT(a && b);
    const hit *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The first game after the contiguous runs that cover this one. */
static tby_game_id next_uncovered(const position_runs *runs, tby_game_id id)
{
    for (size_t i = positions_run_at(runs, id); i < runs->n && runs->runs[i].first <= id; i++)
        id = runs->runs[i].last + 1;
    return id;
}

/* A block whose games are all in the index is not read. */
bool hit_blocks_list(lite *db, const position_runs *covered, tby_game_id last, hit_block **out, int64_t *n)
{
    size_t cap = 0;
    for (tby_game_id id = 1; (id = next_uncovered(covered, id)) <= last;) {
        if (!next_stored_game(db, &id))
            return false;
        if (id == 0 || id > last)
            break;
        if (positions_run_of(covered, id) < covered->n)
            continue;
        if (!array_reserve(out, &cap, (size_t)*n + 1, sizeof **out, NULL))
            return lite_fail_memory(db);
        (*out)[(*n)++] = (hit_block){.number = block_of(id)};
        id = block_end(id) + 1;
    }
    return true;
}

void hit_blocks_free(hit_block *blocks, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        free(blocks[i].hits.hits);
    free(blocks);
}

static bool has_enough(const scan_options *o, int64_t n) { return o->n_wanted && n >= o->n_wanted; }

/* ---- One game ------------------------------------------------------------------------------------------- */

/* One search, shared by its threads. */
typedef struct search {
    const scan_options *options;
    const position_runs *runs; /* those that are deep enough */
    uint8_t min_pieces;
    tby_bitboard home;   /* pawns that are unmoved in all targets */
    tby_game_id last_id; /* of all games */
    hit_block *blocks;   /* those with games outside the index */
    int64_t n_blocks;
} search;

/* The move played after a hit; false if the bytes end before that is known. */
static bool take_next(tby_packed cursor, tby_move *next)
{
    *next = tby_packed_next(&cursor);
    return *next != TBY_MOVE_NONE || (cursor.at < cursor.end && *cursor.at == 0);
}

typedef enum verdict { IS_SETTLED, NEEDS_MORE, HAS_FAILED } verdict;

/* For one target, the codec knows when to give up. */
static verdict find_one(const search *s, hit_list *list, tby_game_id id, tby_packed *cursor)
{
    const int ply = tby_target_step(s->options->targets, cursor, s->options->max_ply);
    hit h = {(uint32_t)id, 0, (uint16_t)ply, TBY_MOVE_NONE};
    if (ply < 0)
        return ply == -1 ? IS_SETTLED : NEEDS_MORE;
    if (!take_next(*cursor, &h.next))
        return NEEDS_MORE;
    return hit_list_add(list, &h) ? IS_SETTLED : HAS_FAILED;
}

/* Can no later position be one of the targets? */
static bool is_past(const search *s, const tby_board *b)
{
    const tby_bitboard occupied = b->plane[0] | b->plane[1] | b->plane[2];
    return (uint8_t)__builtin_popcountll(occupied) < s->min_pieces || (s->home & ~occupied);
}

static bool note_targets(const search *s, hit_list *list, tby_game_id id, int ply, const tby_packed *cursor,
                         bool *is_found)
{
    const tby_target *targets = s->options->targets;
    const uint64_t key = targets->is_placement ? cursor->pos.placement_key : tby_position_key(&cursor->pos);
    for (size_t i = 0; i < s->options->n_targets; i++) {
        hit h = {(uint32_t)id, (uint16_t)i, (uint16_t)ply, TBY_MOVE_NONE};
        if (targets[i].key != key || is_found[i])
            continue;
        is_found[i] = true;
        take_next(*cursor, &h.next);
        if (!hit_list_add(list, &h))
            return false;
    }
    return true;
}

/* For many targets, all of one kind. The game must be complete. */
static verdict find_many(const search *s, hit_list *list, tby_game_id id, tby_packed *cursor)
{
    bool is_found[TBY_MOVES_MAX + 1] = {false};
    for (int ply = 0; ply <= s->options->max_ply && !is_past(s, &cursor->pos.board); ply++) {
        if (!note_targets(s, list, id, ply, cursor, is_found))
            return HAS_FAILED;
        if (tby_packed_next(cursor) == TBY_MOVE_NONE)
            break;
    }
    return IS_SETTLED;
}

static verdict find_in_game(const search *s, lite *db, hit_list *list, tby_game_id id)
{
    tby_packed cursor;
    verdict v = IS_SETTLED;
    lite_rows r = lite_rows_kept(db, SQL_GAME_MOVES, id);
    const lite_bytes moves = lite_next(&r) ? lite_bytes_at(&r, 0) : (lite_bytes){NULL, 0};
    if (moves.s && tby_packed_begin(&cursor, moves.s, moves.n))
        v = s->options->n_targets == 1 ? find_one(s, list, id, &cursor) : find_many(s, list, id, &cursor);
    return lite_end(&r) ? v : HAS_FAILED;
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

static bool scan_sketches(search *s, lite *db, hit_block *b, const uint8_t *sketches, size_t n)
{
    hit_list *list = &b->hits;
    const scan_options *o = s->options;
    for (size_t i = sketch_next(sketches, n, 0, o->targets, o->n_targets); i < n;
         i = sketch_next(sketches, n, i + 1, o->targets, o->n_targets)) {
        const tby_game_id id = b->number * BLOCK_GAMES + (tby_game_id)i + 1;
        tby_packed cursor;
        if (positions_run_of(s->runs, id) < s->runs->n || (o->among && !game_set_has(o->among, id)))
            continue;
        verdict v = NEEDS_MORE;
        if (o->n_targets == 1 && sketch_begin(&cursor, sketches + i * SKETCH_SIZE))
            v = find_one(s, list, id, &cursor);
        if (v == NEEDS_MORE)
            v = find_in_game(s, db, list, id);
        if (v == HAS_FAILED)
            return false;
    }
    return true;
}

static bool scan_one(void *context, lite *db, unsigned thread, int64_t number)
{
    search *s = context;
    hit_block *b = &s->blocks[number];
    (void)thread;
    b->hits.db = db;
    lite_rows r = lite_rows_in(db, TABLE_SKETCH, b->number);
    if (lite_next(&r)) {
        const lite_bytes sketches = lite_bytes_at(&r, 1);
        const size_t n = sketches.n / SKETCH_SIZE;
        r.failed = !scan_sketches(s, db, b, sketches.s, n < BLOCK_GAMES ? n : BLOCK_GAMES);
    }
    return lite_end(&r);
}

static bool scan_blocks(search *s, lite *db, hit_visit visit, void *context)
{
    bool is_good = hit_blocks_list(db, s->runs, s->last_id, &s->blocks, &s->n_blocks);
    const readers_work work = {NULL, scan_one, s, s->options->search->n_threads, s->n_blocks, s->n_blocks};
    is_good = is_good && readers_run(db, &work);
    int64_t n = 0;
    for (int64_t i = 0; i < s->n_blocks; i++) {
        const hit_list *list = &s->blocks[i].hits;
        for (size_t k = 0; is_good && k < list->n && !has_enough(s->options, n); k++, n++)
            is_good = visit(context, &list->hits[k]);
    }
    hit_blocks_free(s->blocks, s->n_blocks);
    return is_good;
}

/* ---- The index ------------------------------------------------------------------------------------------ */

/* The part of one thread. */
typedef struct lookup {
    const struct lookups *of;
    lite *db;
    void *context;
    size_t target;
    int64_t n_taken; /* games so far */
    block facts;
    bool has_failed;
} lookup;

typedef struct lookups {
    const scan_options *options;
    const position_runs *runs;
    hit_visit visit;
    void *context;
    int64_t n_deleted; /* games */
    bool has_common;
    lookup threads[THREADS_MAX];
} lookups;

/* Postings of deleted games are skipped, based on their facts. */
static bool skips_deleted(const lookups *all) { return all->n_deleted > 0 && !all->options->among; }

static bool is_there(lookup *l, tby_game_id id)
{
    if (!skips_deleted(l->of))
        return true;
    const uint8_t *record = block_get(&l->facts, l->db, id);
    l->has_failed = !record;
    return record && fact_is_there(record);
}

static bool take_posting(void *context, const tby_posting *p)
{
    lookup *l = context;
    const hit h = {(uint32_t)p->game, (uint16_t)l->target, (uint16_t)p->ply, p->next};
    if (p->ply <= l->of->options->max_ply && is_there(l, p->game)) {
        l->has_failed = !l->of->visit(l->context, &h);
        l->n_taken++;
    }
    return !l->has_failed && !has_enough(l->of->options, l->n_taken);
}

/* Uses the stored counts, if there are any. */
static bool look_up_common(const lookup *l, const position_run *run, bool is_number_wanted, bool *is_there)
{
    const scan_options *o = l->of->options;
    position_counts counts;
    if (!counts_get(l->db, run, o->targets[l->target].key, &counts, is_there))
        return false;
    if (*is_there && is_number_wanted)
        o->count(l->context, l->target, counts.numbers[POSITION_GAMES]);
    else if (*is_there)
        o->take(l->context, &counts);
    return true;
}

static bool look_up_run(lookup *l, const position_run *run)
{
    const scan_options *o = l->of->options;
    const uint64_t key = o->targets[l->target].key;
    const bool is_whole = run_depth(run) == o->max_ply;
    const bool is_number_wanted = is_whole && o->count && l->target >= o->first_counted;
    bool is_there = false;
    uint32_t n;
    if (l->of->has_common && is_whole && !o->among && (is_number_wanted || (o->take && l->target == 0)) &&
        !look_up_common(l, run, is_number_wanted, &is_there))
        return false;
    if (is_there)
        return true;
    if (!is_number_wanted || skips_deleted(l->of))
        return positions_each(l->db, run, key, o->among, take_posting, l) && !l->has_failed;
    if (!positions_count(l->db, run, key, o->among, &n))
        return false;
    o->count(l->context, l->target, n);
    return true;
}

/* Reads the runs that are deep enough: others could miss a later occurrence. Placements have no index. */
static bool read_runs(lite *db, const scan_options *o, position_runs *runs)
{
    size_t n = 0;
    if (!positions_runs(db, runs))
        return false;
    for (size_t i = 0; i < runs->n; i++)
        if (!o->search->ignores_index && !o->targets->is_placement && run_depth(&runs->runs[i]) >= o->max_ply)
            runs->runs[n++] = runs->runs[i];
    runs->n = n;
    return true;
}

static bool read_counters(lite *db, int64_t *n_deleted, bool *has_common)
{
    return lite_counter(db, "deleted", UINT32_MAX, n_deleted) && counts_are_kept(db, has_common);
}

/* Does the connection see the same index and the same games? Others may have written since. */
static bool sees_the_same(const lookups *all, lite *db)
{
    position_runs own;
    int64_t n_deleted = 0;
    bool has_common;
    bool is_same = read_runs(db, all->options, &own) && read_counters(db, &n_deleted, &has_common) &&
                   n_deleted == all->n_deleted && has_common == all->has_common && own.n == all->runs->n;
    for (size_t i = 0; is_same && i < own.n; i++)
        is_same = own.runs[i].id == all->runs->runs[i].id && own.runs[i].last == all->runs->runs[i].last;
    positions_free(&own);
    return is_same;
}

static bool look_up_join(void *context, lite *db, unsigned thread)
{
    lookups *all = context;
    void *own = thread ? all->options->context_of(all->context, thread) : all->context;
    all->threads[thread] = (lookup){.of = all, .db = db, .context = own, .facts = facts_begin()};
    return thread == 0 || (own && sees_the_same(all, db));
}

/* One target in one run. */
static bool look_up_one(void *context, lite *db, unsigned thread, int64_t number)
{
    lookups *all = context;
    lookup *l = &all->threads[thread];
    (void)db;
    l->target = (size_t)number / all->runs->n;
    return has_enough(all->options, l->n_taken) || look_up_run(l, &all->runs->runs[(size_t)number % all->runs->n]);
}

static bool look_up(lite *db, const scan_options *o, const position_runs *runs, hit_visit visit, void *context)
{
    lookups all = {.options = o, .runs = runs, .visit = visit, .context = context};
    const int64_t n = (int64_t)(runs->n * o->n_targets);
    const readers_work work = {look_up_join, look_up_one, &all, o->search->n_threads, o->context_of ? n : 1, n};
    const bool is_good = read_counters(db, &all.n_deleted, &all.has_common) && readers_run(db, &work);
    for (unsigned i = 0; i < THREADS_MAX; i++)
        block_finish(&all.threads[i].facts);
    return is_good;
}

/* ---- Index and scan ------------------------------------------------------------------------------------- */

static bool prepare(search *s, lite *db, const scan_options *o)
{
    s->options = o;
    s->min_pieces = 255;
    s->home = ~0ULL;
    for (size_t i = 0; i < o->n_targets; i++) {
        s->min_pieces = o->targets[i].n_pieces < s->min_pieces ? o->targets[i].n_pieces : s->min_pieces;
        s->home &= o->targets[i].home;
    }
    return lite_last_id(db, &s->last_id) &&
           (s->last_id == 0 || game_id_is_sound(s->last_id) || fail_game_id(db, s->last_id));
}

static bool scan(lite *db, const scan_options *o, hit_visit visit, void *context)
{
    position_runs runs;
    search s = {.runs = &runs};
    const bool is_good = read_runs(db, o, &runs) && prepare(&s, db, o) && look_up(db, o, &runs, visit, context) &&
                         scan_blocks(&s, db, visit, context);
    positions_free(&runs);
    return is_good;
}

bool scan_games(lite *db, const scan_options *o, hit_visit visit, void *context)
{
    bool is_alone;
    db->base.failure.text[0] = '\0';
    if (!lite_begin_reading(db, &is_alone))
        return false;
    const bool is_good = scan(db, o, visit, context);
    lite_end_reading(db, is_alone);
    return is_good;
}
