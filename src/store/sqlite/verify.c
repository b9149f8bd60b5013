/*
 * verify.c - checks a database: the file, every game, its sketch and facts, and every posting of the index.
 *
 * A game is read and made ready anew; all that is stored of it must be what comes out. The postings of a run are
 * compared with the positions of its games by a sum over both, in which their order does not count.
 */
#include "store/batch.h"
#include "store/same.h"
#include "store/sqlite/common.h"
#include "store/sqlite/had.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/words.h"

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
    block sketches, facts;
    uint64_t *keys;
    bool *is_there; /* which games of a run there are, counted from its first */
    tby_game_id last_id;
    int64_t n_games, n_annotated; /* as they are found */
    uint64_t n_plies;
} verifier;

static void tell(verifier *v, tby_game_id id, const char *text)
{
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

/* SQLite tells its own failures among the faults of the file: their code, 0 for a fault. */
static int failure_in(const char *text)
{
    const char *code = strstr(text, "error code=");
    const int number = code ? atoi(code + strlen("error code=")) & 0xff : 0;
    return number == SQLITE_NOMEM || number == SQLITE_IOERR || number == SQLITE_INTERRUPT ? number : 0;
}

static bool check_file(verifier *v)
{
    bool failed = false;
    sqlite3_stmt *s = lite_prepare(v->db, "PRAGMA integrity_check");
    while (s && !failed && lite_step(v->db, s, &failed)) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        if (!text || failure_in(text) == SQLITE_NOMEM)
            failed = !lite_fail_memory(v->db);
        else if (failure_in(text))
            failed = !lite_fail(v->db, TBY_IO_ERROR, "database: %s", text);
        else if (strcmp(text, "ok") != 0)
            tell(v, 0, text);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* "game 6 is damaged: the checksum does not fit", without the game's number, which is told beside it. */
static void tell_unreadable(verifier *v, tby_game_id id)
{
    const char *text = lite_error(v->db), *colon = strstr(text, ": ");
    tell(v, id, colon ? colon + 2 : text);
}

/* Is all that is stored of the game what is made of it now? */
static bool check_row(verifier *v, tby_game_id id)
{
    bool failed = false;
    tby_batch_clear(v->batch);
    if (!lite_game(v->db, id, v->game)) {
        if (v->db->base.status != TBY_INVALID_DATABASE)
            return false;
        tell_unreadable(v, id);
        return true;
    }
    warn_of_null_move(v, id);
    const tby_status status = tby_batch_add(v->batch, v->game);
    if (status == TBY_NO_MEMORY)
        return lite_fail_memory(v->db);
    if (status != TBY_OK) {
        tell(v, id, tby_status_text(status));
        return true;
    }
    sqlite3_stmt *s = lite_statement(v->db, SQL_GAME_BY_ID);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, id);
    if (lite_step(v->db, s, &failed)) {
        const cells found = tby_schema_cells(s);
        tby_row stored;
        tby_row_of_cells(&stored, &found, KINDS_ALL);
        if (!tby_row_is_equal(&stored, v->batch->rows, true) || !tby_row_fits_cells(&stored, &found))
            tell(v, id, "its columns are not those of its game");
    }
    sqlite3_reset(s);
    return !failed;
}

static bool check_records(verifier *v, tby_game_id id)
{
    const tby_row *row = v->batch->rows;
    const uint8_t *sketch = tby_block_get(&v->sketches, v->db, id), *record = tby_block_get(&v->facts, v->db, id);
    uint8_t right_sketch[SKETCH_SIZE];
    if (!sketch || !record)
        return false;
    if (v->batch->n_rows == 0)
        return true;
    tby_sketch_make(right_sketch, (const uint8_t *)row->moves.s, row->moves.n);
    if (memcmp(sketch, right_sketch, SKETCH_SIZE) != 0)
        tell(v, id, "its sketch is not the game's");
    if (!tby_fact_fits(record, row))
        tell(v, id, "its facts are not the game's");
    return true;
}

/* Does a record say that there is a game? */
static bool is_set(const uint8_t *record, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (record[i] != SKETCH_NONE)
            return true;
    return false;
}

/* The last number before the next block that is there, from `id` on. */
static bool skip_blocks(verifier *v, tby_game_id *id)
{
    char sql[192];
    int64_t next = 0;
    const int64_t limit = block_of(UINT32_MAX) + 1;
    sqlite3_snprintf(sizeof sql, sql,
                     "SELECT min(coalesce((SELECT min(block) FROM sketch WHERE block > %lld), %lld),"
                     " coalesce((SELECT min(block) FROM fact WHERE block > %lld), %lld))",
                     (long long)block_of(*id), (long long)limit, (long long)block_of(*id), (long long)limit);
    if (!lite_number(v->db, sql, &next))
        return false;
    *id = next * BLOCK_GAMES;
    return true;
}

/* Numbers between two games must have no records. Of what no block holds there is nothing to see. */
static bool check_absent(verifier *v, tby_game_id first, tby_game_id last)
{
    for (tby_game_id id = first; id <= last; id++) {
        const uint8_t *sketch = tby_block_get(&v->sketches, v->db, id), *record = tby_block_get(&v->facts, v->db, id);
        if (!sketch || !record)
            return false;
        if (block_place(id) >= v->sketches.n && block_place(id) >= v->facts.n) {
            if (!skip_blocks(v, &id))
                return false;
        } else if (is_set(sketch, SKETCH_SIZE) || is_set(record, FACT_SIZE))
            tell(v, id, "there is no such game, but a sketch or facts of it");
    }
    return true;
}

static bool check_counter(verifier *v, const char *name, int64_t right)
{
    char text[96];
    int64_t value = 0;
    const bool is_sound = lite_counter(v->db, name, INT64_MAX, &value);
    if (!is_sound && v->db->base.status != TBY_INVALID_DATABASE)
        return false;
    if (!is_sound || value != right) {
        sqlite3_snprintf(sizeof text, text, "the counter %s is %s", name, is_sound ? "wrong" : "missing or wrong");
        tell(v, 0, text);
    }
    return true;
}

/* The numbers that were given and have no game are those of deleted ones. */
static bool check_counters(verifier *v)
{
    return check_counter(v, "deleted", v->last_id - v->n_games) && check_counter(v, "plies", (int64_t)v->n_plies) &&
           check_counter(v, "annotated", v->n_annotated);
}

/* The table of hashes has those of the games up to its counter, and no others. */
static bool check_hashes(verifier *v)
{
    int64_t last = -1, n_hashes = 0, n_games = 0, n_right = 0;
    char all[96], right[192];
    if (!lite_counter_or(v->db, "hashes", -1, &last))
        return false;
    if (last < 0)
        return true;
    sqlite3_snprintf(sizeof all, all, "SELECT count(*) FROM game WHERE id <= %lld", (long long)last);
    sqlite3_snprintf(sizeof right, right,
                     "%s AND EXISTS (SELECT 1 FROM hash WHERE hash.hash = game.hash AND hash.game = id)", all);
    if (!lite_number(v->db, "SELECT count(*) FROM hash", &n_hashes) || !lite_number(v->db, all, &n_games) ||
        !lite_number(v->db, right, &n_right))
        return false;
    if (n_hashes != n_games || n_right != n_games)
        tell(v, 0, "the table of hashes is not that of the games");
    return true;
}

static bool check_game(verifier *v, tby_game_id id, tby_game_id *next)
{
    if (!game_id_is_sound(id) || id > v->last_id) {
        tell(v, id, "no game can have this number");
        return true;
    }
    if (!check_absent(v, *next, id - 1) || !check_row(v, id) || !check_records(v, id))
        return false;
    *next = id + 1;
    return true;
}

static bool check_games(verifier *v)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    tby_game_id next = 1;
    sqlite3_stmt *s = lite_prepare(v->db, "SELECT id, plies, annotated IS NOT NULL FROM game ORDER BY id");
    while (s && !failed && !v->is_stopped && lite_step_up(v->db, s, &before, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        v->n_games++;
        v->n_plies += (uint64_t)sqlite3_column_int64(s, 1);
        v->n_annotated += sqlite3_column_int64(s, 2);
        failed |= !check_game(v, id, &next);
        report(v, 0.7 * (double)id / (double)v->last_id);
    }
    sqlite3_finalize(s);
    if (!s || failed || v->is_stopped)
        return s && !failed;
    return check_absent(v, next, v->last_id) && check_counters(v) && check_hashes(v);
}

/* ---- The index ------------------------------------------------------------------------------------------ */

static uint64_t posting_hash(uint64_t key, const tby_posting *p)
{
    const uint64_t words[2] = {key, (uint64_t)p->game << 32 | (uint64_t)p->ply << 16 | p->next};
    return tby_hash_bytes(1, words, sizeof words);
}

static bool has_key(const uint64_t *keys, uint32_t n, uint64_t key)
{
    for (uint32_t i = 0; i < n; i++)
        if (keys[i] == key)
            return true;
    return false;
}

/* The sum over a game's positions, each counted at its first visit. */
static uint64_t game_sum(verifier *v, tby_game_id id, const uint8_t *bytes, size_t n, int plies)
{
    tby_packed cursor;
    uint64_t sum = 0;
    tby_posting p = {id, 0, TBY_MOVE_NONE};
    if (n == 0 || !tby_packed_begin(&cursor, bytes, n))
        return 0;
    do {
        const uint64_t key = tby_position_key(&cursor.pos);
        v->keys[p.ply] = key;
        p.next = tby_packed_next(&cursor);
        sum += has_key(v->keys, p.ply, key) ? 0 : posting_hash(key, &p);
    } while (p.next != TBY_MOVE_NONE && ++p.ply <= (uint32_t)plies && p.ply <= TBY_PLIES_MAX);
    return sum;
}

static bool sum_games(verifier *v, const position_run *run, uint64_t *sum)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(v->db, "SELECT id, moves FROM game WHERE id BETWEEN ?1 AND ?2");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, run->first);
    sqlite3_bind_int64(s, 2, run->last);
    memset(v->is_there, 0, RUN_GAMES * sizeof *v->is_there);
    while (lite_step_up(v->db, s, &before, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        if (id < run->first || id > run->last) /* of a damaged file, which was told */
            continue;
        *sum += game_sum(v, id, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1), run_depth(run));
        v->is_there[id - run->first] = true;
    }
    sqlite3_finalize(s);
    return !failed;
}

