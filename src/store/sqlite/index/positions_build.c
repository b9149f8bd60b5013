/*
 * positions_build.c - builds the position index, run by run.
 *
 * A run takes the games of a range that no run covers. Its positions are sorted by key (sorter.h) and become rows
 * (value/postings.h). Each run is one transaction, so that completed runs remain if the work is stopped or the
 * process dies. A new run absorbs the smaller ones before it, as long as they are less than twice as long: so each run
 * is at least twice as long as the next, their number grows with the logarithm of the number of games until they are
 * full, and no game is indexed too often.
 */
#include "codec/bytes.h"
#include "os/threads.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/replay.h"
#include "store/sqlite/index/words.h"
#include "store/sqlite/schema.h"

#include <stdlib.h>
#include <string.h>

const index_limits default_index_limits = {
    .run_games = RUN_GAMES,
    .run_entries = 11 << 22, /* 704 MiB in memory, so that an import needs less than 1 GB */
    .most_held = SIZE_MAX,
    .row_entries = 128,
    .spare_bits = 7,
};

typedef struct builder {
    lite *db;
    const index_limits *limits;
    position_run run;
    sorter sorter;
    postings_form form;
    sqlite3_stmt *put;
    counts_maker common;
    struct maker *makers; /* one for each thread that makes rows */
    bool has_common;      /* counts are stored; only for runs with whole games */
    tby_db_progress progress;
    void *context;
    tby_game_id last_game; /* of the database */
    tby_game_id last_met;  /* the last collected game */
    index_builder traits;
    bool is_stopped; /* by `progress` */
} builder;

static unsigned log2_of(uint64_t n) { return n ? bit_length(n) - 1 : 0; }

/* ---- Progress ------------------------------------------------------------------------------------------- */

/* Reports that `part` of the run is done. */
static bool report(builder *b, double part)
{
    const double n_done = (double)(b->run.first - 1) + part * (double)(b->run.last - b->run.first + 1);
    if (b->progress && b->last_game && !b->progress(b->context, n_done / (double)b->last_game))
        b->is_stopped = true;
    return !b->is_stopped;
}

/* ---- Collecting ----------------------------------------------------------------------------------------- */

static bool visit_game(void *context, const replayed_game *game)
{
    builder *b = context;
    if (!replayed_is_good(b->db, game) || (game->traits && !index_builder_take(&b->traits, game->id, game->traits)))
        return false;
    b->last_met = game->id;
    return true;
}

static bool report_collected(void *context, double part) { return report(context, 0.5 * part); }

/* Collects the games from run.first to run.last, or fewer if they are long: then run.last is reduced. Their traits are
   collected as well, unless games before them are missing in those indexes. */
static bool collect(builder *b)
{
    tby_game_id traits_after;
    if (!index_builder_read(&b->traits, b->run.last, &traits_after))
        return false;
    const bool takes_had = traits_after >= b->run.first - 1 && traits_after < b->run.last;
    const replay c = {
        .db = b->db,
        .first = b->run.first,
        .last = b->run.last,
        .sorter = &b->sorter,
        .depth = run_depth(&b->run),
        .most_entries = b->limits->run_entries,
        .traits_after = takes_had ? traits_after : b->run.last,
        .visit = visit_game,
        .go_on = report_collected,
        .context = b,
    };
    if (!lite_replay(&c))
        return false;
    if (b->sorter.n >= b->limits->run_entries)
        b->run.last = b->last_met;
    return !takes_had || index_builder_store(&b->traits, b->run.last);
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* Chooses the number of rows, and enough bits of the keys to tell most positions apart. */
static void choose_form(builder *b)
{
    const unsigned n_bits = log2_of(b->sorter.n), row_bits = log2_of(b->sorter.n / b->limits->row_entries);
    b->form.row_bits = row_bits < TBY_POSTINGS_ROW_BITS ? row_bits : TBY_POSTINGS_ROW_BITS;
    const unsigned part_bits =
        n_bits + b->limits->spare_bits > b->form.row_bits ? n_bits + b->limits->spare_bits - b->form.row_bits : 0;
    const unsigned most = 64 - b->form.row_bits < POSTINGS_PART_BITS ? 64 - b->form.row_bits : POSTINGS_PART_BITS;
    b->form.part_bits = part_bits < most ? part_bits : most;
    b->form.game_bits = bit_length((uint64_t)(b->run.last - b->run.first));
    b->run.row_bits = (int)b->form.row_bits;
}

/* What one thread makes, to be stored when it is its turn: rows one after the other, each after its head. */
typedef struct made_head {
    int64_t key;
    size_t n; /* bytes */
} made_head;

typedef struct maker {
    bit_buffer row;
    buffer counts;
    position_counts common;
    buffer positions, commons; /* made */
} maker;

static bool add_made(buffer *made, int64_t key, const buffer *row)
{
    const made_head head = {key, row->n};
    buffer_add(made, &head, sizeof head);
    buffer_add(made, row->data, row->n);
    return !row->has_failed && !made->has_failed;
}

/* Counts the games of each common position. */
static bool count_groups(const builder *b, maker *m, const position_entry *e, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = group_end(e, n, i);
        if (end - i < COUNTS_GAMES)
            continue;
        counts_start(&m->common);
        for (size_t k = i; k < end; k++)
            counts_count(&b->common, &m->common, b->run.first + e[k].game, e[k].next);
        if (counts_encode(&m->counts, &m->common) && !add_made(&m->commons, (int64_t)e[i].key, &m->counts))
            return false;
    }
    return true;
}

