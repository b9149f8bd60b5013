/*
 * verify_games.c - checks every game with what is stored of it, in several threads.
 *
 * Each game is read and prepared again; the result must match its row, its sketch and its facts. An index of SQLite is
 * compared as a whole: its entries must be in order, and the sum of their hashes that of the games. Looking up each entry,
 * as `PRAGMA integrity_check` does, takes several times as long.
 */
#include "base/contract.h"
#include "row/row.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/names.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/verify.h"

#include <stdatomic.h>
#include <stdlib.h>

/* From THREAD_GAMES games on, another thread is worth its connection. */
enum { THREAD_GAMES = 2000 };

/* Some games and the numbers before them, with what was found. */
typedef struct piece {
    tby_game_id after, last; /* the numbers from after + 1 to last */
    buffer faults;           /* a `found` and its text each */
    atomic_bool is_done;
} piece;

typedef struct found {
    tby_game_id id;
    bool is_warning;
    size_t n;
} found;

/* The sums over games, and those over the entries of indexes, one for each column. */
typedef struct totals {
    int64_t n_games, n_annotated;
    uint64_t n_plies, games[N_COLUMNS_MAX], entries[N_COLUMNS_MAX];
    bool is_unordered[N_COLUMNS_MAX];
} totals;

typedef struct worker {
    lite *db;
    piece *to;
    tby_game *game;
    tby_batch *batch;
    block records[2]; /* the sketches and the facts */
    sqlite3_stmt *range;
    totals totals;
    game_set names[N_NAME_TABLES]; /* those that games have */
} worker;

typedef struct checking {
    verifier *v;
    piece *pieces;
    int64_t n_pieces, n_passed_on;
    int64_t n_hashed; /* the last game in the table of hashes; -1: there is none */
    int64_t state;    /* of the counters */
    bool is_indexed[N_COLUMNS_MAX];
    atomic_bool is_over;
    worker workers[THREADS_MAX];
} checking;

/* ---- Faults --------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static void note(piece *to, tby_game_id id, bool is_warning, const char *format,
                                                       ...)
{
    char text[512];
    found f = {.id = id, .is_warning = is_warning};
    va_list args;
    va_start(args, format);
    sqlite3_vsnprintf(sizeof text, text, format, args);
    va_end(args);
    f.n = strlen(text) + 1;
    buffer_add(&to->faults, &f, sizeof f);
    buffer_add(&to->faults, text, f.n);
}

static void pass_on(verifier *v, const piece *p)
{
    found f;
    for (size_t at = 0; at < p->faults.n; at += f.n) {
        memcpy(&f, p->faults.s + at, sizeof f);
        at += sizeof f;
        if (f.is_warning)
            verify_warning(v, f.id, p->faults.s + at);
        else
            verify_text(v, f.id, p->faults.s + at);
    }
}

/* ---- One game ------------------------------------------------------------------------------------------- */

