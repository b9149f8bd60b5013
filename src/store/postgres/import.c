/*
 * import.c - stores games on a PostgreSQL server: COPY in its binary form, a batch at a time.
 *
 *     batch --> are there games of these hashes? compare --> COPY the others --> ... --> commit --> indexes
 *
 * While a transaction is open nobody else adds games, so numbers follow each other; reading goes on.
 */
#include "store/postgres/pg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_SIZE = 1 << 18 };

/* ---- Shapes ----------------------------------------------------------------------------------------------------- */

/* The names are few, and the same over and over. 0: not there. */
static size_t shape_find(const pg *p, tby_text names)
{
    size_t id = 1;
    for (size_t at = 0; at < p->shapes.n; id++) {
        const size_t n = strlen(p->shapes.s + at);
        if (n == names.n && memcmp(p->shapes.s + at, names.s, n) == 0)
            return id;
        at += n + 1;
    }
    return 0;
}

static void shape_note(pg *p, tby_text names)
{
    tby_text_add(&p->shapes, names.s, names.n);
    tby_text_add(&p->shapes, "", 1);
}

static bool take_shape(void *context, pg *p)
{
    (void)context;
    shape_note(p, pg_text(p, 0));
    return true;
}

static bool shapes_read(pg *p)
{
    tby_text_free(&p->shapes);
    return pg_query(p, "SELECT names FROM tabiya.shape ORDER BY id", NULL, take_shape, NULL) &&
           (!p->shapes.has_failed || tby_db_fail_memory(&p->base));
}

static bool shape_store(pg *p, tby_text names)
{
    pg_values values = {.n = 0};
    const size_t at = p->shapes.n;
    shape_note(p, names);
    if (p->shapes.has_failed)
        return tby_db_fail_memory(&p->base);
    pg_value(&values, p->shapes.s + at);
    const bool is_good = pg_query(p, "INSERT INTO tabiya.shape SELECT coalesce(max(id), 0) + 1, $1 FROM tabiya.shape",
                                  &values, NULL, NULL);
    pg_values_free(&values);
    return is_good;
}

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

bool tby_pg_begin(tby_db *db)
{
    pg *p = (pg *)db;
    p->looks_up = false; /* the bar is that of the reading, and Ctrl-C ends that */
    /* The planner does not know yet how large the table grows. */
    p->is_writing =
        pg_run(p, "BEGIN; LOCK TABLE tabiya.game IN SHARE ROW EXCLUSIVE MODE; SET LOCAL enable_seqscan = off") &&
        shapes_read(p) &&
        pg_number_of(p,
                     "SELECT greatest((SELECT max(id) FROM tabiya.game),"
                     " (SELECT last_value FROM tabiya.game_id_seq WHERE is_called))",
                     0, &p->last_id);
    return p->is_writing || pg_end(p, false);
}

void tby_pg_rollback(tby_db *db)
{
    pg *p = (pg *)db;
    p->is_writing = false;
    pg_roll_back(p);
}

bool tby_pg_commit(tby_db *db)
{
    pg *p = (pg *)db;
    char sql[96];
    p->is_writing = false;
    snprintf(sql, sizeof sql, "SELECT setval('tabiya.game_id_seq', %" PRId64 "); COMMIT", p->last_id);
    return pg_run(p, p->last_id > 0 ? sql : "COMMIT") || pg_end(p, false);
}

/* ---- Duplicates ------------------------------------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
    const pg_game *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_indexes(const void *a, const void *b)
{
    const pg_game *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Marks those from `first` on that have its hash and are the same game. */
static void mark_same(pg_games *g, size_t first, uint64_t hash, const tby_row *row)
{
    for (size_t i = first; i < g->n && g->list[i].hash == hash; i++) {
        const tby_row other = tby_batch_row(g->batch, g->list[i].index);
        if (!g->list[i].is_duplicate && tby_row_same(row, &other, &g->list[i].is_duplicate) != TBY_OK)
            g->has_no_memory = true;
    }
}

