/*
 * test_db_index.c - the index of positions: its rows return what was stored, and however it is built (in small or large
 * runs, in little memory, with short keys), it gives the answers of a scan.
 */
#include "store/sqlite/index/positions.h"

#include "db_support.h"

#include <stdatomic.h>

/* ---- Rows ----------------------------------------------------------------------------------------------- */

enum { ENTRIES = 600 };

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Random positions of a row, most with one game and some with many; all fit the format. */
static size_t make_entries(position_entry *e, const postings_form *form, size_t n, uint64_t *random)
{
    uint64_t keys[ENTRIES];
    size_t at = 0;
    const uint64_t most_game = form->game_bits ? ((uint64_t)1 << form->game_bits) - 1 : 0;
    for (size_t i = 0; i < n; i++)
        keys[i] = form->row_bits ? random_next(random) >> form->row_bits : random_next(random);
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n && at < ENTRIES; i++) {
        const size_t n_games = random_next(random) % 4 ? 1 : 1 + (size_t)(random_next(random) % 40);
        uint64_t game = random_next(random) % (most_game / 2 + 1);
        for (size_t k = 0; k < n_games && at < ENTRIES && game <= most_game; k++) {
            const tby_move next =
                (tby_move)(random_next(random) % 3 ? random_next(random) & 0xfff : random_next(random));
            e[at++] = (position_entry){keys[i], (uint32_t)game, (uint16_t)(random_next(random) % 17698), next};
            game += 1 + random_next(random) % (most_game / 40 + 1);
        }
    }
    return at;
}

/* Reads the bytes to their end, and compares them with what was written. */
static bool reads_as(const uint8_t *bytes, size_t n_bytes, const postings_form *form, const position_entry *e, size_t n)
{
    tby_postings row = tby_postings_begin(bytes, n_bytes, 1000);
    tby_posting p;
    size_t i = 0;
    while (tby_postings_group(&row)) {
        const size_t end = i < n ? group_end(e, n, i) : i;
        if (i == n || row.part != postings_part(e[i].key, form->row_bits, form->part_bits))
            return false;
        const bool has_ply = group_is_alike(e, n, i, end, form->row_bits, form->part_bits);
        for (bool is_first = true; tby_postings_next(&row, &p); is_first = false, i++)
            if (i == end || p.game != 1000 + (int64_t)e[i].game || p.ply != (is_first && !has_ply ? -1 : e[i].ply) ||
                p.next != (is_first ? TBY_MOVE_NONE : e[i].next))
                return false;
        if (i != end)
            return false;
    }
    return i == n && !row.is_damaged;
}

/* Restricting the postings to a set of games gives the same as filtering all of them. */
static void compare_some(const uint8_t *bytes, size_t n_bytes, uint64_t *random)
{
    uint64_t games[POSTINGS_PAGE_WORDS] = {0}, *pages[] = {games};
    tby_postings all = tby_postings_begin(bytes, n_bytes, 0), some = all;
    for (size_t i = 0; i < 40; i++) /* games with higher numbers are not in the set */
        games[i] = random_next(random) & random_next(random);
    while (tby_postings_group(&all)) {
        tby_posting p, q[3];
        size_t n = 0, i = 0;
        assert_true(tby_postings_group(&some));
        assert_true(tby_postings_next(&all, &p) && tby_postings_next(&some, q));
        while (tby_postings_next(&all, &p))
            if (p.game < 40 * 64 && (games[p.game / 64] >> p.game % 64 & 1)) {
                if (i == n) {
                    n = postings_take_of(&some, pages, 1, q, 1 + *random % 3);
                    i = 0;
                }
                assert_true(i < n && p.game == q[i].game && p.ply == q[i].ply && p.next == q[i].next);
                i++;
            }
        assert_int_equal(i, n);
        assert_int_equal(postings_take_of(&some, pages, 1, q, 1), 0);
    }
    assert_false(tby_postings_group(&some));
    assert_int_equal(some.is_damaged, all.is_damaged);
}