/* A row that SQLite cannot read is a fault: "database: the disk image is malformed", without the first word. */
static bool report_unreadable(const worker *w, tby_game_id id)
{
    const char *text = lite_error(w->db), *colon = strstr(text, ": ");
    if (w->db->base.failure.status != TBY_INVALID_DATABASE)
        return false;
    note(w->to, id, false, "%s", colon ? colon + 2 : text);
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

/* Is each value stored as what its column is, and nothing as NULL? SQL compares no text with bytes, and 0 is a number. */
static bool has_types(const tby_row *row, sqlite3_stmt *s)
{
    for (size_t i = 0; i < n_row_columns; i++) {
        const row_column *c = &row_columns[i];
        const bool is_text = column_is(c, KINDS_WITH_TEXT) || c->kind == COLUMN_CHOICE;
        const int type = column_is(c, KIND(COLUMN_MOVES) | KIND(COLUMN_RECORD)) ? SQLITE_BLOB
                         : is_text                                              ? SQLITE_TEXT
                                                                                : SQLITE_INTEGER;
        const bool is_there = column_is(c, KINDS_WITH_TEXT)      ? column_text_of(c, row)->s != NULL
                              : c->kind == COLUMN_CHOICE         ? c->text(column_get_number(c, row)) != NULL
                              : !column_is(c, KIND(COLUMN_HASH)) ? column_get_number(c, row) != 0
                                                                 : true;
        if (sqlite3_column_type(s, (int)i) != (is_there || column_is_needed(c) ? type : SQLITE_NULL))
            return false;
    }
    return true;
}

/* Do the columns match those made again from the game? */
static void compare_row(const worker *w, tby_game_id id, const tby_row *stored, const lite_rows *r)
{
    char text[96];
    const cells values = schema_cells(r->s);
    const size_t null_ply = tby_game_null_ply(w->game);
    if (null_ply) {
        sqlite3_snprintf(sizeof text, text, "%s (ply %d)", tby_pgn_warning_text(TBY_PGN_WARN_NULL_MOVE), (int)null_ply);
        note(w->to, id, true, "%s", text);
    }
    if (w->db->version < SCHEMA_VERSION)
        keep_dates(w->batch->rows, stored);
    if (!row_is_equal(stored, w->batch->rows, true) || !row_fits_cells(stored, &values) || !has_types(stored, r->s))
        note(w->to, id, false, "its columns do not match its game");
}

static bool check_row(worker *w, tby_game_id id)
{
    tby_row stored;
    const char *fault = NULL;
    tby_batch_clear(w->batch);
    lite_rows r = lite_row_begin(w->db, id, &stored);
    if (!r.failed && db_make_again(w->batch, w->game, &stored, &fault) == TBY_NO_MEMORY)
        r.failed = !lite_fail_memory(w->db);
    else if (!r.failed && fault)
        note(w->to, id, false, "%s", fault);
    else if (!r.failed)
        compare_row(w, id, &stored, &r);
    return lite_end(&r) || report_unreadable(w, id);
}

static bool check_records(worker *w, tby_game_id id)
{
    const tby_row *row = w->batch->rows;
    const uint8_t *sketch = block_get(&w->records[0], w->db, id), *record = block_get(&w->records[1], w->db, id);
    uint8_t right_sketch[SKETCH_SIZE];
    if (!sketch || !record)
        return false;
    if (w->batch->n_rows == 0)
        return true;
    sketch_make(right_sketch, (const uint8_t *)row->moves.s, row->moves.n);
    if (memcmp(sketch, right_sketch, SKETCH_SIZE) != 0)
        note(w->to, id, false, "its sketch does not match the game");
    if (!fact_fits(record, row))
        note(w->to, id, false, "its facts do not match the game");
    return true;
}

static void note_absent(void *context, tby_game_id id)
{
    note(context, id, false, "the game does not exist, but its sketch or facts do");
}

/* Numbers between two games must have no records. */
static bool check_absent(worker *w, tby_game_id first, tby_game_id last)
{
    return blocks_absent(w->records, 2, w->db, first, last, note_absent, w->to);
}

/* ---- Many games ----------------------------------------------------------------------------------------- */

static bool has_names(const row_column *c) { return column_is(c, KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE)); }

/* Is the column compared with an index of its own? */
static bool is_summed(const row_column *c)
{
    return has_names(c) || column_is(c, KIND(COLUMN_MOVES) | KIND(COLUMN_HASH));
}

/* SELECT id, plies, whether there is a record, and what indexes have: as it is stored, so that a game which cannot be made
   from its row is one fault and not a fault of each index, too. */
