/*
 * positions.c - looks positions up in their index.
 */
#include "store/positions.h"

#include "codec/varint.h"

#include <stdlib.h>

/* ---- Runs ----------------------------------------------------------------------------------------------- */

static bool add_run(position_runs *r, const position_run *run)
{
    if (r->n == r->cap) {
        const size_t cap = r->cap ? 2 * r->cap : 16;
        position_run *runs = realloc(r->runs, cap * sizeof *runs);
        if (!runs)
            return false;
        r->runs = runs;
        r->cap = cap;
    }
    r->runs[r->n++] = *run;
    return true;
}

bool tby_positions_runs(tby_db *db, position_runs *out)
{
    bool failed = false;
    *out = (position_runs){NULL, 0, 0};
    sqlite3_stmt *s = tby_db_prepare(db, "SELECT id, first, last, plies FROM run ORDER BY first");
    while (s && !failed && tby_db_step(db, s, &failed)) {
        const position_run run = {sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                                  sqlite3_column_int(s, 3)};
        if (!add_run(out, &run))
            failed = !tby_db_fail(db, "out of memory");
    }
    sqlite3_finalize(s);
    return s && !failed;
}

void tby_positions_free(position_runs *r) { free(r->runs); }

/* ---- Rows ----------------------------------------------------------------------------------------------- */

enum { KEY_REST = 6 };

static bool take_rest(byte_cursor *c, uint64_t *rest)
{
    if (cursor_left(c) < KEY_REST)
        return false;
    *rest = 0;
    for (int i = 0; i < KEY_REST; i++)
        *rest = *rest << 8 | *c->at++;
    return true;
}

/* `before` is the number of the posting's predecessor. */
static inline bool take_posting(byte_cursor *c, tby_game_id before, posting *p)
{
    uint32_t step, ply;
    if (cursor_left(c) >= 4 && !((c->at[0] | c->at[1]) & 0x80)) { /* mostly */
        step = c->at[0];
        ply = c->at[1];
        c->at += 2;
    } else if (!varint_take(c, &step) || !varint_take(c, &ply) || cursor_left(c) < 2)
        return false;
    p->id = before + step;
    p->ply = (int)ply;
    p->next = (tby_move)(c->at[0] | c->at[1] << 8);
    c->at += 2;
    return true;
}

bool tby_positions_row(const uint8_t *bytes, size_t n, const position_run *run, unsigned bucket, keyed_visit visit,
                       void *context)
{
    byte_cursor c = cursor_begin(bytes, n);
    while (cursor_left(&c)) {
        uint64_t rest;
        uint32_t n_postings;
        posting p = {run->first, 0, 0};
        if (!take_rest(&c, &rest) || !varint_take(&c, &n_postings))
            return false;
        for (uint32_t i = 0; i < n_postings; i++) {
            if (!take_posting(&c, p.id, &p))
                return false;
            if (visit && !visit(context, (uint64_t)bucket << 48 | rest, &p))
                return true;
        }
    }
    return true;
}

/* Moves behind the postings of a group that is not wanted. */
static bool skip_postings(byte_cursor *c, uint32_t n_postings)
{
    posting p = {0, 0, 0};
    while (n_postings--)
        if (!take_posting(c, 0, &p))
            return false;
    return true;
}

static bool find_in_row(byte_cursor *c, uint64_t wanted, const position_run *run, posting_visit visit, void *context)
{
    while (cursor_left(c)) {
        uint64_t rest;
        uint32_t n_postings;
        if (!take_rest(c, &rest) || !varint_take(c, &n_postings))
            return false;
        if (rest > wanted)
            return true;
        if (rest < wanted) {
            if (!skip_postings(c, n_postings))
                return false;
            continue;
        }
        posting p = {run->first, 0, 0};
        while (n_postings--) {
            if (!take_posting(c, p.id, &p))
                return false;
            if (!visit(context, &p))
                break;
        }
        return true;
    }
    return true;
}

bool tby_positions_each(tby_db *db, const position_run *run, uint64_t key, posting_visit visit, void *context)
{
    bool failed = false, is_whole = true;
    sqlite3_stmt *s = tby_db_statement(db, SQL_POSITION_GET);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, run->id * POSITION_BUCKETS + (int64_t)(key >> 48));
    if (tby_db_step(db, s, &failed)) {
        byte_cursor c = cursor_begin(sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
        is_whole = find_in_row(&c, key & 0xffffffffffff, run, visit, context);
    }
    sqlite3_reset(s);
    if (!is_whole)
        return tby_db_fail(db, "the index of positions is damaged: run %lld", (long long)run->id);
    return !failed;
}
