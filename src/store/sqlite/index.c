/*
 * index.c - builds the index of positions, run by run.
 *
 * A run takes the games of a range that no run covers. Its positions are put into buckets by the upper 16 bits of
 * their keys; each bucket is sorted and becomes a row. Each run is one transaction, so that what was built stays when
 * the work is stopped. A new run absorbs the small one before it, as long as that is less than twice as long: so adding
 * games one by one does not leave a run for each, and no game is indexed again and again.
 */
#include "format/varint.h"
#include "store/sqlite/common.h"
#include "store/sqlite/had.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/words.h"

#include <stdlib.h>
#include <string.h>

enum { RUN_ENTRIES = 6 << 20 }; /* what a run holds at most, but for its last game */

/* A position of a game. */
typedef struct entry {
    uint64_t key;
    uint16_t game; /* counted from the first of the run */
    uint16_t ply;
    tby_move next;
} entry;

typedef struct builder {
    lite *db;
    position_run run;
    entry *entries, *sorted;
    size_t n, cap, cap_sorted;
    uint32_t *starts; /* of the buckets in `sorted` */
    byte_buffer row;
    common_maker common;
    bool has_common; /* counts are kept: only of runs that hold whole games */
} builder;

/* ---- Collecting ----------------------------------------------------------------------------------------- */

static bool make_room(builder *b, size_t n)
{
    return array_reserve(&b->entries, &b->cap, b->n + n, sizeof *b->entries, NULL) || lite_fail_memory(b->db);
}

static bool collect_game(builder *b, tby_game_id id, const uint8_t *bytes, size_t n)
{
    tby_packed cursor;
    const bool is_game = bytes && tby_packed_begin(&cursor, bytes, n);
    if (is_game && !make_room(b, tby_packed_prefix(bytes, n) + 1))
        return false;
    if (!is_game)
        return lite_fail(b->db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)id);
    entry *e = b->entries + b->n;
    const int depth = run_depth(&b->run);
    tby_move m;
    int ply = 0;
    do {
        *e = (entry){tby_position_key(&cursor.pos), (uint16_t)(id - b->run.first), (uint16_t)ply, 0};
        m = tby_packed_next(&cursor);
        e++->next = m;
    } while (m != TBY_MOVE_NONE && ++ply <= depth);
    b->n = (size_t)(e - b->entries);
    return true;
}

/* The games from run.first to run.last, or fewer if they are long: then run.last is set back. */
static bool collect(builder *b)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(b->db, "SELECT id, moves FROM game WHERE id BETWEEN ?1 AND ?2");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, b->run.first);
    sqlite3_bind_int64(s, 2, b->run.last);
    b->n = 0;
    while (!failed && lite_step_up(b->db, s, &before, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        failed |= !game_id_is_in(b->db, id, b->run.first, b->run.last) ||
                  !collect_game(b, id, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1));
        if (b->n >= RUN_ENTRIES) {
            b->run.last = id;
            break;
        }
    }
    sqlite3_finalize(s);
    return !failed;
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

/* In the order of games and plies within a bucket, as they were collected. */
static void distribute(builder *b)
{
    uint32_t *starts = b->starts;
    memset(starts, 0, (TBY_POSTINGS_ROWS + 1) * sizeof *starts);
    for (size_t i = 0; i < b->n; i++)
        starts[(b->entries[i].key >> 48) + 1]++;
    for (size_t i = 0; i < TBY_POSTINGS_ROWS; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < b->n; i++)
        b->sorted[starts[b->entries[i].key >> 48]++] = b->entries[i];
    memmove(starts + 1, starts, TBY_POSTINGS_ROWS * sizeof *starts);
    starts[0] = 0;
}

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return x->ply < y->ply ? -1 : x->ply > y->ply;
}

static bool is_before(const entry *a, const entry *b) { return a->key < b->key; }