TEST(test_db_index__rows_return_what_was_stored)
{
    static position_entry e[ENTRIES];
    static const postings_form forms[] = {{0, 0, 0},   {0, 56, 32}, {0, 13, 6},   {5, 0, 9},    {8, 56, 20},
                                          {16, 17, 1}, {22, 9, 16}, {22, 42, 32}, {19, 15, 20}, {1, 1, 31}};
    static const size_t sizes[] = {1, 2, 3, 127, 128, 129, 400};
    bit_buffer row = {.bytes = buffer_begin(NULL)};
    uint64_t random = 18;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const size_t n = make_entries(e, &forms[i], sizes[k], &random);
            postings_put(&row, &forms[i], e, n);
            assert_false(row.bytes.has_failed);
            assert_true(reads_as(row.bytes.data, row.bytes.n, &forms[i], e, n));
            compare_some(row.bytes.data, row.bytes.n, &random);
            for (size_t cut = 0; cut < row.bytes.n; cut++) /* truncation never adds entries, and is usually reported */
                assert_false(reads_as(row.bytes.data, cut, &forms[i], e, n));
            buffer_put(&row.bytes, 0);
            assert_false(reads_as(row.bytes.data, row.bytes.n, &forms[i], e, n));
        }
    buffer_free(&row.bytes);
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

enum { SORTED_GAMES = 20000, SORTED_PLIES = 20, SORTED = SORTED_GAMES * SORTED_PLIES };

/* Keys distributed as in real games: the first positions are common, most others occur once, and some repeat within
   their game. */
static uint64_t key_of(unsigned game, unsigned ply)
{
    const uint64_t common = ply < 4 ? game % (1 + 3 * ply) : game * 64ULL + (ply == 19 ? 12 : ply);
    uint64_t key = (common + 1) * 0x9e3779b97f4a7c15ULL + (ply < 4 ? ply : 0);
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
    return key ^ key >> 27;
}

static int compare_entries(const void *a, const void *b)
{
    const position_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->game != y->game ? (x->game < y->game ? -1 : 1) : (int)x->ply - (int)y->ply;
}

/* The expected entries, and how many of them have been seen. */
typedef struct expectation {
    position_entry *entries;
    size_t n, n_seen;
    atomic_int n_inside; /* threads that are taking rows now */
} expectation;

static bool take_expected(void *context, unsigned thread, const sorted_rows *rows)
{
    expectation *x = context;
    (void)thread;
    assert_int_equal(atomic_fetch_add(&x->n_inside, 1), 0);
    assert_true(rows->n > 0 && rows->n <= x->n - x->n_seen);
    if (x->n_seen) /* no row is split */
        assert_true(sorted_row(rows, 0) != sorted_row(&(sorted_rows){x->entries, x->n, rows->row_bits}, x->n_seen - 1));
    assert_memory_equal(rows->entries, x->entries + x->n_seen, rows->n * sizeof *rows->entries);
    x->n_seen += rows->n;
    atomic_fetch_sub(&x->n_inside, 1);
    return true;
}

