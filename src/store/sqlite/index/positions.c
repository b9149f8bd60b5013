/*
 * positions.c - looks up positions in the position index.
 */
#include "store/sqlite/index/positions.h"
#include "support/array.h"

#include <stdlib.h>

/* ---- Runs ----------------------------------------------------------------------------------------------- */

bool positions_read(lite *db, position_runs *out)
{
    *out = (position_runs){NULL, 0, 0};
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT id, first, last, plies, row_bits FROM run ORDER BY first"));
    while (lite_next(&r)) {
        const position_run run = {sqlite3_column_int64(r.s, 0), sqlite3_column_int64(r.s, 1),
                                  sqlite3_column_int64(r.s, 2), sqlite3_column_int(r.s, 3), sqlite3_column_int(r.s, 4)};
        if (array_reserve(&out->runs, &out->cap, out->n + 1, sizeof *out->runs, NULL))
            out->runs[out->n++] = run;
        else
            r.failed = !lite_fail_memory(db);
    }
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

/* ---- The witness ---------------------------------------------------------------------------------------- */

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

static bool ask_game(lite *db, const position_run *run, uint64_t key, witness *w)
{
    tby_packed cursor;
    lite_rows r = lite_rows_kept(db, SQL_GAME_MOVES, w->seen.game);
    w->is_there = lite_next(&r);
    if (w->is_there) {
        const lite_bytes moves = lite_bytes_at(&r, 0);
        if (moves.s && tby_packed_begin(&cursor, moves.s, moves.n))
            replay(w, &cursor, key, run_depth(run));
        else
            r.failed = !lite_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)w->seen.game);
    }
    return lite_end(&r);
}

/* The first game of the group that still exists. */
static bool find_witness(lite *db, const position_run *run, uint64_t key, tby_postings group, witness *w)
{
    *w = (witness){.is_there = false};
    while (!w->is_there && tby_postings_next(&group, &w->seen)) {
        if (w->seen.game < run->first || w->seen.game > run->last)
            return fail_damaged(db, run);
        if (!ask_game(db, run, key, w))
            return false;
    }
    return !group.is_damaged || fail_damaged(db, run);
}

/* ---- Postings ------------------------------------------------------------------------------------------- */

/* Calls `use` with the postings of a key, if there are any; it returns false if they cannot belong to the run. */
typedef bool (*postings_use)(void *context, tby_postings *postings, const witness *w);

static bool use_row(lite *db, const position_run *run, uint64_t key, tby_postings *row, postings_use use, void *context)
{
    witness w;
    while (tby_postings_find(row, key)) {
        if (!find_witness(db, run, key, *row, &w))
            return false;
        if (w.agrees)
            return (use(context, row, &w) && !row->is_damaged) || fail_damaged(db, run);
    }
    return !row->is_damaged || fail_damaged(db, run);
}

static bool with_postings(lite *db, const position_run *run, uint64_t key, postings_use use, void *context)
{
    lite_rows r = lite_rows_in(db, TABLE_POSITION, tby_postings_row(run->id, (unsigned)run->row_bits, key));
    if (lite_next(&r)) {
        const lite_bytes bytes = lite_bytes_at(&r, 1);
        tby_postings row = tby_postings_begin(bytes.s, bytes.n, run->first);
        r.failed = !(row.row_bits == run->row_bits ? use_row(db, run, key, &row, use, context) : fail_damaged(db, run));
    }
    return lite_end(&r);
}

typedef struct visitor {
    const position_run *run;
    const game_set *among; /* NULL: all */
    posting_visit visit;
    void *context;
} visitor;

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

/* The row does not have all data about the first game; if that is not the witness, it no longer exists. */
static bool visit_postings(void *context, tby_postings *postings, const witness *w)
{
    const visitor *v = context;
    tby_posting some[TAKEN_AT_ONCE];
    if (!tby_postings_next(postings, some))
        return true;
    if (some->game == w->seen.game && (!v->among || game_set_has(v->among, some->game)) &&
        !v->visit(v->context, &w->seen))
        return true;
    for (size_t n; (n = take_some(v->among, postings, some)) > 0;)
        for (size_t i = 0; i < n; i++) {
            if (some[i].game < v->run->first || some[i].game > v->run->last)
                return false;
            if (!v->visit(v->context, &some[i]))
                return true;
        }
    return true;
}

bool positions_each(lite *db, const position_run *run, uint64_t key, const game_set *among, posting_visit visit,
                    void *context)
{
    visitor v = {run, among, visit, context};
    return with_postings(db, run, key, visit_postings, &v);
}

typedef struct counter {
    const position_run *run;
    const game_set *among; /* NULL: all */
    uint32_t n;
} counter;

static bool count_postings(void *context, tby_postings *postings, const witness *w)
{
    counter *c = context;
    tby_posting some[TAKEN_AT_ONCE];
    if (!c->among)
        c->n = postings->n_left;
    else if (tby_postings_next(postings, some)) {
        c->n = some->game == w->seen.game && game_set_has(c->among, some->game);
        for (size_t n; (n = take_some(c->among, postings, some)) > 0;)
            c->n += (uint32_t)n;
    }
    return c->n <= RUN_GAMES && postings->game <= c->run->last;
}

bool positions_count(lite *db, const position_run *run, uint64_t key, const game_set *among, uint32_t *n)
{
    counter c = {.run = run, .among = among};
    const bool is_good = with_postings(db, run, key, count_postings, &c);
    *n = c.n;
    return is_good;
}