/* Of two that are the same, the first of the batch stays. */
static void mark_in_batch(pg_games *g)
{
    for (size_t i = 0; i + 1 < g->n; i++)
        if (g->list[i].hash == g->list[i + 1].hash && !g->list[i].is_duplicate) {
            const tby_row row = tby_batch_row(g->batch, g->list[i].index);
            mark_same(g, i + 1, g->list[i].hash, &row);
        }
}

static bool mark_stored(void *context, pg *p)
{
    pg_games *g = context;
    const tby_row row = pg_row(p, TBY_WANTED_GAMES);
    size_t low = 0, high = g->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->list[middle].hash < row.hash)
            low = middle + 1;
        else
            high = middle;
    }
    mark_same(g, low, row.hash, &row);
    return true;
}

bool pg_mark_duplicates(pg *p, pg_games *g)
{
    text_buffer hashes = {0}, sql = {0};
    pg_values values = {.n = 0};
    qsort(g->list, g->n, sizeof *g->list, compare_hashes);
    mark_in_batch(g);
    for (size_t i = 0; i < g->n; i++)
        tby_text_printf(&hashes, "%s%" PRId64, i ? "," : "{", (int64_t)g->list[i].hash);
    tby_text_string(&hashes, "}");
    pg_value(&values, hashes.has_failed ? "" : hashes.s);
    tby_text_string(&sql, "SELECT g.id, -1");
    pg_put_columns(&sql, p, TBY_WANTED_GAMES);
    tby_text_string(&sql, " FROM tabiya.game g WHERE g.hash = ANY ($1::bigint[])");
    const bool is_good = pg_query(p, hashes.has_failed || sql.has_failed ? NULL : sql.s, &values, mark_stored, g);
    qsort(g->list, g->n, sizeof *g->list, compare_indexes);
    pg_values_free(&values);
    tby_text_free(&hashes);
    tby_text_free(&sql);
    return is_good && (!g->has_no_memory || tby_db_fail_memory(&p->base));
}

/* ---- Rows of COPY ----------------------------------------------------------------------------------------------- */

static void put_number(text_buffer *out, uint64_t number, size_t n_bytes)
{
    char bytes[8];
    for (size_t i = 0; i < n_bytes; i++)
        bytes[i] = (char)(number >> (8 * (n_bytes - 1 - i)));
    tby_text_add(out, bytes, n_bytes);
}

static void put_long(text_buffer *out, uint64_t number)
{
    put_number(out, 8, 4);
    put_number(out, number, 8);
}

static void put_integer(text_buffer *out, uint32_t number)
{
    put_number(out, 4, 4);
    put_number(out, number, 4);
}

static void put_null(text_buffer *out) { put_number(out, UINT32_MAX, 4); }

static void put_text(text_buffer *out, tby_text text)
{
    if (!text.s) {
        put_null(out);
        return;
    }
    put_number(out, text.n, 4);
    tby_text_add(out, text.s, text.n);
}

static void put_column(pg *p, const row_column *c, const tby_row *row)
{
    char room[TBY_ROW_TEXT_SIZE];
    text_buffer *out = &p->out;
    if (c->kind == COLUMN_SHAPE)
        put_integer(out, (uint32_t)shape_find(p, row->shape));
    else if (c->kind == COLUMN_HASH)
        put_long(out, row->hash);
    else if (column_is(c, KINDS_WITH_TEXT | KIND(COLUMN_CHOICE)))
        put_text(out, tby_column_tag(c, row, room));
    else if (tby_column_number(c, row) || column_is_needed(c))
        put_integer(out, (uint32_t)tby_column_number(c, row));
    else
        put_null(out);
}

static void put_row(pg *p, const tby_row *row, int64_t id)
{
    put_number(&p->out, tby_n_columns + 1, 2);
    put_long(&p->out, (uint64_t)id);
    for (size_t i = 0; i < tby_n_columns; i++)
        put_column(p, &tby_columns[i], row);
}

static bool copy_begin(pg *p)
{
    text_buffer sql = {0};
    tby_text_string(&sql, "COPY tabiya.game (id, ");
    tby_columns_names(tby_text_sink, &sql);
    tby_text_string(&sql, ") FROM STDIN WITH (FORMAT binary)");
    const bool is_good = sql.has_failed ? tby_db_fail_memory(&p->base) : pg_copy_begin(p, sql.s);
    tby_text_free(&sql);
    return is_good;
}