/* In one thread and in several, in memory and through a file. */
TEST(test_db_index__entries_arrive_sorted_from_any_number_of_threads)
{
    static const struct {
        size_t most_held;
        unsigned row_bits, n_threads;
    } tries[] = {{SIZE_MAX, 0, 1}, {SIZE_MAX, 12, 1}, {SIZE_MAX, 12, 5},
                 {SIZE_MAX, 3, 3}, {70000, 12, 4},    {70000, 2, 2}};
    tby_db *db = db_fresh("sorter");
    position_entry *all = malloc(SORTED * sizeof *all);
    for (unsigned i = 0; i < SORTED; i++)
        all[i] = (position_entry){key_of(i / SORTED_PLIES, i % SORTED_PLIES), i / SORTED_PLIES,
                                  (uint16_t)(i % SORTED_PLIES), 7};
    expectation x = {malloc(SORTED * sizeof *all), 0, 0, 0};
    memcpy(x.entries, all, SORTED * sizeof *all);
    qsort(x.entries, SORTED, sizeof *all, compare_entries);
    for (size_t i = 0; i < SORTED; i++) /* only the first visit of each game */
        if (i == 0 || x.entries[i].key != x.entries[x.n - 1].key || x.entries[i].game != x.entries[x.n - 1].game)
            x.entries[x.n++] = x.entries[i];
    assert_true(x.n < SORTED);
    for (size_t t = 0; t < sizeof tries / sizeof *tries; t++) {
        const sorted_use use = {NULL, take_expected, &x};
        sorter s;
        sorter_begin(&s, (lite *)db, tries[t].most_held);
        for (unsigned i = 0; i < SORTED; i += SORTED_PLIES)
            assert_true(sorter_add(&s, all + i, SORTED_PLIES));
        assert_int_equal(s.n_spilled > 0, tries[t].most_held < SORTED);
        x.n_seen = 0;
        assert_true(sorter_rows(&s, tries[t].row_bits, tries[t].n_threads, &use));
        assert_int_equal(x.n_seen, x.n);
        sorter_end(&s);
    }
    free(x.entries);
    free(all);
    db_finish(db, "sorter");
}

/* ---- Databases ------------------------------------------------------------------------------------------ */

static void build(tby_db *db, int plies, const index_limits *limits)
{
    if (!index_build((lite *)db, plies, limits, NULL, NULL))
        fail_msg("%s", tby_db_failure(db)->text);
}

/* With a query, in several threads. */
static void compare_moves(tby_db *db, const tby_position *pos, const tby_query *query)
{
    static tby_db_moves by_index, by_scan;
    tby_db_search among = {.query = query, .n_threads = 3};
    memset(&by_index, 0, sizeof by_index);
    memset(&by_scan, 0, sizeof by_scan);
    db_must(db, tby_db_explore(&by_index, db, pos, &among));
    among = (tby_db_search){.query = query, .ignores_index = true, .n_threads = 1};
    db_must(db, tby_db_explore(&by_scan, db, pos, &among));
    assert_memory_equal(&by_index, &by_scan, sizeof by_index);
}

static void compare_position(tby_db *db, const tby_position *pos)
{
    tby_query *query = db_query("result 1-0 or elo 2000..");
    compare_moves(db, pos, NULL);
    compare_moves(db, pos, query);
    tby_query_free(query);
}

typedef struct hits {
    tby_db_hit hits[2000];
    size_t n;
} hits;

static bool take_hit(void *context, const tby_db_hit *h)
{
    hits *out = context;
    assert_true(out->n < 2000);
    out->hits[out->n++] = *h;
    return true;
}

static void compare_find(tby_db *db, const tby_position *pos)
{
    static hits by_index, by_scan;
    char fen[TBY_FEN_SIZE], asked[TBY_FEN_SIZE + 40];
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    snprintf(asked, sizeof asked, "fen \"%s\"", fen);
    tby_query *query = db_query(asked);
    tby_db_search search = {.query = query, .n_threads = 1};
    memset(&by_index, 0, sizeof by_index);
    memset(&by_scan, 0, sizeof by_scan);
    db_must(db, tby_db_find(db, &search, take_hit, &by_index));
    search.ignores_index = true;
    db_must(db, tby_db_find(db, &search, take_hit, &by_scan));
    assert_int_equal(by_index.n, by_scan.n);
    for (size_t i = 0; i < by_index.n; i++)
        assert_true(by_index.hits[i].id == by_scan.hits[i].id && by_index.hits[i].ply == by_scan.hits[i].ply);
    tby_query_free(query);
}

