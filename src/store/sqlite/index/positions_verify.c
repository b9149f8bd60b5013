/*
 * positions_verify.c - compares the rows of a run of the index with the positions of its games.
 *
 * The positions of the games are sorted as when the run was made. Then both are walked together: every group of a row
 * must have the same games, except for deleted ones.
 */
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/replay.h"

#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    lite *db;
    const position_run *run;
    sorter *sorter;
    bool *is_there; /* which games of the run exist, counted from its first */
    lite_rows rows;
    bool has_row; /* `rows` is at a row that is not compared yet */
    run_verdict verdict;
    counts_check counts;
    bool (*go_on)(void *context, double part);
    void *context;
} comparison;

static void set_verdict(comparison *c, run_verdict verdict)
{
    if (verdict > c->verdict)
        c->verdict = verdict;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* Damaged games have already been reported. */
static bool visit_game(void *context, const replayed_game *game)
{
    const comparison *c = context;
    if (game->is_in_range)
        c->is_there[game->id - c->run->first] = true;
    return true;
}

static bool report_collected(void *context, double part)
{
    const comparison *c = context;
    return c->go_on(c->context, 0.5 * part);
}

static bool collect(comparison *c)
{
    const replay games = {
        .db = c->db,
        .first = c->run->first,
        .last = c->run->last,
        .sorter = c->sorter,
        .depth = run_depth(c->run),
        .most_entries = UINT64_MAX,
        .traits_after = c->run->last,
        .visit = visit_game,
        .go_on = report_collected,
        .context = c,
    };
    return lite_replay(&games);
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

/* Does the posting match an entry? The row has less data about the first one of a group. */
static bool is_same(const tby_posting *p, bool is_first, bool needs_ply, const position_entry *e, int64_t place)
{
    return place == e->game && (p->ply < 0 ? is_first && !needs_ply : p->ply == e->ply) &&
           (is_first || p->next == e->next);
}

/* Does the group match the entries from `*i` on, which are then skipped? A group of deleted games is ignored. */
static bool is_same_group(const comparison *c, tby_postings *row, const position_entry *e, size_t n, size_t *i)
{
    size_t at = *i, end = *i;
    bool needs_ply = false;
    tby_posting p;
    for (bool is_first = true; tby_postings_next(row, &p); is_first = false) {
        const int64_t place = p.game - c->run->first;
        if (place < 0 || place > c->run->last - c->run->first)
            return false;
        if (!c->is_there[place])
            continue;
        if (at == *i && at < n && row->part == postings_part(e[at].key, row->row_bits, row->part_bits)) {
            end = group_end(e, n, at);
            needs_ply = group_is_alike(e, n, at, end, row->row_bits, row->part_bits);
        }
        if (at == end || !is_same(&p, is_first, needs_ply, &e[at], place))
            return false;
        at++;
    }
    *i = end;
    return at == end;
}

static void compare_row(comparison *c, const position_entry *e, size_t n)
{
    const lite_bytes bytes = lite_bytes_at(&c->rows, 1);
    tby_postings row = tby_postings_begin(bytes.s, bytes.n, c->run->first);
    size_t i = 0;
    if (!bytes.s || row.is_damaged || row.row_bits != c->run->row_bits) {
        set_verdict(c, RUN_IS_DAMAGED);
        return;
    }
    while (tby_postings_group(&row))
        if (!is_same_group(c, &row, e, n, &i)) {
            set_verdict(c, row.is_damaged ? RUN_IS_DAMAGED : RUN_IS_WRONG);
            return;
        }
    if (row.is_damaged)
        set_verdict(c, RUN_IS_DAMAGED);
    else if (i < n)
        set_verdict(c, RUN_IS_WRONG);
}

static int64_t row_number(const comparison *c) { return c->rows.number - c->run->id * TBY_POSTINGS_ROWS; }

static void next_row(comparison *c) { c->has_row = lite_next_up(&c->rows); }

/* Rows before this one may contain only deleted games. */
static bool compare_until(comparison *c, int64_t row)
{
    for (; c->has_row && row_number(c) < row; next_row(c))
        compare_row(c, NULL, 0);
    return !c->rows.failed;
}

static bool compare_entries(comparison *c, uint32_t row, const position_entry *e, size_t n)
{
    if (!compare_until(c, row))
        return false;
    if (c->has_row && row_number(c) == row) {
        compare_row(c, e, n);
        next_row(c);
    } else {
        set_verdict(c, RUN_IS_WRONG);
    }
    return !c->rows.failed;
}

static bool compare_counts(comparison *c, const position_entry *e, size_t n)
{
    bool is_good = true;
    for (size_t i = 0, end; i < n && is_good; i = end) {
        end = group_end(e, n, i);
        is_good = counts_check_group(&c->counts, e + i, end - i);
    }
    return is_good;
}

static bool compare_rows(void *context, unsigned thread, const sorted_rows *rows)
{
    comparison *c = context;
    bool is_good = true;
    for (size_t i = 0, end; i < rows->n && is_good; i = end) {
        end = sorted_row_end(rows, i);
        is_good = compare_entries(c, sorted_row(rows, i), rows->entries + i, end - i) &&
                  compare_counts(c, rows->entries + i, end - i);
    }
    const double done = (double)sorted_row(rows, rows->n - 1) / (double)(1u << c->run->row_bits);
    return is_good && (thread != 0 || c->go_on(c->context, 0.5 + 0.5 * done));
}

/* A damaged number of rows, far too large for the positions, must not exhaust memory. */
static bool compare_all(comparison *c)
{
    enum { ROW_MOST = 1 << 16 };
    if (c->sorter->n >> c->run->row_bits >= ROW_MOST) {
        set_verdict(c, RUN_IS_DAMAGED);
        return true;
    }
    c->rows = lite_rows_of(c->db, lite_prepare(c->db, "SELECT id, entries FROM position WHERE id BETWEEN ?1 AND ?2"));
    lite_bind(&c->rows, 1, c->run->id * TBY_POSTINGS_ROWS);
    lite_bind(&c->rows, 2, (c->run->id + 1) * TBY_POSTINGS_ROWS - 1);
    next_row(c);
    const sorted_use use = {NULL, compare_rows, c};
    const bool is_good = !c->rows.failed &&
                         sorter_rows(c->sorter, (unsigned)c->run->row_bits, sorter_threads(c->sorter), &use) &&
                         compare_until(c, TBY_POSTINGS_ROWS) && counts_check_finish(&c->counts);
    if (!c->counts.is_right)
        set_verdict(c, RUN_HAS_WRONG_COUNTS);
    return lite_end(&c->rows) && is_good;
}

bool positions_verify(lite *db, const position_run *run, sorter *s, run_verdict *verdict,
                      bool (*go_on)(void *context, double part), void *context)
{
    comparison c = {.db = db, .run = run, .sorter = s, .go_on = go_on, .context = context};
    c.is_there = calloc((size_t)(run->last - run->first + 1), sizeof *c.is_there);
    const bool is_good = counts_check_begin(&c.counts, db, run) && (c.is_there || lite_fail_memory(db)) &&
                         sorter_clear(s) && collect(&c) && compare_all(&c);
    counts_check_end(&c.counts);
    free(c.is_there);
    *verdict = c.verdict;
    return is_good;
}