/* Adds the postings of a row whose games are there; `*is_whole` is cleared if the bytes are not a row of the run. */
static void sum_row(const verifier *v, const position_run *run, uint64_t upper, tby_postings *row, uint64_t *sum,
                    bool *is_whole)
{
    uint64_t rest;
    tby_posting p;
    while (tby_postings_group(row, &rest))
        while (tby_postings_next(row, &p)) {
            const bool is_of_run = p.game >= run->first && p.game <= run->last;
            *is_whole &= is_of_run;
            if (is_of_run && v->is_there[p.game - run->first])
                *sum += posting_hash(upper << 48 | rest, &p);
        }
    *is_whole &= !row->is_damaged;
}

static bool sum_rows(verifier *v, const position_run *run, uint64_t *sum, bool *is_whole)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(v->db, "SELECT id, entries FROM position WHERE id BETWEEN ?1 AND ?2");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, tby_postings_row(run->id, 0));
    sqlite3_bind_int64(s, 2, tby_postings_row(run->id, UINT64_MAX));
    while (lite_step_up(v->db, s, &before, &failed)) {
        const uint8_t *bytes = sqlite3_column_blob(s, 1);
        tby_postings row = tby_postings_begin(bytes, (size_t)sqlite3_column_bytes(s, 1), run->first);
        const uint64_t upper = (uint64_t)sqlite3_column_int64(s, 0) % TBY_POSTINGS_ROWS;
        sum_row(v, run, upper, &row, sum, is_whole);
    }
    sqlite3_finalize(s);
    return !failed;
}