static bool make_rows(void *context, unsigned thread, const sorted_rows *rows)
{
    const builder *b = context;
    maker *m = &b->makers[thread];
    bool is_good = true;
    for (size_t i = 0, end; i < rows->n && is_good; i = end) {
        end = sorted_row_end(rows, i);
        postings_put(&m->row, &b->form, rows->entries + i, end - i);
        is_good = add_made(&m->positions, b->run.id * TBY_POSTINGS_ROWS + sorted_row(rows, i), &m->row.bytes) &&
                  (!b->has_common || count_groups(b, m, rows->entries + i, end - i));
    }
    return is_good;
}

/* The key is the statement's second to last parameter, the bytes are the last. */
static bool store_made(lite *db, sqlite3_stmt *put, buffer *made)
{
    const int last = sqlite3_bind_parameter_count(put);
    bool is_good = true;
    made_head head;
    for (size_t at = 0; at < made->n && is_good; at += head.n) {
        memcpy(&head, made->data + at, sizeof head);
        at += sizeof head;
        sqlite3_bind_int64(put, last - 1, head.key);
        sqlite3_bind_blob64(put, last, made->data + at, head.n, SQLITE_STATIC);
        is_good = lite_do(db, put);
    }
    made->n = 0;
    return is_good;
}

static bool take_rows(void *context, unsigned thread, const sorted_rows *rows)
{
    builder *b = context;
    maker *m = &b->makers[thread];
    const double done = (double)sorted_row(rows, rows->n - 1) / (double)(1u << b->form.row_bits);
    return store_made(b->db, b->put, &m->positions) &&
           (!b->has_common || store_made(b->db, b->common.put, &m->commons)) &&
           (thread != 0 || report(b, 0.5 + 0.5 * done));
}

static void free_makers(builder *b, unsigned n)
{
    for (unsigned i = 0; i < n && b->makers; i++) {
        maker *m = &b->makers[i];
        buffer_free(&m->row.bytes);
        buffer_free(&m->counts);
        buffer_free(&m->positions);
        buffer_free(&m->commons);
    }
    free(b->makers);
    b->makers = NULL;
}

static bool write_rows(builder *b)
{
    const sorted_use use = {make_rows, take_rows, b};
    const unsigned n_threads = sorter_threads(&b->sorter);
    b->put = lite_prepare(b->db, "INSERT INTO position(id, entries) VALUES(?1, ?2)");
    b->makers = calloc(n_threads, sizeof *b->makers);
    const bool is_good = b->put && (b->makers || lite_fail_memory(b->db)) &&
                         sorter_rows(&b->sorter, b->form.row_bits, n_threads, &use);
    free_makers(b, n_threads);
    sqlite3_finalize(b->put);
    return is_good;
}

