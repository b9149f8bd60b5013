/*
 * find_sorted.c - finds games in an order that their records of 8 bytes decide: by ratings, dates and numbers.
 *
 * Of all games, and of those that records alone pick out, nothing but the records is read. Other searches find their games
 * first, and look up the record of each.
 */
#include "row/columns.h"
#include "store/sqlite/find_plan.h"
#include "store/sqlite/ranks.h"
#include "support/array.h"

#include <stdlib.h>

/* Games between two looks whether the caller wants to go on. */
enum { BETWEEN_LOOKS = 1024 };

bool lite_can_sort(const find_plan *p)
{
    const tby_db_search *s = p->base.search;
    return s->order && !s->sample && (s->order->n == 0 || tby_order_needs(s->order) == 0);
}

/* ---- Records -------------------------------------------------------------------------------------------- */

/* The number by which games are sorted, in a record; it is less than `limit`. */
typedef struct record_number {
    int shift;
    uint32_t limit;
    bool is_elo, is_falling; /* the mean rating, twice */
} record_number;

static record_number number_of(const tby_order *order)
{
    const tby_order_field *f = &order->fields[0];
    if (order->n == 0)
        return (record_number){.limit = 1};
    if (f->column < 0)
        return (record_number){.limit = 1 << 17, .is_elo = true, .is_falling = f->is_falling};
    const size_t offset = row_columns[f->column].offset;
    if (offset == offsetof(tby_row, date))
        return (record_number){.shift = 34, .limit = 1 << 27, .is_falling = f->is_falling};
    return (record_number){
        .shift = offset == offsetof(tby_row, elo[TBY_BLACK]) ? 16 : 0, .limit = 1 << 16, .is_falling = f->is_falling};
}

/* What is not known comes last. */
static inline uint32_t rank_of(uint64_t word, record_number from)
{
    const uint32_t number = from.is_elo ? (uint32_t)elo_twice((int)(word & 0xffff), (int)(word >> 16 & 0xffff))
                                        : (uint32_t)(word >> from.shift) & (from.limit - 1);
    return number == 0 ? from.limit : from.is_falling ? from.limit - number : number;
}

typedef struct ranking {
    lite *db;
    const find_plan *plan;
    record_number from;
    ranks ranks;
    block *facts;
    tby_db_hit *hits; /* those with a ply, by rising numbers */
    size_t n_hits, cap_hits, n_seen;
} ranking;

/* ---- By records alone ----------------------------------------------------------------------------------- */

static bool rank_block(ranking *r, int64_t number, const uint8_t *records, size_t n)
{
    const record_number from = r->from;
    const game_set *among = r->plan->end == END_RECORDS ? &r->plan->must : NULL;
    for (size_t i = 0; i < n && i < BLOCK_GAMES && number * BLOCK_GAMES + (tby_game_id)i < UINT32_MAX; i++) {
        const tby_game_id id = number * BLOCK_GAMES + (tby_game_id)i + 1;
        const uint64_t word = fact_word(records + i * FACT_SIZE);
        if (word != UINT64_MAX && (!among || game_set_has(among, id)) && !ranks_add(&r->ranks, rank_of(word, from), id))
            return lite_fail_memory(r->db);
    }
    return db_goes_on(&r->db->base) || lite_fail(r->db, TBY_INTERRUPTED, "interrupted");
}

static bool rank_records(ranking *r)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(r->db, "SELECT block, records FROM fact WHERE block BETWEEN 0 AND ?1");
    if (s)
        sqlite3_bind_int64(s, 1, block_of(UINT32_MAX));
    while (s && !failed && lite_step_up(r->db, s, &before, &failed)) {
        const uint8_t *records = sqlite3_column_blob(s, 1);
        failed = records && !rank_block(r, before, records, (size_t)sqlite3_column_bytes(s, 1) / FACT_SIZE);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

/* Are the games that are found all that there are, or those that records are sure of? */
static bool has_records(const find_plan *p)
{
    const tby_db_search *s = p->base.search;
    if (s->ignores_index || s->where)
        return false;
    return !s->query || (p->end == END_RECORDS && game_set_count(&p->may) == game_set_count(&p->must));
}

/* ---- By what a search finds ----------------------------------------------------------------------------- */

static bool rank_hit(void *context, const tby_db_hit *hit)
{
    ranking *r = context;
    const uint8_t *record = block_get(r->facts, r->db, hit->id);
    if (!record)
        return false;
    if (r->n_seen++ % BETWEEN_LOOKS == 0 && !db_goes_on(&r->db->base))
        return lite_fail(r->db, TBY_INTERRUPTED, "interrupted");
    if (!ranks_add(&r->ranks, fact_is_there(record) ? rank_of(fact_word(record), r->from) : r->from.limit, hit->id))
        return lite_fail_memory(r->db);
    if (hit->ply < 0)
        return true;
    if (!array_reserve(&r->hits, &r->cap_hits, r->n_hits + 1, sizeof *r->hits, NULL))
        return lite_fail_memory(r->db);
    r->hits[r->n_hits++] = *hit;
    return true;
}

/* A visitor that returns false has failed, but ends a search like one that has enough. */
static bool rank_found(ranking *r)
{
    tby_db_search all = *r->plan->base.search;
    all.limit = all.offset = 0;
    all.wanted = TBY_WANTED_IDS;
    if (!(r->facts = facts_new()))
        return lite_fail_memory(r->db);
    failure_clear(&r->db->base.failure);
    const bool is_good = lite_visit_found(r->db, r->plan, &all, rank_hit, r) && r->db->base.failure.status == TBY_OK;
    facts_free(r->facts);
    return is_good;
}

static int compare_hits(const void *a, const void *b)
{
    const tby_db_hit *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static tby_db_hit hit_of(const ranking *r, size_t i)
{
    const tby_db_hit key = {ranks_id(&r->ranks, i), -1};
    const tby_db_hit *found = r->n_hits ? bsearch(&key, r->hits, r->n_hits, sizeof key, compare_hits) : NULL;
    return found ? *found : key;
}

/* ---- All ------------------------------------------------------------------------------------------------ */

static void visit_ranked(ranking *r, tby_db_visit visit, void *context)
{
    r->db->lists_rows = r->plan->base.search->wanted == TBY_WANTED_ROWS;
    for (size_t i = 0; i < r->ranks.n; i++) {
        const tby_db_hit hit = hit_of(r, i);
        if (!visit(context, &hit))
            break;
    }
    r->db->lists_rows = false;
}

bool lite_run_sorted(lite *db, const find_plan *made, tby_db_visit visit, void *context)
{
    const tby_db_search *s = made->base.search;
    ranking r = {.db = db, .plan = made, .from = number_of(s->order), .ranks = ranks_of(s->order, s->offset, s->limit)};
    bool is_alone;
    if (!lite_begin_reading(db, &is_alone))
        return false;
    const bool is_good = (has_records(made) ? rank_records(&r) : rank_found(&r)) &&
                         (ranks_cut(&r.ranks, s->offset, s->limit) || lite_fail_memory(db));
    if (is_good)
        visit_ranked(&r, visit, context);
    lite_end_reading(db, is_alone);
    ranks_free(&r.ranks);
    free(r.hits);
    return is_good;
}