/* A few are sorted by insertion, which keeps the order of games. */
static void sort_bucket(entry *e, size_t n)
{
    enum { FEW = 200 };
    if (n > FEW) {
        qsort(e, n, sizeof *e, compare);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const entry moved = e[i];
        size_t k = i;
        for (; k > 0 && is_before(&moved, &e[k - 1]); k--)
            e[k] = e[k - 1];
        e[k] = moved;
    }
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* A game's first visit only: `e` is sorted by game and ply. */
static size_t drop_repetitions(entry *e, size_t n)
{
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (e[i].game != e[kept - 1].game)
            e[kept++] = e[i];
    return kept;
}

static bool count_group(builder *b, const entry *e, size_t n)
{
    tby_common_start(&b->common);
    for (size_t i = 0; i < n; i++)
        tby_common_count(&b->common, b->run.first + e[i].game, e[i].next);
    return tby_common_put(&b->common, e->key);
}

static void put_group(byte_buffer *row, const entry *e, size_t n)
{
    unsigned before = 0;
    for (int shift = 40; shift >= 0; shift -= 8)
        bytes_put(row, e->key >> shift & 0xff);
    varint_put(row, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        varint_put(row, e[i].game - before);
        varint_put(row, e[i].ply);
        bytes_put(row, e[i].next & 0xff);
        bytes_put(row, e[i].next >> 8);
        before = e[i].game;
    }
}

static bool write_row(builder *b, sqlite3_stmt *s, unsigned bucket)
{
    entry *e = b->sorted + b->starts[bucket];
    const size_t n = b->starts[bucket + 1] - b->starts[bucket];
    if (n == 0)
        return true;
    sort_bucket(e, n);
    b->row.n = 0;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && e[k].key == e[i].key; k++)
            continue;
        const size_t n_games = drop_repetitions(e + i, k - i);
        put_group(&b->row, e + i, n_games);
        if (b->has_common && n_games >= COMMON_GAMES && !count_group(b, e + i, n_games))
            return false;
    }
    if (b->row.has_failed)
        return lite_fail_memory(b->db);
    sqlite3_bind_int64(s, 1, b->run.id * TBY_POSTINGS_ROWS + bucket);
    sqlite3_bind_blob(s, 2, b->row.data, (int)b->row.n, SQLITE_STATIC);
    return lite_do(b->db, s);
}

static bool write_rows(builder *b)
{
    sqlite3_stmt *s = lite_prepare(b->db, "INSERT INTO position(id, entries) VALUES(?1, ?2)");
    bool is_good = s != NULL;
    for (unsigned bucket = 0; bucket < TBY_POSTINGS_ROWS && is_good; bucket++)
        is_good = write_row(b, s, bucket);
    sqlite3_finalize(s);
    return is_good;
}

static bool write_run(builder *b)
{
    sqlite3_stmt *s = lite_prepare(b->db, "INSERT INTO run(id, first, last, plies) VALUES(?1, ?2, ?3, ?4)");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, b->run.id);
    sqlite3_bind_int64(s, 2, b->run.first);
    sqlite3_bind_int64(s, 3, b->run.last);
    sqlite3_bind_int(s, 4, b->run.plies);
    const bool is_good = lite_do(b->db, s);
    sqlite3_finalize(s);
    return is_good;
}

/* ---- Runs ----------------------------------------------------------------------------------------------- */

static bool delete_run(lite *db, int64_t id)
{
    char sql[200];
    sqlite3_snprintf(sizeof sql, sql,
                     "DELETE FROM run WHERE id = %lld; DELETE FROM common WHERE run = %lld;"
                     "DELETE FROM position WHERE id BETWEEN %lld AND %lld",
                     (long long)id, (long long)id, (long long)id * TBY_POSTINGS_ROWS,
                     (long long)(id + 1) * TBY_POSTINGS_ROWS - 1);
    return lite_run(db, sql);
}

/* A range without a run of the wanted depth, and the runs that the new one absorbs. */
typedef struct gap {
    tby_game_id first, last;
} gap;

/* The first game from `*id` on; 0 after the last. */
static bool next_game(lite *db, tby_game_id *id)
{
    char sql[96];
    sqlite3_snprintf(sizeof sql, sql, "SELECT coalesce(min(id), 0) FROM game WHERE id >= %lld", (long long)*id);
    return lite_number(db, sql, id);
}

/* The first gap before, between or after runs that has games; `*is_there` is false if there is none. It begins at the
   end of a run, unless that is far from its games. */
static bool find_gap(lite *db, const position_runs *runs, tby_game_id last_game, gap *out, bool *is_there)
{
    tby_game_id next = 1, id;
    *is_there = false;
    for (size_t i = 0; next <= last_game;) {
        id = next;
        if (!next_game(db, &id))
            return false;
        if (id == 0 || id > last_game)
            break;
        while (i < runs->n && runs->runs[i].last < id)
            next = runs->runs[i++].last + 1;
        if (i < runs->n && runs->runs[i].first <= id) {
            next = runs->runs[i].last + 1;
            continue;
        }
        *out = (gap){id - next < RUN_GAMES / 2 ? next : id, i < runs->n ? runs->runs[i].first - 1 : last_game};
        *is_there = true;
        break;
    }
    return true;
}

