/*
 * positions.c - looks positions up in their index.
 */
#include "store/sqlite/positions.h"
#include "game/array.h"

#include <stdlib.h>

/* ---- Runs ----------------------------------------------------------------------------------------------- */

static bool add_run(position_runs *r, const position_run *run)
{
    if (!array_reserve(&r->runs, &r->cap, r->n + 1, sizeof *r->runs, NULL))
        return false;
    r->runs[r->n++] = *run;
    return true;
}

bool tby_positions_read(lite *db, position_runs *out)
{
    bool failed = false;
    *out = (position_runs){NULL, 0, 0};
    sqlite3_stmt *s = lite_prepare(db, "SELECT id, first, last, plies FROM run ORDER BY first");
    while (s && !failed && lite_step(db, s, &failed)) {
        const position_run run = {sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                                  sqlite3_column_int(s, 3)};
        if (!add_run(out, &run))
            failed = !lite_fail_memory(db);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

bool tby_positions_is_run(const position_run *run)
{
    return run->id >= 1 && run->id <= RUN_ID_MAX && run->first >= 1 && run->last >= run->first &&
           run->last <= UINT32_MAX && run->last - run->first < RUN_GAMES && run->plies >= 0;
}

bool tby_positions_runs(lite *db, position_runs *out)
{
    if (!tby_positions_read(db, out))
        return false;
    for (size_t i = 0; i < out->n; i++)
        if (!tby_positions_is_run(&out->runs[i]) || (i && out->runs[i].first <= out->runs[i - 1].last))
            return lite_fail(db, TBY_INVALID_DATABASE, "the index of positions is damaged: run %lld",
                             (long long)out->runs[i].id);
    return true;
}

void tby_positions_free(position_runs *r) { free(r->runs); }

/* ---- Postings ------------------------------------------------------------------------------------------- */

/* Calls `use` with the postings of a key, if there are any; it returns false if they cannot belong to the run. */
static bool with_postings(lite *db, const position_run *run, uint64_t key,
                          bool (*use)(void *context, tby_postings *postings), void *context)
{
    bool failed = false, is_damaged = false;
    sqlite3_stmt *s = lite_statement(db, SQL_POSITION_GET);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, tby_postings_row(run->id, key));
    if (lite_step(db, s, &failed)) {
        const uint8_t *bytes = sqlite3_column_blob(s, 0);
        tby_postings postings = tby_postings_begin(bytes, (size_t)sqlite3_column_bytes(s, 0), run->first);
        is_damaged = tby_postings_find(&postings, key) && !use(context, &postings);
        is_damaged |= postings.is_damaged;
    }
    sqlite3_reset(s);
    if (is_damaged)
        return lite_fail(db, TBY_INVALID_DATABASE, "the index of positions is damaged: run %lld", (long long)run->id);
    return !failed;
}

typedef struct visitor {
    const position_run *run;
    posting_visit visit;
    void *context;
} visitor;

static bool visit_postings(void *context, tby_postings *postings)
{
    const visitor *v = context;
    tby_posting p;
    while (tby_postings_next(postings, &p)) {
        if (p.game < v->run->first || p.game > v->run->last)
            return false;
        if (!v->visit(v->context, &p))
            break;
    }
    return true;
}

bool tby_positions_each(lite *db, const position_run *run, uint64_t key, posting_visit visit, void *context)
{
    visitor v = {run, visit, context};
    return with_postings(db, run, key, visit_postings, &v);
}

static bool take_number(void *context, tby_postings *postings)
{
    *(uint32_t *)context = postings->n_left;
    return postings->n_left <= RUN_GAMES;
}

bool tby_positions_count(lite *db, const position_run *run, uint64_t key, uint32_t *n)
{
    *n = 0;
    return with_postings(db, run, key, take_number, n);
}