/* Positions of the games from 1 to `n`, and some that no game has. */
static void compare_all(tby_db *db, unsigned n)
{
    for (unsigned i = 1; i <= n; i += 23) {
        tby_game *game = db_game(i);
        tby_move moves[256], legal[TBY_MOVES_MAX];
        const size_t n_moves = tby_game_main_line(game, moves, 256);
        tby_position pos = *tby_game_start(game);
        for (size_t k = 0; k <= n_moves; k++) {
            if (k % 6 == i % 6) {
                compare_position(db, &pos);
                compare_find(db, &pos);
            }
            if (k < n_moves)
                tby_position_play(&pos, moves[k], NULL);
        }
        if (tby_moves_list(legal, &pos)) {
            tby_position_play(&pos, legal[0], NULL);
            compare_position(db, &pos);
        }
        tby_game_free(game);
    }
    assert_int_equal(db_verify(db, NULL, NULL), 0);
}

enum { GAMES = 150 };

/* Runs, memory, rows and keys of every size; with short keys nearly all positions of a row look alike. */
static const index_limits some_limits[] = {
    {RUN_GAMES, 1 << 27, SORTER_MEMORY, 128, 7},
    {RUN_GAMES, 1 << 27, 500, 128, 7},
    {RUN_GAMES, 1 << 27, 1, 4, 1},
    {RUN_GAMES, 1 << 27, SORTER_MEMORY, 1, 0},
    {RUN_GAMES, 1 << 27, 700, 1, 60},
    {64, 1 << 27, SORTER_MEMORY, 8, 0},
    {5, 900, SORTER_MEMORY, 128, 7},
    {RUN_GAMES, 1000, 900, 16, 2},
};

TEST(test_db_index__answers_like_a_scan)
{
    for (size_t i = 0; i < sizeof some_limits / sizeof *some_limits; i++) {
        tby_db *db = db_fresh("index");
        tby_game_id ids[GAMES];
        db_add_range(db, 1, GAMES);
        build(db, TBY_INDEX_ALL, &some_limits[i]);
        compare_all(db, GAMES);
        for (int k = 0; k < 40; k++) /* the first games of many groups */
            ids[k] = k % 2 ? 1 + k : GAMES - k;
        assert_int_equal(db_delete(db, ids, 40), 40);
        compare_all(db, GAMES);
        db_add_range(db, GAMES + 1, GAMES + 40);
        build(db, TBY_INDEX_ALL, &some_limits[i]);
        compare_all(db, GAMES + 40);
        db_finish(db, "index");
    }
}

TEST(test_db_index__of_some_plies_answers_like_a_scan)
{
    for (int plies = 0; plies < 20; plies += 9) {
        tby_db *db = db_fresh("plies");
        db_add_range(db, 1, 100);
        build(db, plies, &some_limits[2]);
        compare_all(db, 100);
        db_finish(db, "plies");
    }
}

/* Another connection deletes games and merges runs during a search: all threads of the search see the old state. */
TEST(test_db_index__threads_see_one_state)
{
    static const index_limits small = {16, 1 << 27, SORTER_MEMORY, 128, 7},
                              large = {64, 1 << 27, SORTER_MEMORY, 128, 7};
    static tby_db_moves before, after;
    tby_db *db = db_fresh("state"), *other = db_open(db_path("state"), TBY_DB_WRITE);
    tby_query *query = db_query("result 1-0 or elo 2000..");
    const tby_db_search among = {.query = query, .n_threads = 3};
    const tby_game_id ids[] = {1, 2, 3, 4, 5, 6, 7, 8};
    tby_position start;
    int64_t version;
    tby_position_start(&start);
    db_add_range(db, 1, 60);
    build(db, TBY_INDEX_ALL, &small);
    db_must(db, tby_db_begin_reading(&version, db));
    db_must(db, tby_db_explore(&before, db, &start, &among));
    assert_int_equal(db_delete(other, ids, 8), 8);
    db_add_range(other, 61, 70);
    build(other, TBY_INDEX_ALL, &large);
    db_must(db, tby_db_explore(&after, db, &start, &among));
    assert_memory_equal(&before, &after, sizeof before);
    tby_db_end_reading(db);
    compare_moves(db, &start, query);
    tby_query_free(query);
    tby_db_close(other);
    db_finish(db, "state");
}

