/*
 * scan.c - finds the games that reach certain positions.
 *
 * If a run of the index covers a game deeply enough, its postings decide. The other games are scanned through their
 * sketches, block by block, with one thread per processor; only the few with a matching sketch are replayed. Each
 * thread has its own connection.
 */
#include "store/sqlite/scan.h"
#include "store/sqlite/index/counts.h"
#include "support/array.h"
#include "support/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Hits ----------------------------------------------------------------------------------------------- */

typedef struct hit_list {
    hit *hits;
    size_t n, cap;
} hit_list;

static bool add_hit(hit_list *list, const hit *h)
{
    if (!array_reserve(&list->hits, &list->cap, list->n + 1, sizeof *list->hits, NULL))
        return false;
    list->hits[list->n++] = *h;
    return true;
}

static bool has_enough(const scan_options *o, int64_t n) { return o->n_wanted && n >= o->n_wanted; }

/* ---- Connections ---------------------------------------------------------------------------------------- */

struct readers {
    lite *dbs[THREADS_MAX];
};

void readers_free(readers *r)
{
    for (int i = 0; r && i < THREADS_MAX; i++)
        lite_close(r->dbs[i]);
    free(r);
}

lite *lite_reader(lite *db, unsigned i)
{
    tby_failure ignored = {.status = TBY_OK};
    if (i == 0)
        return db;
    if (!db->readers && !(db->readers = calloc(1, sizeof *db->readers)))
        return NULL;
    if (!db->readers->dbs[i])
        db->readers->dbs[i] = lite_open(db->path, TBY_DB_READ, (db_report){NULL, NULL}, &ignored);
    return db->readers->dbs[i];
}

/* ---- One game ------------------------------------------------------------------------------------------- */

typedef struct scan_block {
    int64_t number;
    hit_list hits;
} scan_block;

/* One search, shared by its threads. */
typedef struct search {
    const scan_options *options;
    const position_runs *runs; /* those that are deep enough */
    uint8_t min_pieces;
    tby_bitboard home; /* pawns that are unmoved in all targets */
    atomic_llong next_block;
    tby_game_id last_id; /* of all games */
    scan_block *blocks;  /* those with games outside the index */
    int64_t n_blocks;
    atomic_bool has_failed;
} search;

/* Is the game covered by the index? */
static bool is_covered(const search *s, tby_game_id id)
{
    const size_t run = positions_run_at(s->runs, id);
    return run < s->runs->n && s->runs->runs[run].first <= id;
}

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
    return add_hit(list, &h) ? IS_SETTLED : HAS_FAILED;
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
        if (!add_hit(list, &h))
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