static bool check_common(verifier *v, const position_run *run)
{
    char text[128];
    bool is_right = true;
    if (v->has_common && !tby_common_verify(v->db, run, &is_right))
        return false;
    if (!is_right) {
        sqlite3_snprintf(sizeof text, text, "the counts of positions are not those of the games: run %lld",
                         (long long)run->id);
        tell(v, 0, text);
    }
    return true;
}

static bool check_run(verifier *v, const position_run *run)
{
    uint64_t of_games = 0, of_rows = 0;
    bool is_whole = true;
    if (!tby_positions_is_run(run)) {
        tell(v, 0, "a run of the index holds a range of games that cannot be");
        return true;
    }
    if (!sum_games(v, run, &of_games) || !sum_rows(v, run, &of_rows, &is_whole))
        return false;
    if (!is_whole || of_games != of_rows) {
        char text[128];
        sqlite3_snprintf(sizeof text, text, "the index of positions %s: run %lld, games %lld to %lld",
                         is_whole ? "is not that of the games" : "is damaged", (long long)run->id,
                         (long long)run->first, (long long)run->last);
        tell(v, 0, text);
    }
    return !is_whole || check_common(v, run);
}

/* Rows that belong to no run are found by no search, but take room. */
static bool check_strays(verifier *v)
{
    int64_t n = 0, n_common = 0;
    char sql[128];
    sqlite3_snprintf(sizeof sql, sql, "SELECT count(*) FROM position WHERE id / %d NOT IN (SELECT id FROM run)",
                     TBY_POSTINGS_ROWS);
    if (!lite_number(v->db, sql, &n))
        return false;
    if (n)
        tell(v, 0, "the index of positions has rows that belong to no run");
    if (v->has_common &&
        !lite_number(v->db, "SELECT count(*) FROM common WHERE run NOT IN (SELECT id FROM run)", &n_common))
        return false;
    if (n_common)
        tell(v, 0, "the counts of positions have rows that belong to no run");
    return true;
}

