/*
 * counts.c - stored counts for common positions.
 *
 *     counts   [ games | result 0 .. 3 | ended | move ... ]
 *     move     [ move: 2 bytes | games | result 0 .. 3 | White's ratings: number, sum | Black's | last date ]
 *
 * Numbers are varints, sums in two of them, the lower 32 bits first; the move is a tby_move, lowest byte first.
 */
#include "store/sqlite/index/counts.h"
#include "base/contract.h"
#include "codec/varint.h"
#include "support/array.h"

#include <stdlib.h>

/* ---- Counting ------------------------------------------------------------------------------------------- */

static counted_move *move_of(position_counts *c, tby_move m)
{
    for (size_t i = 0; i < c->n_moves; i++)
        if (c->moves[i].move == m)
            return &c->moves[i];
    if (c->n_moves == COUNTS_MOVES)
        return NULL;
    c->moves[c->n_moves] = (counted_move){.move = m};
    return &c->moves[c->n_moves++];
}

/* If there are more moves than there is room for, which no position has, the number of games exceeds the sum of the
   parts, and the counts are not stored. */
static void count(position_counts *c, const fact *f, tby_move next)
{
    c->numbers[POSITION_GAMES]++;
    counted_move *m = next == TBY_MOVE_NONE ? NULL : move_of(c, next);
    if (next == TBY_MOVE_NONE)
        c->numbers[POSITION_ENDED]++;
    else if (!m)
        return;
    c->numbers[POSITION_RESULTS + f->result]++;
    if (!m)
        return;
    m->numbers[MOVE_GAMES]++;
    m->numbers[MOVE_RESULTS + f->result]++;
    for (int side = 0; side < 2; side++) {
        uint32_t *ratings = &m->numbers[MOVE_RATINGS + 3 * side];
        const uint32_t elo = (uint32_t)f->elo[side];
        ratings[0] += elo != 0;
        ratings[1] += elo;
        ratings[2] += ratings[1] < elo; /* the carry */
    }
    if ((uint32_t)f->date > m->numbers[MOVE_DATE])
        m->numbers[MOVE_DATE] = (uint32_t)f->date;
}

static bool adds_up(const position_counts *c)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += c->numbers[POSITION_RESULTS + i];
    return sum == c->numbers[POSITION_GAMES];
}

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

static void put_numbers(buffer *b, const uint32_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        varint_put(b, numbers[i]);
}

bool counts_encode(buffer *b, const position_counts *c)
{
    b->n = 0;
    put_numbers(b, c->numbers, POSITION_NUMBERS);
    for (const counted_move *m = c->moves; m < c->moves + c->n_moves; m++) {
        buffer_put(b, m->move & 0xff);
        buffer_put(b, m->move >> 8);
        put_numbers(b, m->numbers, MOVE_NUMBERS);
    }
    return adds_up(c);
}

static bool take_numbers(byte_cursor *c, uint32_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!varint_take(c, &numbers[i]))
            return false;
    return true;
}

static bool take_move(byte_cursor *c, counted_move *m)
{
    if (cursor_left(c) < 2)
        return false;
    m->move = (tby_move)(c->at[0] | c->at[1] << 8);
    c->at += 2;
    return take_numbers(c, m->numbers, MOVE_NUMBERS);
}

