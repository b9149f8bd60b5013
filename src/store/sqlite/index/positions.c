/*
 * positions.c - looks up positions in the position index.
 */
#include "store/sqlite/index/positions.h"
#include "base/contract.h"
#include "support/array.h"

#include <stdlib.h>

/* ---- Runs ----------------------------------------------------------------------------------------------- */

static int compare_runs(const void *a, const void *b)
{
    const position_run *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* A number of a valid run; -1 otherwise. */
static int small_at(sqlite3_stmt *s, int at)
{
    const int64_t number = sqlite3_column_int64(s, at);
    return number >= 0 && number <= TBY_INDEX_ALL ? (int)number : -1;
}

bool positions_read(lite *db, position_runs *out)
{
    *out = (position_runs){NULL, 0, 0};
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT id, first, last, plies, row_bits FROM run"));
    while (lite_next(&r)) {
        const position_run run = {sqlite3_column_int64(r.s, 0), sqlite3_column_int64(r.s, 1),
                                  sqlite3_column_int64(r.s, 2), small_at(r.s, 3), small_at(r.s, 4)};
        if (array_reserve(&out->runs, &out->cap, out->n + 1, sizeof *out->runs, NULL))
            out->runs[out->n++] = run;
        else
            r.failed = !lite_fail_memory(db);
    }
    if (out->n > 1)
        qsort(out->runs, out->n, sizeof *out->runs, compare_runs);
    return lite_end(&r);
}

bool positions_is_run(const position_run *run)
{
    return run->id >= 1 && run->id <= RUN_ID_MAX && run->first >= 1 && run->last >= run->first &&
           run->last <= UINT32_MAX && run->last - run->first < RUN_GAMES && run->plies >= 0 && run->row_bits >= 0 &&
           run->row_bits <= TBY_POSTINGS_ROW_BITS;
}

static bool fail_damaged(lite *db, const position_run *run)
{
    return lite_fail(db, TBY_INVALID_DATABASE, "the index of positions is damaged: run %lld", (long long)run->id);
}

bool positions_runs(lite *db, position_runs *out)
{
    if (!positions_read(db, out))
        return false;
    for (size_t i = 0; i < out->n; i++)
        if (!positions_is_run(&out->runs[i]) || (i && out->runs[i].first <= out->runs[i - 1].last))
            return fail_damaged(db, &out->runs[i]);
    return true;
}

void positions_free(position_runs *r) { free(r->runs); }

size_t positions_run_at(const position_runs *r, tby_game_id id)
{
    TBY_CONTRACT(r->n == 0 || r->runs);
    size_t low = 0, high = r->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (r->runs[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t positions_run_of(const position_runs *r, tby_game_id id)
{
    const size_t run = positions_run_at(r, id);
    return run < r->n && r->runs[run].first <= id ? run : r->n;
}

/* ---- The witness ---------------------------------------------------------------------------------------- */

/* Looking up one position in one run. */
typedef struct lookup {
    lite *db;
    const position_run *run;
    uint64_t key;
    const game_set *among; /* NULL: all */
    posting_visit visit;   /* NULL: the games are only counted */
    void *context;
    uint32_t n; /* games */
} lookup;

/* What a game of a group shows about the wanted position. */
typedef struct witness {
    bool is_there;    /* the game exists; otherwise it shows nothing */
    bool agrees;      /* it reaches the position, for the first time at this ply: */
    tby_posting seen; /* and plays this move there */
} witness;

/* Replays the game to the ply in the row, or searches for the position if the row has none. */
static void replay(witness *w, tby_packed *cursor, uint64_t key, int depth)
{
    const int last = w->seen.ply < 0 ? depth : w->seen.ply;
    for (int ply = 0; ply <= last; ply++) {
        const bool is_found = (w->seen.ply < 0 || ply == last) && tby_position_key(&cursor->pos) == key;
        const tby_move next = tby_packed_next(cursor);
        if (is_found) {
            w->agrees = true;
            w->seen.ply = ply;
            w->seen.next = next;
            return;
        }
        if (next == TBY_MOVE_NONE)
            return;
    }
}

static bool ask_game(const lookup *l, witness *w)
{
    tby_packed cursor;
    lite_rows r = lite_rows_kept(l->db, SQL_GAME_MOVES, w->seen.game);
    w->is_there = lite_next(&r);
    if (w->is_there) {
        const lite_bytes moves = lite_bytes_at(&r, 0);
        if (moves.s && tby_packed_begin(&cursor, moves.s, moves.n))
            replay(w, &cursor, l->key, run_depth(l->run));
        else
            r.failed = !lite_fail(l->db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)w->seen.game);
    }
    return lite_end(&r);
}

static bool is_of_run(const lookup *l, tby_game_id id) { return id >= l->run->first && id <= l->run->last; }

/* The first game of the group that still exists. */
static bool find_witness(const lookup *l, tby_postings group, witness *w)
{
    *w = (witness){.is_there = false};
    while (!w->is_there && tby_postings_next(&group, &w->seen)) {
        if (!is_of_run(l, w->seen.game))
            return fail_damaged(l->db, l->run);
        if (!ask_game(l, w))
            return false;
    }
    return !group.is_damaged || fail_damaged(l->db, l->run);
}

/* ---- Postings ------------------------------------------------------------------------------------------- */

enum { TAKEN_AT_ONCE = 256 };

/* Reads some of the postings after the first; returns how many, 0 after the last. */
static size_t take_some(const game_set *among, tby_postings *postings, tby_posting out[TAKEN_AT_ONCE])
{
    size_t n = 0;
    if (among)
        return postings_take_of(postings, among->pages, among->n_pages, out, TAKEN_AT_ONCE);
    while (n < TAKEN_AT_ONCE && tby_postings_next(postings, &out[n]))
        n++;
    return n;
}

/* Counts or visits the postings; false if they cannot belong to the run. The row does not have all data about the first
   game; if that is not the witness, it no longer exists. */
static bool use_postings(lookup *l, tby_postings *postings, const witness *w)
{
    tby_posting some[TAKEN_AT_ONCE];
    if (!l->visit && !l->among) {
        l->n = postings->n_left;
    } else if (tby_postings_next(postings, some)) {
        l->n = some->game == w->seen.game && (!l->among || game_set_has(l->among, some->game));
        if (l->n && l->visit && !l->visit(l->context, &w->seen))
            return true;
        for (size_t n; (n = take_some(l->among, postings, some)) > 0; l->n += (uint32_t)n)
            for (size_t i = 0; i < n && l->visit; i++) {
                if (!is_of_run(l, some[i].game))
                    return false;
                if (!l->visit(l->context, &some[i]))
                    return true;
            }
    }
    return l->visit || (l->n <= RUN_GAMES && postings->game <= l->run->last);
}

static bool use_row(lookup *l, tby_postings *row)
{
    witness w;
    while (tby_postings_find(row, l->key)) {
        if (!find_witness(l, *row, &w))
            return false;
        if (w.agrees)
            return (use_postings(l, row, &w) && !row->is_damaged) || fail_damaged(l->db, l->run);
    }
    return !row->is_damaged || fail_damaged(l->db, l->run);
}

static bool look_up(lookup *l)
{
    const position_run *run = l->run;
    lite_rows r = lite_rows_in(l->db, TABLE_POSITION, tby_postings_row(run->id, (unsigned)run->row_bits, l->key));
    if (lite_next(&r)) {
        const lite_bytes bytes = lite_bytes_at(&r, 1);
        tby_postings row = tby_postings_begin(bytes.s, bytes.n, run->first);
        r.failed = !(row.row_bits == run->row_bits ? use_row(l, &row) : fail_damaged(l->db, run));
    }
    return lite_end(&r);
}

bool positions_each(lite *db, const position_run *run, uint64_t key, const game_set *among, posting_visit visit,
                    void *context)
{
    TBY_CONTRACT(positions_is_run(run) && visit);
    lookup l = {.db = db, .run = run, .key = key, .among = among, .visit = visit, .context = context};
    return look_up(&l);
}

bool positions_count(lite *db, const position_run *run, uint64_t key, const game_set *among, uint32_t *n)
{
    TBY_CONTRACT(positions_is_run(run));
    lookup l = {.db = db, .run = run, .key = key, .among = among};
    const bool is_good = look_up(&l);
    *n = l.n;
    return is_good;
}