/* ---- Adding ----------------------------------------------------------------------------------------------------- */

static bool store_shapes(pg *p, const pg_games *g)
{
    for (size_t i = 0; i < g->n; i++) {
        const tby_text names = tby_batch_row(g->batch, g->list[i].index).shape;
        if (!g->list[i].is_duplicate && !shape_find(p, names) && !shape_store(p, names))
            return false;
    }
    return true;
}

bool pg_copy_games(pg *p, const pg_games *g)
{
    if (!store_shapes(p, g) || !copy_begin(p))
        return false;
    bool is_good = true;
    for (size_t i = 0; i < g->n && is_good; i++) {
        const tby_row row = tby_batch_row(g->batch, g->list[i].index);
        if (g->list[i].is_duplicate)
            continue;
        put_row(p, &row, g->list[i].id);
        is_good = p->out.n <= FLUSH_SIZE || pg_copy_flush(p);
    }
    return pg_copy_end(p, is_good);
}

bool tby_pg_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    pg *p = (pg *)db;
    pg_games g = {.batch = batch, .n = tby_batch_n_games(batch)};
    tby_db_added here = {0};
    if (g.n == 0)
        return true;
    g.list = calloc(g.n, sizeof *g.list);
    if (!g.list)
        return tby_db_fail_memory(db);
    for (size_t i = 0; i < g.n; i++)
        g.list[i] = (pg_game){.hash = tby_batch_row(batch, i).hash, .index = i};
    bool is_good = duplicates == TBY_DUPLICATES_KEEP || pg_mark_duplicates(p, &g);
    for (size_t i = 0; i < g.n && is_good; i++) {
        here.duplicates += g.list[i].is_duplicate;
        here.stored += !g.list[i].is_duplicate;
        g.list[i].id = g.list[i].is_duplicate ? 0 : ++p->last_id;
    }
    is_good = is_good && pg_copy_games(p, &g);
    added->duplicates += is_good ? here.duplicates : 0;
    added->stored += is_good ? here.stored : 0;
    free(g.list);
    return is_good;
}

/* ---- Indexes ---------------------------------------------------------------------------------------------------- */

/* A deeper index is built beside the one that is there, which readers and writers go on using; one that was left
   unfinished goes. */
static bool deepen_positions(pg *p, const char *create)
{
    return pg_run(p, "DROP INDEX CONCURRENTLY IF EXISTS tabiya.game_positions_new") &&
           pg_run(p, "DROP INDEX CONCURRENTLY IF EXISTS tabiya.game_positions_old") && pg_run(p, create) &&
           pg_run(p, "BEGIN; ALTER INDEX tabiya.game_positions RENAME TO game_positions_old;"
                     "ALTER INDEX tabiya.game_positions_new RENAME TO game_positions; COMMIT") &&
           pg_run(p, "DROP INDEX CONCURRENTLY tabiya.game_positions_old");
}

/* Only an index without a limit serves a search without one: one with a limit is not whole, however far it goes. */
bool pg_index_depth(pg *p, int64_t *out)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT coalesce((SELECT least(option_value::integer, %d) FROM pg_options_to_table(attoptions)"
             " WHERE option_name = 'max_ply'), %d) FROM pg_attribute"
             " WHERE attrelid = to_regclass('tabiya.game_positions') AND attnum = 1",
             TBY_INDEX_ALL - 1, TBY_INDEX_ALL);
    return pg_number_of(p, sql, -1, out);
}

/* An index of positions that goes deep enough stays. */
static bool index_positions(pg *p, int plies)
{
    int64_t depth;
    char sql[256], limit[32] = "";
    if (plies == TBY_INDEX_NONE)
        return true;
    if (!pg_index_depth(p, &depth))
        return false;
    if (depth >= plies)
        return true;
    const bool is_first = depth < 0;
    if (plies < TBY_INDEX_ALL)
        snprintf(limit, sizeof limit, " (max_ply = %d)", plies);
    snprintf(sql, sizeof sql, "CREATE INDEX %s ON tabiya.game USING gin (moves chessgame_gin_ops%s)",
             is_first ? "game_positions" : "CONCURRENTLY game_positions_new", limit);
    return is_first ? pg_run(p, sql) : deepen_positions(p, sql);
}

