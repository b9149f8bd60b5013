/*
 * verify.c - checks a database: the file, every game, its sketch and facts, and every posting of the index.
 *
 * verify_games.c and verify_tables.c do most of it; the rows of a run are compared with the sorted positions of its games
 * (positions_verify.c).
 */
#include "store/sqlite/verify.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/index/words.h"

#include <stdlib.h>
#include <string.h>

void verify_text(void *verifier_, tby_game_id id, const char *text)
{
    verifier *v = verifier_;
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

void verify_fault(verifier *v, tby_game_id id, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    sqlite3_vsnprintf(sizeof text, text, format, args);
    va_end(args);
    verify_text(v, id, text);
}

void verify_warning(verifier *v, tby_game_id id, const char *text)
{
    char warning[256];
    sqlite3_snprintf(sizeof warning, warning, "warning: %s", text);
    if (v->fault)
        v->fault(v->context, id, warning);
}

void verify_progress(verifier *v, double fraction)
{
    if (v->progress && !v->progress(v->context, fraction))
        v->is_stopped = true;
}

/* ---- The file ------------------------------------------------------------------------------------------- */

/* SQLite reports its own failures among the faults of the file: returns their code, 0 for a fault. */
static int failure_in(const char *text)
{
    const char *code = strstr(text, "error code=");
    const int number = code ? atoi(code + strlen("error code=")) & 0xff : 0;
    return number == SQLITE_NOMEM || number == SQLITE_IOERR || number == SQLITE_INTERRUPT ? number : 0;
}

static bool check_pages(verifier *v, sqlite3_stmt *pragma)
{
    lite_rows r = lite_rows_of(v->db, pragma);
    while (lite_next(&r)) {
        const char *text = (const char *)sqlite3_column_text(r.s, 0);
        if (!text || failure_in(text) == SQLITE_NOMEM)
            r.failed = !lite_fail_memory(v->db);
        else if (failure_in(text))
            r.failed = !lite_fail(v->db, TBY_IO_ERROR, "database: %s", text);
        else if (strcmp(text, "ok") != 0)
            verify_fault(v, 0, "%s", text);
    }
    return lite_end(&r);
}

/* All pages and rows, and the indexes of small tables; those of games are compared with them (verify_games.c). */
static bool check_file(verifier *v)
{
    lite *db = v->db;
    if (!check_pages(v, lite_prepare(db, "PRAGMA quick_check")))
        return false;
    lite_rows r = lite_rows_of(
        db,
        lite_prepare(db, "SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'index' AND tbl_name <> 'game'"));
    while (lite_next(&r))
        r.failed = !check_pages(
            v, lite_prepare_of(db, "PRAGMA integrity_check(\"%s\")", (const char *)sqlite3_column_text(r.s, 0)));
    return lite_end(&r);
}

/* ---- The index ------------------------------------------------------------------------------------------ */

/* The runs of the index, and which part of the work they are. */
typedef struct run_check {
    verifier *v;
    sorter sorter;
    double begun, share;
} run_check;

static bool report_run(void *context, double part)
{
    const run_check *c = context;
    verify_progress(c->v, c->begun + c->share * part);
    return !c->v->is_stopped;
}

static bool check_run(run_check *c, const position_run *run)
{
    static const char *const texts[] = {
        [RUN_HAS_WRONG_COUNTS] = "the counts of positions do not match the games",
        [RUN_IS_WRONG] = "the index of positions does not match the games",
        [RUN_IS_DAMAGED] = "the index of positions is damaged",
    };
    verifier *v = c->v;
    run_verdict verdict = RUN_IS_RIGHT;
    if (!positions_is_run(run) || run->last > v->last_id) {
        verify_fault(v, 0, "a run of the index has an impossible range of games");
        return true;
    }
    if (!positions_verify(v->db, run, &c->sorter, &verdict, report_run, c))
        return v->is_stopped;
    if (verdict != RUN_IS_RIGHT)
        verify_fault(v, 0, "%s: run %lld, games %lld to %lld", texts[verdict], (long long)run->id,
                     (long long)run->first, (long long)run->last);
    return true;
}

/* Rows that belong to no run are never found by a search, but take space. */
static bool check_strays(verifier *v)
{
    int64_t n = 0, n_common = 0;
    if (!lite_number_of(v->db, &n, "SELECT count(*) FROM position WHERE id / %d NOT IN (SELECT id FROM run)",
                        TBY_POSTINGS_ROWS) ||
        !lite_number(v->db, "SELECT count(*) FROM sqlite_schema WHERE name = 'common'", &n_common))
        return false;
    if (n)
        verify_fault(v, 0, "the index of positions has rows that belong to no run");
    if (n_common && !lite_number(v->db, "SELECT count(*) FROM common WHERE run NOT IN (SELECT id FROM run)", &n_common))
        return false;
    if (n_common)
        verify_fault(v, 0, "the counts of positions have rows that belong to no run");
    return true;
}

static bool check_runs(verifier *v)
{
    position_runs runs;
    run_check c = {.v = v};
    bool is_good = positions_read(v->db, &runs);
    sorter_begin(&c.sorter, v->db, SORTER_MEMORY);
    for (size_t i = 0; i < runs.n && is_good && !v->is_stopped; i++) {
        c.share = 0.5 / (double)runs.n;
        c.begun = 0.5 + c.share * (double)i;
        if (i && runs.runs[i].first <= runs.runs[i - 1].last)
            verify_fault(v, runs.runs[i].first, "this game is in two runs of the index");
        is_good = check_run(&c, &runs.runs[i]);
        verify_progress(v, c.begun + c.share);
    }
    sorter_end(&c.sorter);
    positions_free(&runs);
    return is_good;
}

/* ---- The whole database --------------------------------------------------------------------------------- */

/* Reports a wrong counter; the games then determine the last number. */
static bool find_last_id(verifier *v)
{
    int64_t largest = 0;
    if (!lite_number(v->db, "SELECT coalesce(max(id), 0) FROM game WHERE id BETWEEN 1 AND 4294967295", &largest))
        return false;
    if (lite_counter(v->db, "last_game", UINT32_MAX, &v->last_id)) {
        if (v->last_id >= largest)
            return true;
    } else if (v->db->base.failure.status != TBY_INVALID_DATABASE) {
        return false;
    }
    verify_fault(v, 0, "the counter last_game is missing or wrong");
    v->last_id = largest;
    return true;
}

static bool check_all(verifier *v)
{
    return find_last_id(v) && check_file(v) && verify_games(v) &&
           (v->is_stopped || (verify_tables(v) && check_runs(v))) &&
           (v->is_stopped || (check_strays(v) && indexes_verify(v->db, v) && words_verify(v->db, verify_text, v) &&
                              collections_verify(v->db, verify_text, v)));
}

/* In one transaction, so that all is read from one state, whatever others write. */
bool lite_verify(tby_db *base, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    lite *db = lite_of(base);
    verifier v = {.db = db, .fault = fault, .progress = progress, .context = context};
    bool is_alone;
    if (!lite_begin_reading(db, &is_alone))
        return false;
    const bool is_good = check_all(&v);
    lite_end_reading(db, is_alone);
    *n_faults = v.n_faults;
    return is_good;
}