/* ---- Runs ----------------------------------------------------------------------------------------------- */

/* Each run is full, or at least twice as long as the next; none overlap. Returns their number. */
static size_t check_runs(tby_db *db, int64_t most)
{
    position_runs runs;
    assert_true(positions_runs((lite *)db, &runs));
    for (size_t i = 0; i + 1 < runs.n; i++) {
        const int64_t n = runs.runs[i].last - runs.runs[i].first + 1;
        const int64_t n_next = runs.runs[i + 1].last - runs.runs[i + 1].first + 1;
        assert_true(n >= 2 * n_next || n > most / 2);
    }
    const size_t n = runs.n;
    positions_free(&runs);
    return n;
}

TEST(test_db_index__runs_merge_by_their_lengths)
{
    static const index_limits limits = {32, 1 << 27, SORTER_MEMORY, 128, 7};
    tby_db *db = db_fresh("merge");
    for (unsigned i = 1; i <= 70; i++) {
        db_add_range(db, i, i);
        build(db, TBY_INDEX_ALL, &limits);
        assert_true(check_runs(db, limits.run_games) <= i / 16 + 6);
    }
    compare_all(db, 70);
    db_add_range(db, 71, 170); /* more than one run: the last games become part of full runs */
    build(db, TBY_INDEX_ALL, &limits);
    assert_true(check_runs(db, limits.run_games) <= 170 / 16 + 1);
    compare_all(db, 170);
    db_finish(db, "merge");
}

/* Runs that end because they hold enough positions are shorter than others and are not merged again. With games of 200
   half-moves, merging once never ended. */
TEST(test_db_index__merging_runs_of_long_games_ends)
{
    static const index_limits limits = {RUN_GAMES, 512, SORTER_MEMORY, 16, 2};
    tby_db *db = db_fresh("long");
    for (unsigned i = 0; i < 3; i++) {
        db_add_range(db, 40 * i + 1, 40 * i + 40);
        build(db, TBY_INDEX_ALL, &limits);
        assert_true(check_runs(db, 2) > i);
    }
    compare_all(db, 120);
    db_finish(db, "long");
}

/* A run ends with the game that fills it, and the next one starts after that game. */
TEST(test_db_index__a_run_ends_where_its_positions_are_full)
{
    enum { FULL = 300, N = 60 };
    static const index_limits limits = {RUN_GAMES, FULL, SORTER_MEMORY, 16, 2};
    position_runs runs;
    tby_db *db = db_fresh("full");
    db_add_range(db, 1, N);
    build(db, TBY_INDEX_ALL, &limits);
    assert_true(positions_runs((lite *)db, &runs));
    assert_true(runs.n > 4);
    tby_game_id next = 1;
    for (size_t i = 0; i < runs.n; i++) {
        int64_t n = 0, n_last = 0;
        char sql[128];
        assert_int_equal(runs.runs[i].first, next);
        next = runs.runs[i].last + 1;
        sqlite3_snprintf(sizeof sql, sql, "SELECT sum(plies + 1) FROM game WHERE id BETWEEN %lld AND %lld",
                         (long long)runs.runs[i].first, (long long)runs.runs[i].last);
        assert_true(lite_number((lite *)db, sql, &n));
        sqlite3_snprintf(sizeof sql, sql, "SELECT plies + 1 FROM game WHERE id = %lld", (long long)runs.runs[i].last);
        assert_true(lite_number((lite *)db, sql, &n_last));
        assert_true(n >= FULL || next == N + 1);
        assert_true(n - n_last < FULL);
    }
    assert_int_equal(next, N + 1);
    positions_free(&runs);
    compare_all(db, N);
    db_finish(db, "full");
}