static verdict find_in_sketch(const search *s, hit_list *list, tby_game_id id, const uint8_t *sketch)
{
    tby_packed cursor;
    if (s->options->n_targets != 1 || !sketch_begin(&cursor, sketch))
        return NEEDS_MORE;
    return find_one(s, list, id, &cursor);
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

static bool scan_sketches(search *s, lite *db, scan_block *b, const uint8_t *sketches, size_t n)
{
    hit_list *list = &b->hits;
    const scan_options *o = s->options;
    for (size_t i = sketch_next(sketches, n, 0, o->targets, o->n_targets); i < n;
         i = sketch_next(sketches, n, i + 1, o->targets, o->n_targets)) {
        const tby_game_id id = b->number * BLOCK_GAMES + (tby_game_id)i + 1;
        if (is_covered(s, id) || (o->among && !game_set_has(o->among, id)))
            continue;
        verdict v = find_in_sketch(s, list, id, sketches + i * SKETCH_SIZE);
        if (v == NEEDS_MORE)
            v = find_in_game(s, db, list, id);
        if (v == HAS_FAILED)
            return false;
    }
    return true;
}

/* The first game after the contiguous runs that cover this one. */
static tby_game_id next_uncovered(const search *s, tby_game_id id)
{
    for (size_t i = positions_run_at(s->runs, id); i < s->runs->n && s->runs->runs[i].first <= id; i++)
        id = s->runs->runs[i].last + 1;
    return id;
}

/* A block whose games are all in the index is not read. */
static bool list_blocks(search *s, lite *db)
{
    size_t cap = 0;
    for (tby_game_id id = 1; (id = next_uncovered(s, id)) <= s->last_id;) {
        if (!next_stored_game(db, &id))
            return false;
        if (id == 0 || id > s->last_id)
            break;
        if (is_covered(s, id))
            continue;
        if (!array_reserve(&s->blocks, &cap, (size_t)s->n_blocks + 1, sizeof *s->blocks, NULL))
            return lite_fail_memory(db);
        s->blocks[s->n_blocks++] = (scan_block){.number = block_of(id)};
        id = block_end(id) + 1;
    }
    return true;
}

static bool scan_one(search *s, lite *db, scan_block *b)
{
    lite_rows r = lite_rows_in(db, TABLE_SKETCH, b->number);
    if (lite_next(&r)) {
        const lite_bytes sketches = lite_bytes_at(&r, 1);
        const size_t n = sketches.n / SKETCH_SIZE;
        r.failed = !scan_sketches(s, db, b, sketches.s, n < BLOCK_GAMES ? n : BLOCK_GAMES);
    }
    return lite_end(&r);
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

typedef struct worker {
    search *search;
    lite *db;
} worker;

static void work(void *context, unsigned number)
{
    const worker *w = (const worker *)context + number;
    search *s = w->search;
    bool is_alone;
    if (!lite_begin_reading(w->db, &is_alone))
        atomic_store(&s->has_failed, true);
    for (int64_t i; !atomic_load(&s->has_failed) && (i = atomic_fetch_add(&s->next_block, 1)) < s->n_blocks;)
        if (!scan_one(s, w->db, &s->blocks[i])) {
            if (!w->db->base.failure.text[0])
                lite_fail_memory(w->db); /* other failures have been reported */
            atomic_store(&s->has_failed, true);
        }
    lite_end_reading(w->db, is_alone);
}

unsigned scan_threads(unsigned n_threads, int64_t most)
{
    return threads_wanted(n_threads, most < THREADS_MAX ? most : THREADS_MAX);
}

static void run_workers(search *s, lite *db)
{
    worker workers[THREADS_MAX];
    const unsigned n_wanted = scan_threads(s->options->n_threads, s->n_blocks);
    unsigned n = 0;
    for (lite *reader; n < n_wanted && (reader = lite_reader(db, n)) != NULL; n++) {
        workers[n] = (worker){.search = s, .db = reader};
        reader->base.failure.text[0] = '\0';
    }
    threads_run(n, work, workers);
    while (n-- > 1) {
        const lite *other = workers[n].db;
        if (other->base.failure.text[0] && !db->base.failure.text[0])
            lite_fail(db, other->base.failure.status, "%s", other->base.failure.text);
    }
}

static bool scan_blocks(search *s, lite *db, hit_visit visit, void *context)
{
    bool is_good = list_blocks(s, db);
    if (is_good && s->n_blocks > 0)
        run_workers(s, db);
    is_good = is_good && !atomic_load(&s->has_failed);
    int64_t n = 0;
    for (int64_t i = 0; i < s->n_blocks; i++) {
        const hit_list *list = &s->blocks[i].hits;
        for (size_t k = 0; is_good && k < list->n && !has_enough(s->options, n); k++, n++)
            is_good = visit(context, &list->hits[k]);
        free(list->hits);
    }
    free(s->blocks);
    return is_good;
}

/* ---- The index ------------------------------------------------------------------------------------------ */

/* Postings of deleted games are skipped, based on their facts. */
typedef struct lookup {
    lite *db;
    const scan_options *options;
    hit_visit visit;
    void *context;
    size_t target;
    int64_t n_taken;  /* games so far */
    bool has_deleted; /* some games were deleted */
    bool has_common;
    position_counts counts;
    block facts;
    bool has_failed;
} lookup;

static bool is_there(lookup *l, tby_game_id id)
{
    const uint8_t *record = l->has_deleted ? block_get(&l->facts, l->db, id) : NULL;
    l->has_failed = l->has_deleted && !record;
    return !l->has_deleted || (record && fact_is_there(record));
}

static bool take_posting(void *context, const tby_posting *p)
{
    lookup *l = context;
    const hit h = {(uint32_t)p->game, (uint16_t)l->target, (uint16_t)p->ply, p->next};
    if (p->ply <= l->options->max_ply && is_there(l, p->game)) {
        l->has_failed = !l->visit(l->context, &h);
        l->n_taken++;
    }
    return !l->has_failed && !has_enough(l->options, l->n_taken);
}

/* Uses the stored counts, if there are any. */
static bool look_up_common(lookup *l, const position_run *run, bool is_number_wanted, bool *is_there)
{
    const scan_options *o = l->options;
    if (!counts_get(l->db, run, o->targets[l->target].key, &l->counts, is_there))
        return false;
    if (*is_there && is_number_wanted)
        o->count(l->context, l->target, l->counts.games);
    else if (*is_there)
        o->take(l->context, &l->counts);
    return true;
}

static bool look_up_run(lookup *l, const position_run *run)
{
    const scan_options *o = l->options;
    const uint64_t key = o->targets[l->target].key;
    const bool is_whole = run_depth(run) == o->max_ply;
    const bool is_number_wanted = is_whole && o->count && l->target >= o->first_counted;
    bool is_there = false;
    uint32_t n;
    if (l->has_common && is_whole && !o->among && (is_number_wanted || (o->take && l->target == 0)) &&
        !look_up_common(l, run, is_number_wanted, &is_there))
        return false;
    if (is_there)
        return true;
    if (!is_number_wanted || l->has_deleted)
        return positions_each(l->db, run, key, o->among, take_posting, l) && !l->has_failed;
    if (!positions_count(l->db, run, key, o->among, &n))
        return false;
    o->count(l->context, l->target, n);
    return true;
}

/* Keeps only the runs that are deep enough: others could miss a later occurrence. Placements have no index. */
static void keep_deep_runs(position_runs *runs, const scan_options *o)
{
    size_t n = 0;
    for (size_t i = 0; i < runs->n; i++)
        if (!o->ignores_index && !o->targets->is_placement && run_depth(&runs->runs[i]) >= o->max_ply)
            runs->runs[n++] = runs->runs[i];
    runs->n = n;
}

static lookup *lookup_new(lite *db, const scan_options *o, hit_visit visit, void *context)
{
    lookup *l = calloc(1, sizeof *l);
    if (!l) {
        lite_fail_memory(db);
        return NULL;
    }
    l->facts = facts_begin();
    l->db = db;
    l->options = o;
    l->visit = visit;
    l->context = context;
    return l;
}

static void lookup_free(lookup *l)
{
    if (l)
        block_finish(&l->facts);
    free(l);
}

static bool read_counters(lookup *l, int64_t *n_deleted)
{
    if (!lite_counter(l->db, "deleted", UINT32_MAX, n_deleted) || !counts_are_kept(l->db, &l->has_common))
        return false;
    l->has_deleted = *n_deleted > 0 && !l->options->among;
    return true;
}

static bool look_up_all(lookup *l, const position_runs *runs)
{
    for (; l->target < l->options->n_targets && !l->has_failed; l->target++)
        for (size_t i = 0; i < runs->n && !l->has_failed && !has_enough(l->options, l->n_taken); i++)
            l->has_failed = !look_up_run(l, &runs->runs[i]);
    return !l->has_failed;
}

/* ---- The index, by several threads ---------------------------------------------------------------------- */

typedef struct lookups {
    const position_runs *runs;
    int64_t n_deleted;
    lookup *list[THREADS_MAX];
    bool is_alone[THREADS_MAX];
    unsigned n;
    atomic_llong next; /* of all targets in all runs */
    atomic_bool is_over;
} lookups;

static void look_up_some(void *context, unsigned number)
{
    lookups *all = context;
    lookup *l = all->list[number];
    const long long n_runs = (long long)all->runs->n, n = n_runs * (long long)l->options->n_targets;
    for (long long i; !atomic_load(&all->is_over) && (i = atomic_fetch_add(&all->next, 1)) < n;) {
        l->target = (size_t)(i / n_runs);
        if (!look_up_run(l, &all->runs->runs[i % n_runs])) {
            l->has_failed = true;
            atomic_store(&all->is_over, true);
        }
    }
}

/* Does the connection see the same index and the same games? Others may have written since. */
static bool sees_the_same(lookup *l, const lookups *all)
{
    position_runs own;
    int64_t n_deleted = 0;
    bool is_same = positions_runs(l->db, &own) && read_counters(l, &n_deleted) && n_deleted == all->n_deleted;
    keep_deep_runs(&own, l->options);
    is_same = is_same && own.n == all->runs->n;
    for (size_t i = 0; is_same && i < own.n; i++)
        is_same = own.runs[i].id == all->runs->runs[i].id && own.runs[i].last == all->runs->runs[i].last;
    positions_free(&own);
    return is_same;
}

/* Adds another thread, if possible. */
static bool add_lookup(lookups *all, const lookup *first)
{
    lite *db = lite_reader(first->db, all->n);
    void *context = db ? first->options->context_of(first->context, all->n) : NULL;
    lookup *l = context ? lookup_new(db, first->options, first->visit, context) : NULL;
    if (!l || !lite_begin_reading(db, &all->is_alone[all->n])) {
        lookup_free(l);
        return false;
    }
    db->base.failure.text[0] = '\0';
    if (!sees_the_same(l, all)) {
        lite_end_reading(db, all->is_alone[all->n]);
        lookup_free(l);
        return false;
    }
    all->list[all->n++] = l;
    return true;
}

static void end_lookup(lookups *all, lite *db)
{
    lookup *l = all->list[--all->n];
    lite_end_reading(l->db, all->is_alone[all->n]);
    if (l->has_failed && !db->base.failure.text[0])
        lite_fail(db, l->db->base.failure.status, "%s", l->db->base.failure.text);
    lookup_free(l);
}

static bool look_up_together(lookup *l, const position_runs *runs, int64_t n_deleted)
{
    lookups all = {.runs = runs, .n_deleted = n_deleted, .list = {l}, .n = 1};
    const unsigned n = scan_threads(l->options->n_threads, (int64_t)(runs->n * l->options->n_targets));
    while (all.n < n && add_lookup(&all, l))
        continue;
    threads_run(all.n, look_up_some, &all);
    while (all.n > 1)
        end_lookup(&all, l->db);
    return !atomic_load(&all.is_over);
}

static bool look_up(lite *db, const scan_options *o, const position_runs *runs, hit_visit visit, void *context)
{
    int64_t n_deleted = 0;
    lookup *l = lookup_new(db, o, visit, context);
    bool is_good = l && read_counters(l, &n_deleted);
    if (is_good)
        is_good = o->context_of ? look_up_together(l, runs, n_deleted) : look_up_all(l, runs);
    lookup_free(l);
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
    if (!lite_last_id(db, &s->last_id))
        return false;
    return s->last_id == 0 || game_id_is_sound(s->last_id) || fail_game_id(db, s->last_id);
}

static bool scan(lite *db, const scan_options *o, hit_visit visit, void *context)
{
    position_runs runs;
    search s = {.runs = &runs};
    bool is_good = positions_runs(db, &runs);
    if (is_good)
        keep_deep_runs(&runs, o);
    is_good = is_good && prepare(&s, db, o) && look_up(db, o, &runs, visit, context) &&
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