/* Absorbs small runs that end where the gap begins. */
static bool widen(lite *db, const position_runs *runs, gap *g)
{
    for (size_t i = runs->n; i-- > 0;) {
        const position_run *run = &runs->runs[i];
        const int64_t n_run = run->last - run->first + 1, n_gap = g->last - g->first + 1;
        if (run->last + 1 != g->first)
            continue;
        if (n_run >= 2 * n_gap || n_run + n_gap > RUN_GAMES)
            break;
        if (!delete_run(db, run->id))
            return false;
        g->first = run->first;
    }
    return true;
}

static bool new_run_id(lite *db, int64_t *id)
{
    return lite_count_on(db, "last_run", 1) && lite_counter(db, "last_run", RUN_ID_MAX, id);
}

static bool build_run(builder *b, const position_runs *runs, gap g, int plies)
{
    if (!widen(b->db, runs, &g) || !new_run_id(b->db, &b->run.id))
        return false;
    b->run.first = g.first;
    b->run.last = g.last - g.first >= RUN_GAMES ? g.first + RUN_GAMES - 1 : g.last;
    b->run.plies = plies;
    if (!collect(b))
        return false;
    if (!array_reserve(&b->sorted, &b->cap_sorted, b->n + 1, sizeof *b->sorted, NULL))
        return lite_fail_memory(b->db);
    distribute(b);
    b->has_common = run_depth(&b->run) == TBY_PLIES_MAX;
    bool is_good = !b->has_common || tby_common_begin(&b->common, b->db, &b->run);
    is_good = is_good && write_rows(b) && write_run(b);
    if (b->has_common)
        tby_common_end(&b->common);
    return is_good;
}

/* Removes runs of another depth. */
static bool drop_other_depths(lite *db, int plies)
{
    position_runs runs;
    bool is_good = tby_positions_runs(db, &runs);
    for (size_t i = 0; i < runs.n && is_good; i++)
        is_good = runs.runs[i].plies == plies || delete_run(db, runs.runs[i].id);
    tby_positions_free(&runs);
    return is_good;
}

/* One more run, in a transaction of its own. `*is_done` when everything is covered. */
static bool build_next(builder *b, int plies, bool *is_done, double *fraction)
{
    position_runs runs = {NULL, 0, 0};
    tby_game_id last = 0;
    gap g = {0, 0};
    if (!lite_begin(b->db))
        return false;
    bool is_good = drop_other_depths(b->db, plies) && tby_positions_runs(b->db, &runs) &&
                   lite_counter(b->db, "last_game", UINT32_MAX, &last);
    bool has_gap = false;
    is_good = is_good && find_gap(b->db, &runs, last, &g, &has_gap);
    *is_done = is_good && !has_gap;
    if (is_good && !*is_done)
        is_good = build_run(b, &runs, g, plies);
    *fraction = *is_done || last == 0 ? 1 : (double)b->run.last / (double)last;
    tby_positions_free(&runs);
    if (is_good && lite_commit(b->db))
        return true;
    lite_rollback(b->db);
    return false;
}

static bool build_all(lite *db, int plies, tby_db_progress progress, void *context)
{
    builder b = {.db = db, .starts = malloc((TBY_POSTINGS_ROWS + 1) * sizeof *b.starts), .row = bytes_begin(NULL)};
    bool is_done = false, is_good = b.starts || lite_fail_memory(db);
    double fraction = 0;
    while (is_good && !is_done) {
        is_good = build_next(&b, plies, &is_done, &fraction);
        if (progress && !progress(context, fraction))
            break;
    }
    free(b.entries);
    free(b.sorted);
    free(b.starts);
    bytes_end(&b.row);
    return is_good;
}

static bool build_sql_indexes(lite *db, bool wants_openings)
{
    int64_t events = -1;
    const bool is_good = tby_had_covered(db, "events", &events) && lite_run(db, SQL_LITTLE_MEMORY) &&
                         lite_run(db, SCHEMA_NAME_INDEXES) && (events < 0 || lite_run(db, SCHEMA_EVENT_INDEXES)) &&
                         (!wants_openings || lite_run(db, SCHEMA_OPENING_INDEX));
    return lite_run(db, SQL_MUCH_MEMORY) && is_good;
}

bool lite_index(lite *db, int plies, tby_db_progress progress, void *context)
{
    if (!build_sql_indexes(db, plies != TBY_INDEX_NONE) ||
        !lite_run(db, SCHEMA_COMMON "INSERT OR IGNORE INTO counter VALUES('common', 0)"))
        return false;
    return tby_hashes_build(db) && tby_words_build(db) && tby_had_build(db, progress, context) &&
           (plies == TBY_INDEX_NONE || build_all(db, plies < TBY_INDEX_ALL ? plies : TBY_INDEX_ALL, progress, context));
}