/* Games deleted before and after indexing, at the ends of runs and in between. */
TEST(test_db_index__runs_with_gaps_merge)
{
    tby_db *db = db_fresh("gaps");
    tby_game_id ids[90];
    db_add_range(db, 1, 90);
    for (int i = 0; i < 90; i++)
        ids[i] = i + 1;
    assert_int_equal(db_delete(db, ids + 20, 30), 30);
    build(db, TBY_INDEX_ALL, &default_index_limits);
    assert_int_equal(check_runs(db, RUN_GAMES), 1);
    assert_int_equal(db_delete(db, ids, 5), 5);
    assert_int_equal(db_delete(db, ids + 80, 10), 10);
    db_add_range(db, 91, 170);
    build(db, TBY_INDEX_ALL, &default_index_limits);
    assert_int_equal(check_runs(db, RUN_GAMES), 1);
    compare_all(db, 170);
    assert_int_equal(db_delete(db, ids + 50, 40), 30); /* ten of these are already deleted */
    compare_all(db, 170);
    db_finish(db, "gaps");
}

static bool stop(void *context, double fraction)
{
    assert_true(fraction >= 0 && fraction <= 1);
    return --*(int *)context > 0;
}

/* Stopped at every progress report: the previous runs still exist, and repeating the work continues it. */
TEST(test_db_index__an_interrupted_merge_continues)
{
    static const index_limits limits = {RUN_GAMES, 1500, 400, 4, 3};
    tby_db *db = db_fresh("stopped");
    db_add_range(db, 1, 50);
    build(db, TBY_INDEX_ALL, &limits);
    db_add_range(db, 51, 120);
    for (int n = 1; n < 9; n++) {
        int left = n;
        assert_true(index_build((lite *)db, TBY_INDEX_ALL, &limits, stop, &left));
        check_runs(db, 2);
        assert_int_equal(db_verify(db, NULL, NULL), 0);
        if (n % 4 == 1)
            compare_all(db, 120);
    }
    int left = 1 << 30;
    assert_true(index_build((lite *)db, TBY_INDEX_ALL, &limits, stop, &left));
    tby_db_summary summary;
    db_must(db, tby_db_summarize(&summary, db));
    assert_int_equal(summary.n_indexed, 120);
    compare_all(db, 120);
    db_finish(db, "stopped");
}

/* ---- Damage --------------------------------------------------------------------------------------------- */

/* Flips each bit of a row in turn: `verify` reports each. */
TEST(test_db_index__verify_finds_every_bit)
{
    static const index_limits limits = {RUN_GAMES, 1 << 27, SORTER_MEMORY, 64, 0};
    tby_db *db = db_fresh("bits");
    sqlite3_blob *blob;
    db_add_range(db, 1, 5);
    build(db, TBY_INDEX_ALL, &limits);
    int64_t row = 0;
    assert_true(lite_number((lite *)db, "SELECT id FROM position ORDER BY length(entries) DESC LIMIT 1", &row));
    assert_int_equal(sqlite3_blob_open(db_sql(db), "main", "position", "entries", row, 1, &blob), SQLITE_OK);
    const int n = sqlite3_blob_bytes(blob);
    sqlite3_blob_close(blob);
    for (int i = 0; i < 8 * n; i++) {
        uint8_t byte;
        for (int k = 0; k < 2; k++) { /* and flips it back */
            assert_int_equal(sqlite3_blob_open(db_sql(db), "main", "position", "entries", row, 1, &blob), SQLITE_OK);
            assert_int_equal(sqlite3_blob_read(blob, &byte, 1, i / 8), SQLITE_OK);
            byte ^= (uint8_t)(1 << i % 8);
            assert_int_equal(sqlite3_blob_write(blob, &byte, 1, i / 8), SQLITE_OK);
            sqlite3_blob_close(blob);
            if (db_verify(db, NULL, NULL) != (k == 0))
                fail_msg("bit %d of %d", i, 8 * n);
        }
    }
    db_finish(db, "bits");
}

int main(void) { return tests_run(NULL, NULL); }