static bool decode(position_counts *out, lite_bytes bytes)
{
    byte_cursor c = cursor_begin(bytes.s, bytes.n);
    out->n_moves = 0;
    if (!take_numbers(&c, out->numbers, POSITION_NUMBERS))
        return false;
    while (cursor_left(&c) > 0)
        if (out->n_moves == COUNTS_MOVES || !take_move(&c, &out->moves[out->n_moves++]))
            return false;
    return adds_up(out);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

bool counts_are_kept(lite *db, bool *out)
{
    int64_t value = -1;
    const bool is_good = lite_counter_or(db, "common", -1, &value);
    *out = value >= 0;
    return is_good;
}

static bool fail_damaged(lite *db, const position_run *run)
{
    return lite_fail(db, TBY_INVALID_DATABASE, "the counts of positions are damaged: run %lld", (long long)run->id);
}

bool counts_get(lite *db, const position_run *run, uint64_t key, position_counts *out, bool *is_there)
{
    TBY_CONTRACT(positions_is_run(run));
    lite_rows r = lite_rows_kept(db, SQL_COUNTS_GET, run->id);
    lite_bind(&r, 2, (int64_t)key);
    *is_there = lite_next(&r);
    if (*is_there && !decode(out, lite_bytes_at(&r, 0)))
        r.failed = !fail_damaged(db, run);
    return lite_end(&r);
}

/* ---- Making --------------------------------------------------------------------------------------------- */

static bool read_facts(counts_maker *m)
{
    block facts = facts_begin();
    bool is_good = true;
    for (tby_game_id id = m->run->first; id <= m->run->last && is_good; id++) {
        const uint8_t *record = block_get(&facts, m->db, id);
        is_good = record != NULL;
        if (record)
            memcpy(m->facts + (size_t)(id - m->run->first) * FACT_SIZE, record, FACT_SIZE);
    }
    block_finish(&facts);
    return is_good;
}

bool counts_begin(counts_maker *m, lite *db, const position_run *run)
{
    TBY_CONTRACT(positions_is_run(run));
    *m = (counts_maker){.db = db, .run = run};
    m->facts = malloc((size_t)(run->last - run->first + 1) * FACT_SIZE);
    if (!m->facts)
        return lite_fail_memory(db);
    m->put = lite_prepare(db, "INSERT OR REPLACE INTO common(run, key, counts) VALUES(?1, ?2, ?3)");
    return m->put && sqlite3_bind_int64(m->put, 1, run->id) == SQLITE_OK && read_facts(m);
}

void counts_end(counts_maker *m)
{
    sqlite3_finalize(m->put);
    free(m->facts);
}

void counts_start(position_counts *counts)
{
    memset(counts->numbers, 0, sizeof counts->numbers);
    counts->n_moves = 0;
}

void counts_count(const counts_maker *m, position_counts *counts, tby_game_id id, tby_move next)
{
    TBY_CONTRACT(id >= m->run->first);
    const uint8_t *record = m->facts + (size_t)(id - m->run->first) * FACT_SIZE;
    if (!fact_is_there(record))
        return;
    const fact f = fact_read(record);
    count(counts, &f, next);
}

/* ---- Rebuilding ----------------------------------------------------------------------------------------- */

/* Visits one position after the other, with the bytes of its counts. */
typedef struct recounter {
    counts_maker maker;
    position_counts counts;
    buffer row;
} recounter;

static bool count_posting(void *context, const tby_posting *p)
{
    recounter *r = context;
    counts_count(&r->maker, &r->counts, p->game, p->next);
    return true;
}

static bool store(recounter *r, int64_t key)
{
    const bool is_sound = counts_encode(&r->row, &r->counts);
    if (r->row.has_failed)
        return lite_fail_memory(r->maker.db);
    sqlite3_bind_int64(r->maker.put, 2, key);
    sqlite3_bind_blob(r->maker.put, 3, r->row.data, (int)r->row.n, SQLITE_STATIC);
    return !is_sound || lite_do(r->maker.db, r->maker.put);
}

/* Row by row, with a separate statement for each, because the row may change. A damaged table may have keys that are no
   numbers, which seem to come before the last one. */
static bool recount(lite *db, const position_run *run)
{
    recounter r = {.row = buffer_begin(NULL)};
    lite_rows next = lite_rows_of(
        db, counts_begin(&r.maker, db, run)
                ? lite_prepare(db, "SELECT key FROM temp.touched WHERE run = ?1 AND key >= ?2 ORDER BY key LIMIT 1")
                : NULL);
    lite_bind(&next, 1, run->id);
    for (int64_t least = INT64_MIN, key = 0; key < INT64_MAX; least = key + 1) {
        lite_bind(&next, 2, least);
        if (!lite_next(&next))
            break;
        key = sqlite3_column_int64(next.s, 0);
        counts_start(&r.counts);
        next.failed = (key < least && !fail_damaged(db, run)) ||
                      !positions_each(db, run, (uint64_t)key, NULL, count_posting, &r) || !store(&r, key);
        sqlite3_reset(next.s);
        if (next.failed)
            break;
    }
    counts_end(&r.maker);
    buffer_free(&r.row);
    return lite_end(&next);
}

/* Which counts to rebuild: all counts of a run that loses many games. */
enum { MANY_GAMES = 512 };
#define TOUCHED                                                                                                        \
    "CREATE TEMP TABLE IF NOT EXISTS touched(run INTEGER, key INTEGER, PRIMARY KEY(run, key)) WITHOUT ROWID;"          \
    "DELETE FROM temp.touched"
#define TOUCH "INSERT OR IGNORE INTO temp.touched SELECT run, key FROM common WHERE run = ?1 AND key BETWEEN ?2 AND ?3"

typedef struct toucher {
    lite *db;
    sqlite3_stmt *touch;
} toucher;

static bool touch(const toucher *t, const position_run *run, int64_t first, int64_t last)
{
    sqlite3_bind_int64(t->touch, 1, run->id);
    sqlite3_bind_int64(t->touch, 2, first);
    sqlite3_bind_int64(t->touch, 3, last);
    return lite_do(t->db, t->touch);
}

static bool touch_all(const toucher *t, const position_run *run) { return touch(t, run, INT64_MIN, INT64_MAX); }

/* The positions of a damaged game are unknown. */
static bool touch_game(const toucher *t, const position_run *run, tby_game_id id)
{
    tby_packed cursor;
    lite_rows r = lite_rows_kept(t->db, SQL_GAME_MOVES, id);
    if (lite_next(&r)) {
        const lite_bytes moves = lite_bytes_at(&r, 0);
        if (!moves.s || !tby_packed_begin(&cursor, moves.s, moves.n) ||
            tby_packed_check(moves.s, moves.n, NULL) != TBY_OK)
            r.failed = !touch_all(t, run);
        else
            do {
                const int64_t key = (int64_t)tby_position_key(&cursor.pos);
                r.failed = !touch(t, run, key, key);
            } while (!r.failed && tby_packed_next(&cursor) != TBY_MOVE_NONE);
    }
    return lite_end(&r);
}

static bool touch_games(const toucher *t, const position_runs *runs, const tby_game_id *ids, size_t n_ids)
{
    bool is_good = true;
    size_t *n = calloc(runs->n + 1, sizeof *n);
    if (!n)
        return lite_fail_memory(t->db);
    for (size_t i = 0; i < n_ids; i++)
        n[positions_run_of(runs, ids[i])]++;
    for (size_t i = 0; i < runs->n && is_good; i++)
        is_good = n[i] < MANY_GAMES || touch_all(t, &runs->runs[i]);
    for (size_t i = 0; i < n_ids && is_good; i++) {
        const size_t run = positions_run_of(runs, ids[i]);
        is_good = run == runs->n || n[run] >= MANY_GAMES || touch_game(t, &runs->runs[run], ids[i]);
    }
    free(n);
    return is_good;
}

bool counts_touch(lite *db, const tby_game_id *ids, size_t n_ids)
{
    TBY_CONTRACT(ids || n_ids == 0);
    position_runs runs;
    toucher t = {db, NULL};
    const bool is_good = positions_runs(db, &runs) && lite_run(db, TOUCHED) && (t.touch = lite_prepare(db, TOUCH)) &&
                         touch_games(&t, &runs, ids, n_ids);
    sqlite3_finalize(t.touch);
    positions_free(&runs);
    return is_good;
}

bool counts_refresh(lite *db)
{
    position_runs runs;
    bool is_good = positions_runs(db, &runs);
    for (size_t i = 0; i < runs.n && is_good; i++) {
        int64_t is_touched = 0;
        is_good = lite_number_of(db, &is_touched, "SELECT EXISTS(SELECT 1 FROM temp.touched WHERE run = %lld)",
                                 (long long)runs.runs[i].id) &&
                  (!is_touched || recount(db, &runs.runs[i]));
    }
    positions_free(&runs);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool counts_check_begin(counts_check *c, lite *db, const position_run *run)
{
    size_t cap = 0;
    *c = (counts_check){.is_right = true};
    bool is_kept;
    if (!counts_are_kept(db, &is_kept))
        return false;
    if (!is_kept)
        return true;
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT key FROM common WHERE run = ?1"));
    lite_bind(&r, 1, run->id);
    while (lite_next(&r)) {
        const uint64_t key = (uint64_t)sqlite3_column_int64(r.s, 0);
        r.failed = !array_add(&c->keys, &c->n_keys, &cap, &key, sizeof key, NULL) && !lite_fail_memory(db);
    }
    if (c->n_keys)
        qsort(c->keys, c->n_keys, sizeof *c->keys, compare_keys);
    if (run_depth(run) < TBY_PLIES_MAX)
        c->is_right = c->n_keys == 0;
    else
        r.failed = r.failed || !counts_begin(&c->maker, db, run);
    return lite_end(&r);
}

/* Compares the counts with the stored ones. */
static bool compare(counts_check *c, uint64_t key, bool is_stored)
{
    const bool is_sound = counts_encode(&c->row, &c->counts);
    if (c->row.has_failed)
        return lite_fail_memory(c->maker.db);
    lite_rows r = lite_rows_kept(c->maker.db, SQL_COUNTS_GET, c->maker.run->id);
    lite_bind(&r, 2, (int64_t)key);
    const bool is_there = lite_next(&r);
    const lite_bytes stored = is_there ? lite_bytes_at(&r, 0) : (lite_bytes){NULL, 0};
    c->is_right &= is_there == is_stored && is_stored == is_sound &&
                   (!is_there || (stored.n == c->row.n && memcmp(stored.s, c->row.data, stored.n) == 0));
    return lite_end(&r);
}

/* The stored keys before this one are of positions whose games were all deleted. */
static bool skip_keys(counts_check *c, uint64_t key, bool is_last)
{
    bool is_good = true;
    while (is_good && c->at < c->n_keys && (is_last || c->keys[c->at] < key)) {
        counts_start(&c->counts);
        is_good = compare(c, c->keys[c->at++], true);
    }
    return is_good;
}

bool counts_check_group(counts_check *c, const position_entry *e, size_t n)
{
    TBY_CONTRACT(n > 0);
    if (!c->maker.db || !c->is_right || !skip_keys(c, e->key, false))
        return !c->maker.db || !c->is_right;
    const bool is_stored = c->at < c->n_keys && c->keys[c->at] == e->key;
    if (!is_stored && n < COUNTS_GAMES)
        return true;
    c->at += is_stored;
    counts_start(&c->counts);
    for (size_t i = 0; i < n; i++)
        counts_count(&c->maker, &c->counts, c->maker.run->first + e[i].game, e[i].next);
    return compare(c, e->key, is_stored);
}

bool counts_check_finish(counts_check *c) { return !c->maker.db || !c->is_right || skip_keys(c, 0, true); }

void counts_check_end(counts_check *c)
{
    counts_end(&c->maker);
    buffer_free(&c->row);
    free(c->keys);
}