#define VACUUM_COUNTS "VACUUM ANALYZE tabiya.game_played, tabiya.game_tracked, tabiya.game_totals"

/* Rows that triggers have added are not in the totals: many of them make a position slow to explore. */
static bool fold_counts(pg *p)
{
    enum { WORTH_FOLDING = 10000 };
    int64_t n;
    if (!pg_number_of(p, "SELECT count(*) FROM tabiya.game_played WHERE NOT is_folded", 0, &n))
        return false;
    return n < WORTH_FOLDING || (pg_run(p, "SELECT tabiya.game_played_fold()") && pg_run(p, VACUUM_COUNTS));
}

/* Counts of what is played, for positions that many games reach. They are made anew when there are half as many games
   again; in between, triggers keep them. */
static bool keep_counts(pg *p)
{
    enum { WORTH_COUNTING = 10000 };
    int64_t n, n_counted;
    if (!pg_number_of(p, "SELECT count(*) FROM tabiya.game", 0, &n))
        return false;
    if (n < WORTH_COUNTING)
        return true;
    if (!pg_run(p, "DO $$ BEGIN IF to_regclass('tabiya.game_totals') IS NULL THEN PERFORM"
                   " createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date'); END IF; END $$") ||
        !pg_number_of(p, "SELECT n_games FROM tabiya.game_tracked WHERE position = 0", 0, &n_counted))
        return false;
    if (n < n_counted + n_counted / 2)
        return fold_counts(p);
    return pg_run(p, "SET work_mem = '256MB'; SELECT tabiya.game_played_refresh(); RESET work_mem") &&
           pg_run(p, VACUUM_COUNTS);
}

#define ODD_DATE "tags::text ~ '\"(UTC)?Date\":\"[0-9]'"

/* An extension that was made before there was such a function is left alone. */
static bool index_words(pg *p)
{
    int64_t has_function = 0;
    if (!pg_number_of(p, "SELECT (to_regproc('namewords') IS NOT NULL)::integer", 0, &has_function))
        return false;
    return !has_function || pg_run(p, "CREATE INDEX IF NOT EXISTS game_words ON tabiya.game USING gin"
                                      " (nameWords(white), nameWords(black), nameWords(event), nameWords(site))");
}

/* ANALYZE looks at as many games of a small table as of a large one: 300 for each unit of its target. Shards share what
   one database would look at. */
static bool analyze(pg *p)
{
    enum { LEAST = 25 };
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT set_config('default_statistics_target', greatest(current_setting('default_statistics_target')"
             "::integer / %zu, least(current_setting('default_statistics_target')::integer, %d))::text, false)",
             p->n_siblings ? p->n_siblings : 1, LEAST);
    return pg_run(p, sql) && pg_run(p, "VACUUM ANALYZE tabiya.game") && pg_run(p, "RESET default_statistics_target");
}

bool tby_pg_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    pg *p = (pg *)db;
    (void)progress;
    (void)context;
    p->looks_up = true;
    return pg_run(p, "SET maintenance_work_mem = '256MB';"
                     "CREATE INDEX IF NOT EXISTS game_white ON tabiya.game (lower(white));"
                     "CREATE INDEX IF NOT EXISTS game_black ON tabiya.game (lower(black));"
                     "CREATE INDEX IF NOT EXISTS game_odd_dates ON tabiya.game (id)"
                     " WHERE date IS NULL AND " ODD_DATE ";"
                     "CREATE OR REPLACE VIEW tabiya.odd_dates AS SELECT id FROM tabiya.game"
                     " WHERE date IS NULL AND " ODD_DATE ";"
                     "COMMENT ON VIEW tabiya.odd_dates IS 'games with a date like 19??, which only their tags tell';"
                     "CREATE INDEX IF NOT EXISTS game_moves ON tabiya.game (moves)") &&
           index_words(p) && index_positions(p, plies) && analyze(p) && (plies == TBY_INDEX_NONE || keep_counts(p));
}