static bool check_index(verifier *v)
{
    position_runs runs;
    bool is_good = tby_positions_read(v->db, &runs) && tby_common_is_kept(v->db, &v->has_common);
    for (size_t i = 0; i < runs.n && is_good && !v->is_stopped; i++) {
        if (i && runs.runs[i].first <= runs.runs[i - 1].last)
            tell(v, runs.runs[i].first, "two runs of the index hold this game");
        is_good = check_run(v, &runs.runs[i]);
        report(v, 0.7 + 0.3 * (double)(i + 1) / (double)runs.n);
    }
    tby_positions_free(&runs);
    return is_good;
}

static void tell_index(void *context, tby_game_id id, const char *text) { tell(context, id, text); }

/* ---- All ------------------------------------------------------------------------------------------------ */

/* A counter that is wrong is told; then the games say which number was the last. */
static bool find_last_id(verifier *v)
{
    int64_t largest = 0;
    if (!lite_number(v->db, "SELECT coalesce(max(id), 0) FROM game WHERE id BETWEEN 1 AND 4294967295", &largest))
        return false;
    if (lite_counter(v->db, "last_game", UINT32_MAX, &v->last_id)) {
        if (v->last_id >= largest)
            return true;
    } else if (v->db->base.status != TBY_INVALID_DATABASE) {
        return false;
    }
    tell(v, 0, "the counter last_game is missing or wrong");
    v->last_id = largest;
    return true;
}

static bool begin(verifier *v)
{
    v->game = tby_game_new(NULL);
    v->batch = tby_batch_new();
    v->keys = malloc((TBY_PLIES_MAX + 1) * sizeof *v->keys);
    v->is_there = malloc(RUN_GAMES * sizeof *v->is_there);
    if (!v->game || !v->batch || !v->keys || !v->is_there ||
        !tby_block_begin(&v->sketches, SKETCH_SIZE, SQL_SKETCH_GET, SQL_SKETCH_PUT) ||
        !tby_block_begin(&v->facts, FACT_SIZE, SQL_FACTS_GET, SQL_FACTS_PUT))
        return lite_fail_memory(v->db);
    return find_last_id(v);
}

static void end(verifier *v)
{
    tby_game_free(v->game);
    tby_batch_free(v->batch);
    tby_block_end(&v->sketches);
    tby_block_end(&v->facts);
    free(v->keys);
    free(v->is_there);
}

bool lite_verify(lite *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    verifier v = {.db = db, .fault = fault, .progress = progress, .context = context};
    const bool is_good = begin(&v) && check_file(&v) && check_games(&v) && check_index(&v) &&
                         (v.is_stopped || (check_strays(&v) && tby_had_verify(db, tell_index, &v) &&
                                           tby_words_verify(db, tell_index, &v)));
    end(&v);
    *n_faults = v.n_faults;
    return is_good;
}
