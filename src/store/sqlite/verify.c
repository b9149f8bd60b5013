/*
 * verify.c - checks a database: the file, every game, its sketch and facts, and every posting of the index.
 *
 * Each game is read and prepared again; the result must match everything that is stored about it. The rows of a run are
 * compared with the sorted positions of its games (positions_verify.c).
 */
#include "row/row.h"
#include "store/sqlite/db.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/index/words.h"
#include "store/sqlite/schema.h"

#include <stdlib.h>
#include <string.h>

typedef struct verifier {
    lite *db;
    tby_db_fault fault;
    tby_db_progress progress;
    void *context;
    int64_t n_faults;
    bool is_stopped, has_common;
    tby_game *game;
    tby_batch *batch;
    block records[2]; /* the sketches and the facts */
    sorter sorter;
    double begun, share; /* fractions of the work: done before this run, and its own */
    tby_game_id last_id;
    int64_t n_games, n_annotated; /* as counted */
    uint64_t n_plies;
} verifier;

__attribute__((format(printf, 3, 4))) static void add_fault(verifier *v, tby_game_id id, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    sqlite3_vsnprintf(sizeof text, text, format, args);
    va_end(args);
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

static void warn_of_null_move(verifier *v, tby_game_id id)
{
    char text[96];
    const size_t ply = tby_game_null_ply(v->game);
    if (!ply || !v->fault)
        return;
    sqlite3_snprintf(sizeof text, text, "warning: %s (ply %d)", tby_pgn_warning_text(TBY_PGN_WARN_NULL_MOVE), (int)ply);
    v->fault(v->context, id, text);
}

static void report(verifier *v, double fraction)
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

static bool check_file(verifier *v)
{
    lite_rows r = lite_rows_of(v->db, lite_prepare(v->db, "PRAGMA integrity_check"));
    while (lite_next(&r)) {
        const char *text = (const char *)sqlite3_column_text(r.s, 0);
        if (!text || failure_in(text) == SQLITE_NOMEM)
            r.failed = !lite_fail_memory(v->db);
        else if (failure_in(text))
            r.failed = !lite_fail(v->db, TBY_IO_ERROR, "database: %s", text);
        else if (strcmp(text, "ok") != 0)
            add_fault(v, 0, "%s", text);
    }
    return lite_end(&r);
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* A row that SQLite cannot read is a fault: "database: the disk image is malformed", without the first word. */
static bool report_unreadable(verifier *v, tby_game_id id)
{
    const char *text = lite_error(v->db), *colon = strstr(text, ": ");
    if (v->db->base.failure.status != TBY_INVALID_DATABASE)
        return false;
    add_fault(v, id, "%s", colon ? colon + 2 : text);
    return true;
}

/* A file of an earlier version had another rule for dates, which is no fault. */
static void keep_dates(tby_row *row, const tby_row *stored)
{
    row->date = stored->date;
    row->first_day = stored->first_day;
    row->last_day = stored->last_day;
    row->tags = stored->tags;
}

/* Do the columns match those made again from the game? */
static void compare_row(verifier *v, tby_game_id id, const tby_row *stored, const lite_rows *r)
{
    const cells found = schema_cells(r->s);
    warn_of_null_move(v, id);
    if (v->db->version < SCHEMA_VERSION)
        keep_dates(v->batch->rows, stored);
    if (!row_is_equal(stored, v->batch->rows, true) || !row_fits_cells(stored, &found))
        add_fault(v, id, "its columns do not match its game");
}

static bool check_row(verifier *v, tby_game_id id)
{
    tby_row stored;
    const char *fault = NULL;
    tby_batch_clear(v->batch);
    lite_rows r = lite_row_begin(v->db, id, &stored, true);
    if (!r.failed && db_make_again(v->batch, v->game, &stored, &fault) == TBY_NO_MEMORY)
        r.failed = !lite_fail_memory(v->db);
    else if (!r.failed && fault)
        add_fault(v, id, "%s", fault);
    else if (!r.failed)
        compare_row(v, id, &stored, &r);
    return lite_end(&r) || report_unreadable(v, id);
}

static bool check_records(verifier *v, tby_game_id id)
{
    const tby_row *row = v->batch->rows;
    const uint8_t *sketch = block_get(&v->records[0], v->db, id), *record = block_get(&v->records[1], v->db, id);
    uint8_t right_sketch[SKETCH_SIZE];
    if (!sketch || !record)
        return false;
    if (v->batch->n_rows == 0)
        return true;
    sketch_make(right_sketch, (const uint8_t *)row->moves.s, row->moves.n);
    if (memcmp(sketch, right_sketch, SKETCH_SIZE) != 0)
        add_fault(v, id, "its sketch does not match the game");
    if (!fact_fits(record, row))
        add_fault(v, id, "its facts do not match the game");
    return true;
}

static void report_absent(void *context, tby_game_id id)
{
    add_fault(context, id, "the game does not exist, but its sketch or facts do");
}

/* Numbers between two games must have no records. */
static bool check_absent(verifier *v, tby_game_id first, tby_game_id last)
{
    return blocks_absent(v->records, 2, v->db, first, last, report_absent, v);
}

static bool check_counter(verifier *v, const char *name, int64_t right)
{
    int64_t value = 0;
    const bool is_sound = lite_counter(v->db, name, INT64_MAX, &value);
    if (!is_sound && v->db->base.failure.status != TBY_INVALID_DATABASE)
        return false;
    if (!is_sound || value != right)
        add_fault(v, 0, "the counter %s is %s", name, is_sound ? "wrong" : "missing or wrong");
    return true;
}

/* A counter that may be missing, and otherwise must be from `least` to `most`. */
static bool check_range(verifier *v, const char *name, int64_t least, int64_t most)
{
    int64_t value = -1;
    if (!lite_counter_or(v->db, name, least, &value))
        return false;
    if (value < least || value > most)
        add_fault(v, 0, "the counter %s is wrong", name);
    return true;
}

/* The counters that say how far an index goes: new games after them would not be added to it. */
static bool check_ranges(verifier *v)
{
    int64_t last_run = 0;
    bool is_good = lite_number(v->db, "SELECT coalesce(max(id), 0) FROM run", &last_run) &&
                   check_range(v, "last_run", last_run, RUN_ID_MAX) && check_range(v, "common", 0, 0) &&
                   check_range(v, "hashes", 0, v->last_id);
    for (unsigned i = 0; i < N_INDEXES; i++)
        is_good = is_good &&
                  check_range(v, db_indexes[i]->name, 0, db_indexes[i]->storage == STORED_BY_SQLITE ? 0 : v->last_id);
    return is_good;
}

/* Assigned numbers without a game must be those of deleted games. */
static bool check_counters(verifier *v)
{
    return check_counter(v, "deleted", v->last_id - v->n_games) && check_counter(v, "plies", (int64_t)v->n_plies) &&
           check_counter(v, "annotated", v->n_annotated) && check_ranges(v);
}

/* Is the number of records in a table within its limit? `number` and `size` select the number of each block, and the
   size of its records. */
static bool check_length(verifier *v, const char *table, const char *number, const char *size)
{
    int64_t n = 0;
    if (!lite_number_of(v->db, &n,
                        "SELECT count(*) FROM (SELECT %s AS block, %s AS size, length(CAST(records AS BLOB)) AS n"
                        " FROM %s) WHERE block < 0 OR n %% size <> 0 OR n > size * %d OR block * %d + n / size > %lld",
                        number, size, table, BLOCK_GAMES, BLOCK_GAMES, (long long)v->last_id))
        return false;
    if (n)
        add_fault(v, 0, "the table %s has records after the last game, or parts of records", table);
    return true;
}

static bool check_lengths(verifier *v)
{
    _Static_assert(SKETCH_SIZE == 32 && FACT_SIZE == 8 && STOOD_COLUMNS == 13 && STOOD_MARKS == 12 && MARKS_SIZE == 2,
                   "the numbers below");
    int64_t covered;
    return check_length(v, "sketch", "block", "32") && check_length(v, "fact", "block", "8") &&
           lite_counter_or(v->db, "stood", -1, &covered) &&
           (covered == -1 || check_length(v, "stood", "id / 13", "CASE id % 13 WHEN 12 THEN 2 ELSE 8 END"));
}

/* The table of hashes has those of the games up to its counter, and no others. */
static bool check_hashes(verifier *v)
{
    int64_t last = -1, is_wrong = 0;
    if (!lite_counter_or(v->db, "hashes", -1, &last))
        return false;
    if (last >= 0 && !lite_number_of(v->db, &is_wrong,
                                     "SELECT count(*) <> (SELECT count(*) FROM hash) OR count(*) <> sum(EXISTS"
                                     " (SELECT 1 FROM hash WHERE hash.hash = game.hash AND hash.game = id))"
                                     " FROM game WHERE id <= %lld",
                                     (long long)last))
        return false;
    if (is_wrong)
        add_fault(v, 0, "the table of hashes does not match the games");
    return true;
}

static bool check_game(verifier *v, tby_game_id id, tby_game_id *next)
{
    if (!game_id_is_sound(id) || id > v->last_id) {
        add_fault(v, id, "this is not a valid game number");
        return true;
    }
    if (!check_absent(v, *next, id - 1) || !check_row(v, id) || !check_records(v, id))
        return false;
    *next = id + 1;
    return true;
}

static bool check_games(verifier *v)
{
    tby_game_id next = 1;
    lite_rows r =
        lite_rows_of(v->db, lite_prepare(v->db, "SELECT id, plies, annotated IS NOT NULL FROM game ORDER BY id"));
    while (!v->is_stopped && lite_next_up(&r)) {
        v->n_games++;
        v->n_plies += (uint64_t)sqlite3_column_int64(r.s, 1);
        v->n_annotated += sqlite3_column_int64(r.s, 2);
        r.failed = !check_game(v, r.number, &next);
        report(v, 0.7 * (double)r.number / (double)v->last_id);
    }
    return lite_end(&r) && (v->is_stopped || (check_absent(v, next, v->last_id) && check_lengths(v) &&
                                              check_counters(v) && check_hashes(v)));
}

/* ---- The index ------------------------------------------------------------------------------------------ */

static bool check_common(verifier *v, const position_run *run)
{
    bool is_right = true;
    if (v->has_common && !counts_verify(v->db, run, &is_right))
        return false;
    if (!is_right)
        add_fault(v, 0, "the counts of positions do not match the games: run %lld", (long long)run->id);
    return true;
}

static bool report_run(void *context, double part)
{
    verifier *v = context;
    report(v, v->begun + v->share * part);
    return !v->is_stopped;
}

static bool check_run(verifier *v, const position_run *run)
{
    run_verdict verdict = RUN_IS_RIGHT;
    if (!positions_is_run(run)) {
        add_fault(v, 0, "a run of the index has an impossible range of games");
        return true;
    }
    if (!positions_verify(v->db, run, &v->sorter, &verdict, report_run, v))
        return v->is_stopped;
    if (verdict != RUN_IS_RIGHT)
        add_fault(v, 0, "the index of positions %s: run %lld, games %lld to %lld",
                  verdict == RUN_IS_WRONG ? "does not match the games" : "is damaged", (long long)run->id,
                  (long long)run->first, (long long)run->last);
    return verdict == RUN_IS_DAMAGED || check_common(v, run);
}

/* Rows that belong to no run are never found by a search, but take space. */
static bool check_strays(verifier *v)
{
    int64_t n = 0, n_common = 0;
    if (!lite_number_of(v->db, &n, "SELECT count(*) FROM position WHERE id / %d NOT IN (SELECT id FROM run)",
                        TBY_POSTINGS_ROWS))
        return false;
    if (n)
        add_fault(v, 0, "the index of positions has rows that belong to no run");
    if (v->has_common &&
        !lite_number(v->db, "SELECT count(*) FROM common WHERE run NOT IN (SELECT id FROM run)", &n_common))
        return false;
    if (n_common)
        add_fault(v, 0, "the counts of positions have rows that belong to no run");
    return true;
}

static bool check_runs(verifier *v, const position_runs *runs)
{
    bool is_good = true;
    sorter_begin(&v->sorter, v->db, SORTER_MEMORY);
    for (size_t i = 0; i < runs->n && is_good && !v->is_stopped; i++) {
        v->share = 0.3 / (double)runs->n;
        v->begun = 0.7 + v->share * (double)i;
        if (i && runs->runs[i].first <= runs->runs[i - 1].last)
            add_fault(v, runs->runs[i].first, "this game is in two runs of the index");
        is_good = check_run(v, &runs->runs[i]);
        report(v, v->begun + v->share);
    }
    sorter_end(&v->sorter);
    return is_good;
}

static bool check_index(verifier *v)
{
    position_runs runs;
    const bool is_good = positions_read(v->db, &runs) && counts_are_kept(v->db, &v->has_common) &&
                         (v->is_stopped || check_runs(v, &runs));
    positions_free(&runs);
    return is_good;
}

static void index_fault(void *context, tby_game_id id, const char *text) { add_fault(context, id, "%s", text); }

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
    add_fault(v, 0, "the counter last_game is missing or wrong");
    v->last_id = largest;
    return true;
}

static bool begin(verifier *v)
{
    v->game = tby_game_new(NULL);
    v->batch = tby_batch_new();
    v->records[0] = sketches_begin();
    v->records[1] = facts_begin();
    if (!v->game || !v->batch)
        return lite_fail_memory(v->db);
    return find_last_id(v);
}

static void end(verifier *v)
{
    tby_game_free(v->game);
    tby_batch_free(v->batch);
    block_finish(&v->records[0]);
    block_finish(&v->records[1]);
}

bool lite_verify(tby_db *base, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    lite *db = lite_of(base);
    verifier v = {.db = db, .fault = fault, .progress = progress, .context = context};
    const bool is_good =
        begin(&v) && check_file(&v) && check_games(&v) && check_index(&v) &&
        (v.is_stopped || (check_strays(&v) && indexes_verify(db, index_fault, &v) &&
                          words_verify(db, index_fault, &v) && collections_verify(db, index_fault, &v)));
    end(&v);
    *n_faults = v.n_faults;
    return is_good;
}