static bool write_run(builder *b)
{
    const position_run *run = &b->run;
    buffer sql = {0};
    buffer_printf(&sql, "INSERT INTO run(id, first, last, plies, row_bits) VALUES(%lld, %lld, %lld, %d, %d)",
                  (long long)run->id, (long long)run->first, (long long)run->last, run->plies, run->row_bits);
    return lite_run_text(b->db, &sql);
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

/* Makes the new run cover the first gap before, between or after runs that has games; its first game is 0 if there is
   none. It begins at the end of a run, unless that is far from its games. */
static bool find_gap(builder *b, const position_runs *runs)
{
    b->run.first = 0;
    for (tby_game_id id = 1; next_stored_game(b->db, &id);) {
        if (id == 0 || id > b->last_game)
            return true;
        const size_t i = positions_run_at(runs, id);
        if (i == runs->n || runs->runs[i].first > id) {
            const tby_game_id begin = i ? runs->runs[i - 1].last + 1 : 1;
            b->run.first = id - begin < b->limits->run_games / 2 ? begin : id;
            b->run.last = i < runs->n ? runs->runs[i].first - 1 : b->last_game;
            return true;
        }
        id = runs->runs[i].last + 1;
    }
    return false;
}

/* Does it have the maximum number of positions? Estimated from its rows, up to a factor of two. A run that ended for
   this reason must not be absorbed: the new one would end there too, and nothing would be gained. */
static bool is_full(const builder *b, const position_run *run)
{
    return run->row_bits >= (int)log2_of(b->limits->run_entries / b->limits->row_entries);
}

/* Absorbs small runs that end where the gap begins. The new run then takes as much of a long gap as it has room for. */
static bool widen(builder *b, const position_runs *runs)
{
    const int64_t most = b->limits->run_games;
    for (size_t i = runs->n; i-- > 0;) {
        const position_run *run = &runs->runs[i];
        const int64_t n_run = run->last - run->first + 1, n_gap = b->run.last - b->run.first + 1;
        if (run->last + 1 != b->run.first)
            continue;
        if (n_run >= 2 * n_gap || (n_run > most / 2 && n_run + n_gap > most) || is_full(b, run))
            break;
        if (!delete_run(b->db, run->id))
            return false;
        b->run.first = run->first;
    }
    return true;
}

static bool build_run(builder *b, const position_runs *runs, int plies)
{
    const tby_game_id most = b->limits->run_games;
    if (!widen(b, runs) || !lite_count_on(b->db, "last_run", 1) ||
        !lite_counter(b->db, "last_run", RUN_ID_MAX, &b->run.id))
        return false;
    if (b->run.last - b->run.first >= most)
        b->run.last = b->run.first + most - 1;
    b->run.plies = plies;
    if (!sorter_clear(&b->sorter) || !collect(b))
        return false;
    choose_form(b);
    b->has_common = run_depth(&b->run) == TBY_PLIES_MAX;
    bool is_good = !b->has_common || counts_begin(&b->common, b->db, &b->run);
    is_good = is_good && write_rows(b) && write_run(b);
    if (b->has_common)
        counts_end(&b->common);
    return is_good;
}

/* Removes runs of another depth. */
static bool drop_other_depths(lite *db, int plies)
{
    position_runs runs;
    bool is_good = positions_runs(db, &runs);
    for (size_t i = 0; i < runs.n && is_good; i++)
        is_good = runs.runs[i].plies == plies || delete_run(db, runs.runs[i].id);
    positions_free(&runs);
    return is_good;
}

/* Builds another run, in its own transaction. `*is_done` when everything is covered. */
static bool build_next(builder *b, int plies, bool *is_done)
{
    position_runs runs = {NULL, 0, 0};
    if (!lite_begin(b->db))
        return false;
    bool is_good = drop_other_depths(b->db, plies) && positions_runs(b->db, &runs) &&
                   lite_counter(b->db, "last_game", UINT32_MAX, &b->last_game) && find_gap(b, &runs);
    *is_done = is_good && b->run.first == 0;
    if (is_good && !*is_done)
        is_good = build_run(b, &runs, plies);
    positions_free(&runs);
    return lite_finish(b->db, is_good);
}

/* A run that was stopped is not kept. */
bool index_build(lite *db, int plies, const index_limits *limits, tby_db_progress progress, void *context)
{
    builder b = {.db = db, .limits = limits, .progress = progress, .context = context};
    bool is_done = false, is_good = true;
    index_builder_begin(&b.traits, db);
    sorter_begin(&b.sorter, db, limits->most_held);
    while (is_good && !is_done && !b.is_stopped) {
        is_good = build_next(&b, plies, &is_done);
        if (is_good && progress && !is_done)
            report(&b, 1);
    }
    if (is_done && progress)
        progress(context, 1);
    sorter_end(&b.sorter);
    index_builder_end(&b.traits);
    return is_good || b.is_stopped;
}

static bool build_sql_indexes(lite *db, bool wants_openings)
{
    enum { SORT_THREADS = 4 };
    char threads[40]; /* extra threads for sorting */
    sqlite3_snprintf(sizeof threads, threads, "PRAGMA threads = %u",
                     threads_wanted(db->base.n_threads, SORT_THREADS) - 1);
    const bool is_good = lite_run(db, SQL_LITTLE_MEMORY) && lite_run(db, threads) &&
                         lite_run(db, SCHEMA_NAME_INDEXES) && indexes_make_sql(db) &&
                         (!wants_openings || lite_run(db, SCHEMA_OPENING_INDEX));
    return lite_run(db, SQL_MUCH_MEMORY "; PRAGMA threads = 0") && is_good;
}

bool lite_index(tby_db *base, int plies, tby_db_progress progress, void *context)
{
    lite *db = lite_of(base);
    if (!build_sql_indexes(db, plies != TBY_INDEX_NONE) ||
        !lite_run(db, SCHEMA_COMMON "INSERT OR IGNORE INTO counter VALUES('common', 0)"))
        return false;
    return hashes_build(db) && words_build(db) && indexes_renew(db) &&
           (plies == TBY_INDEX_NONE ||
            index_build(db, plies < TBY_INDEX_ALL ? plies : TBY_INDEX_ALL, &default_index_limits, progress, context)) &&
           indexes_build(db, progress, context);
}