enum { RANGE_SUMMED = 3 };
static sqlite3_stmt *prepare_range(lite *db)
{
    buffer sql = {0};
    buffer_string(&sql, "SELECT id, plies, annotated IS NOT NULL");
    for (size_t i = 0; i < n_row_columns; i++)
        if (is_summed(&row_columns[i]))
            buffer_printf(&sql, ", %s", row_columns[i].name);
    buffer_string(&sql, " FROM game NOT INDEXED WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    return lite_prepare_text(db, &sql);
}

/* Adds up what is known without the whole row. */
static void count_game(const checking *c, worker *w, sqlite3_stmt *s, tby_game_id id)
{
    w->totals.n_games++;
    w->totals.n_plies += (uint64_t)sqlite3_column_int64(s, 1);
    w->totals.n_annotated += sqlite3_column_int64(s, 2);
    int at = RANGE_SUMMED;
    for (size_t i = 0; i < n_row_columns; i++) {
        const row_column *column = &row_columns[i];
        if (!is_summed(column))
            continue;
        const int64_t name = has_names(column) ? sqlite3_column_int64(s, at) : 0;
        if (column->kind != COLUMN_HASH || id <= c->n_hashed)
            w->totals.games[i] += verify_hash(s, at, id);
        if (name > 0)
            game_set_put(&w->names[column->names], name);
        at++;
    }
}

static bool check_games(const checking *c, worker *w, piece *to)
{
    tby_game_id next = to->after + 1;
    lite_rows r = lite_rows_again(w->db, w->range);
    w->to = to;
    lite_bind(&r, 1, next);
    lite_bind(&r, 2, to->last);
    while (lite_next_up(&r)) {
        const tby_game_id id = r.number;
        count_game(c, w, r.s, id);
        r.failed = !game_id_is_in(w->db, id, next, to->last) || !check_absent(w, next, id - 1) || !check_row(w, id) ||
                   !check_records(w, id);
        next = id + 1;
    }
    return lite_end(&r) && check_absent(w, next, to->last) && (!to->faults.has_failed || lite_fail_memory(w->db));
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

/* What a commit of others that changes games changes too. Threads that see another state take no part. */
static bool read_state(lite *db, int64_t *out)
{
    return lite_number(db,
                       "SELECT coalesce(sum(value % 4294967296), 0) FROM counter WHERE name IN ('last_game',"
                       " 'deleted', 'plies', 'annotated')",
                       out);
}

static bool join(void *context, lite *db, unsigned thread)
{
    checking *c = context;
    worker *w = &c->workers[thread];
    int64_t state = 0, last = 0;
    if (thread && (!read_state(db, &state) || state != c->state))
        return false;
    *w = (worker){.db = db, .game = tby_game_new(NULL), .batch = tby_batch_new()};
    w->records[0] = sketches_begin();
    w->records[1] = facts_begin();
    bool is_good = (w->game && w->batch) || lite_fail_memory(db);
    for (int i = 0; i < N_NAME_TABLES && is_good; i++)
        is_good = lite_number_of(db, &last, "SELECT coalesce(max(id), 0) FROM %s WHERE id BETWEEN 1 AND %d",
                                 name_tables[i], NAMES_MAX) &&
                  lite_set_begin(db, &w->names[i], last);
    return is_good && (w->range = prepare_range(db)) != NULL;
}

static void worker_end(worker *w)
{
    sqlite3_finalize(w->range);
    tby_game_free(w->game);
    tby_batch_free(w->batch);
    block_finish(&w->records[0]);
    block_finish(&w->records[1]);
    for (int i = 0; i < N_NAME_TABLES; i++)
        game_set_free(&w->names[i]);
}

/* Passes on what was found in the complete pieces, up to the first incomplete one. Called by the caller's thread. */
static void pass_on_settled(checking *c)
{
    for (; c->n_passed_on < c->n_pieces && atomic_load(&c->pieces[c->n_passed_on].is_done); c->n_passed_on++) {
        pass_on(c->v, &c->pieces[c->n_passed_on]);
        buffer_free(&c->pieces[c->n_passed_on].faults);
    }
    verify_progress(c->v, 0.5 * (double)c->n_passed_on / (double)c->n_pieces);
    if (c->v->is_stopped)
        atomic_store(&c->is_over, true);
}

/* The indexes come first, because they take longer than other pieces. */
static bool check_piece(void *context, lite *db, unsigned thread, int64_t number)
{
    checking *c = context;
    worker *w = &c->workers[thread];
    (void)db;
    if (atomic_load(&c->is_over))
        return true;
    if (number < (int64_t)n_row_columns)
        return !c->is_indexed[number] ||
               verify_index(w->db, (size_t)number, &w->totals.entries[number], &w->totals.is_unordered[number]);
    piece *to = &c->pieces[number - (int64_t)n_row_columns];
    if (!check_games(c, w, to))
        return false;
    atomic_store(&to->is_done, true);
    if (thread == 0)
        pass_on_settled(c);
    return true;
}

/* ---- All games ------------------------------------------------------------------------------------------ */

/* Divides the numbers into pieces that end with a block that has games. */
static bool list_pieces(checking *c)
{
    lite *db = c->v->db;
    size_t cap = 0;
    tby_game_id after = 0, id = 1;
    while (after < c->v->last_id) {
        if (!next_stored_game(db, &id))
            return false;
        const tby_game_id end = id ? block_end(id) : c->v->last_id;
        const piece new = {.after = after, .last = end < c->v->last_id ? end : c->v->last_id};
        if (!array_reserve(&c->pieces, &cap, (size_t)c->n_pieces + 1, sizeof new, NULL))
            return lite_fail_memory(db);
        c->pieces[c->n_pieces++] = new;
        after = new.last;
        id = after + 1;
    }
    return true;
}

static bool find_indexes(lite *db, bool out[N_COLUMNS_MAX])
{
    bool is_good = true;
    for (size_t i = 0; i < n_row_columns && is_good; i++) {
        int64_t n = 0;
        const bool is_hash = row_columns[i].kind == COLUMN_HASH;
        is_good = lite_number_of(db, &n, "SELECT count(*) FROM sqlite_schema WHERE name = '%s%s'",
                                 is_hash ? "" : "game_", row_columns[i].name);
        out[i] = n > 0;
    }
    return is_good;
}

static void compare_indexes(verifier *v, const bool *is_indexed, const totals *t)
{
    for (size_t i = 0; i < n_row_columns; i++) {
        const bool is_hash = row_columns[i].kind == COLUMN_HASH;
        if (is_indexed[i] && (t->games[i] != t->entries[i] || t->is_unordered[i]))
            verify_fault(v, 0, "the %s%s does not match the games", is_hash ? "table of hashes" : "index game_",
                         is_hash ? "" : row_columns[i].name);
    }
}

/* Names are deleted with the last game that has them. */
static bool check_names(verifier *v, name_table table, const game_set *used)
{
    int64_t n_unused = 0;
    lite_rows r = lite_rows_of(v->db, lite_prepare_of(v->db, "SELECT id FROM %s ORDER BY id", name_tables[table]));
    while (lite_next_up(&r))
        n_unused += r.number < 1 || r.number > NAMES_MAX || !game_set_has(used, r.number);
    if (n_unused)
        verify_fault(v, 0, "the table %s has names without a game: %lld", name_tables[table], (long long)n_unused);
    return lite_end(&r);
}

/* Adds the workers' totals to those of the first one. */
static bool add_up(checking *c)
{
    totals *all = &c->workers[0].totals;
    bool has_memory = true;
    for (worker *w = c->workers + 1; w < c->workers + THREADS_MAX && w->db; w++) {
        all->n_games += w->totals.n_games;
        all->n_annotated += w->totals.n_annotated;
        all->n_plies += w->totals.n_plies;
        for (size_t i = 0; i < n_row_columns; i++) {
            all->games[i] += w->totals.games[i];
            all->entries[i] += w->totals.entries[i];
            all->is_unordered[i] |= w->totals.is_unordered[i];
        }
        for (int i = 0; i < N_NAME_TABLES; i++) {
            game_set_add(&c->workers[0].names[i], &w->names[i]);
            has_memory &= !w->names[i].has_failed;
        }
    }
    for (int i = 0; i < N_NAME_TABLES; i++)
        has_memory &= !c->workers[0].names[i].has_failed;
    return has_memory || lite_fail_memory(c->v->db);
}

static bool conclude(checking *c)
{
    verifier *v = c->v;
    const totals *all = &c->workers[0].totals;
    bool is_good = add_up(c);
    if (!is_good || v->is_stopped)
        return is_good;
    v->n_games += all->n_games;
    v->n_annotated += all->n_annotated;
    v->n_plies += all->n_plies;
    compare_indexes(v, c->is_indexed, all);
    for (unsigned i = 0; i < N_NAME_TABLES && is_good; i++)
        is_good = check_names(v, (name_table)i, &c->workers[0].names[i]);
    return is_good;
}

/* Games whose numbers no game can have, which are in no piece. */
static bool check_numbers(verifier *v)
{
    lite_rows r =
        lite_rows_of(v->db, lite_prepare(v->db, "SELECT id FROM game WHERE id NOT BETWEEN 1 AND ?1 ORDER BY id"));
    lite_bind(&r, 1, v->last_id);
    while (lite_next_up(&r))
        verify_fault(v, r.number, "this is not a valid game number");
    return lite_end(&r);
}

bool verify_games(verifier *v)
{
    checking *c = calloc(1, sizeof *c);
    if (!c)
        return lite_fail_memory(v->db);
    c->v = v;
    bool is_good = check_numbers(v) && list_pieces(c) && lite_counter_or(v->db, "hashes", -1, &c->n_hashed) &&
                   read_state(v->db, &c->state) && find_indexes(v->db, c->is_indexed);
    const readers_work work = {
        join, check_piece, c, v->db->base.n_threads, v->last_id / THREAD_GAMES, (int64_t)n_row_columns + c->n_pieces};
    is_good = is_good && readers_run(v->db, &work);
    if (is_good && c->n_pieces)
        pass_on_settled(c);
    is_good = is_good && conclude(c);
    for (unsigned i = 0; i < THREADS_MAX; i++)
        worker_end(&c->workers[i]);
    for (int64_t i = 0; i < c->n_pieces; i++)
        buffer_free(&c->pieces[i].faults);
    free(c->pieces);
    free(c);
    return is_good;
}
