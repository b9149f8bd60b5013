/*
 * import.c - stores games on a PostgreSQL server: binary COPY, a batch at a time.
 *
 *     batch --> any games with these hashes? compare --> numbers, in the order of the batch --> COPY the others --> ...
 *           --> commit --> indexes
 *
 * Imports are serialized, one transaction each: a lock on the table of shapes, which nobody else writes, ensures that
 * numbers are mostly consecutive and no game is stored twice. Others read, add and delete games meanwhile without
 * waiting; therefore numbers come from the sequence, and indexes and counts are built in ways that let others write.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_SIZE = 1 << 18 };

/* A game of a batch to be stored on a server. */
typedef struct pg_game {
    uint64_t hash;
    size_t index; /* in the batch */
    int64_t id;
    bool is_duplicate;
} pg_game;

typedef struct pg_games {
    const tby_batch *batch;
    pg_game *list; /* in the order of the batch */
    size_t n;
    bool has_no_memory;
} pg_games;

/* ---- Shapes ----------------------------------------------------------------------------------------------------- */

/* The names are few and frequently repeated. 0: not found. */
static size_t shape_find(const server *p, tby_text names)
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

static void shape_note(server *p, tby_text names)
{
    buffer_add(&p->shapes, names.s, names.n);
    buffer_add(&p->shapes, "", 1);
}

static bool shapes_read(server *p)
{
    buffer_free(&p->shapes);
    pg_send(&p->to, "SELECT names FROM tabiya.shape ORDER BY id", NULL);
    while (pg_next(&p->to))
        shape_note(p, pg_text(&p->to, 0));
    return pg_is_good(&p->to) && (!p->shapes.has_failed || db_fail_memory(&p->to.base));
}

static bool shape_store(server *p, tby_text names)
{
    pg_values values = {.n = 0};
    char id[24];
    const size_t at = p->shapes.n;
    shape_note(p, names);
    if (p->shapes.has_failed)
        return db_fail_memory(&p->to.base);
    snprintf(id, sizeof id, "%zu", shape_find(p, names));
    pg_value(&values, id);
    pg_value(&values, p->shapes.s + at);
    const bool is_good = pg_query(&p->to, "INSERT INTO tabiya.shape VALUES ($1::integer, $2::text)", &values, NULL);
    pg_values_free(&values);
    return is_good;
}

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

/* Numbers assigned by hand may be ahead of the sequence. */
static bool catch_up(server *p)
{
    int64_t last, last_given;
    return pg_number_of(&p->to, "SELECT max(id) FROM tabiya.game", 0, &last) &&
           pg_number_of(&p->to, "SELECT last_value FROM tabiya.game_id_seq WHERE is_called", 0, &last_given) &&
           (last <= last_given || pg_run_format(&p->to, "SELECT setval('tabiya.game_id_seq', %" PRId64 ")", last));
}

bool postgres_begin(tby_db *db)
{
    server *p = (server *)db;
    p->to.looks_up = false; /* the progress bar and Ctrl-C belong to the reader */
    /* The planner does not know yet how large the table becomes. */
    p->to.is_writing = pg_run(&p->to, PG_TAKE_TURN "; SET LOCAL enable_seqscan = off") &&
                       (!p->has_citus || citus_begin_import(p)) && shapes_read(p) && catch_up(p);
    return p->to.is_writing || pg_end(&p->to, false);
}

bool postgres_commit(tby_db *db)
{
    server *p = (server *)db;
    p->to.is_writing = false;
    return pg_end(&p->to, true) && (!p->has_citus || citus_note_change(p));
}

void postgres_rollback(tby_db *db)
{
    server *p = (server *)db;
    p->to.is_writing = false;
    pg_roll_back(&p->to);
}

/* ---- Duplicates ------------------------------------------------------------------------------------------------- */

static int compare_indexes(const void *a, const void *b)
{
    const pg_game *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_hashes(const void *a, const void *b)
{
    const pg_game *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : compare_indexes(a, b);
}

/* Marks the games from `first` on with this hash that are the same game. */
static void mark_same(pg_games *g, size_t first, uint64_t hash, const tby_row *row)
{
    for (size_t i = first; i < g->n && g->list[i].hash == hash; i++) {
        const tby_row other = tby_batch_row(g->batch, g->list[i].index);
        if (!g->list[i].is_duplicate && tby_row_same(&g->list[i].is_duplicate, row, &other) != TBY_OK)
            g->has_no_memory = true;
    }
}

/* Of several equal games, the first of the batch is kept. */
static void mark_in_batch(pg_games *g)
{
    for (size_t i = 0; i + 1 < g->n; i++)
        if (g->list[i].hash == g->list[i + 1].hash && !g->list[i].is_duplicate) {
            const tby_row row = tby_batch_row(g->batch, g->list[i].index);
            mark_same(g, i + 1, g->list[i].hash, &row);
        }
}

static void mark_stored(pg_games *g, const connection *p)
{
    const tby_row row = server_visited_row(p, KINDS_ALL);
    size_t low = 0, high = g->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->list[middle].hash < row.hash)
            low = middle + 1;
        else
            high = middle;
    }
    mark_same(g, low, row.hash, &row);
}

/* Marks the games with these hashes, "{1,2,3}", that are already stored. */
static bool mark_found(server *p, pg_games *g, const char *sql, const char *hashes, size_t n)
{
    pg_values values = {.n = 0};
    pg_value_of(&values, hashes, n);
    pg_send(&p->to, sql, &values);
    while (pg_next(&p->to))
        mark_stored(g, &p->to);
    pg_values_free(&values);
    return pg_is_good(&p->to);
}

/* The hashes as a list; on Citus, as a list for each part of the table, or every part would look for all of them. */
static bool list_hashes(server *p, const pg_games *g, buffer *out)
{
    buffer all = {0};
    for (size_t i = 0; i < g->n; i++)
        buffer_printf(&all, "%s%" PRId64, i ? "," : "{", (int64_t)g->list[i].hash);
    buffer_string(&all, "}");
    if (!p->has_citus) {
        *out = all;
        return !out->has_failed || db_fail_memory(&p->to.base);
    }
    const bool is_good = all.has_failed ? db_fail_memory(&p->to.base) : citus_part_hashes(p, all.s, out);
    buffer_free(&all);
    return is_good;
}

/* Marks games that are already stored, and all but the first of equal ones. */
static bool mark_duplicates(server *p, pg_games *g)
{
    buffer lists = {0}, sql = {0};
    qsort(g->list, g->n, sizeof *g->list, compare_hashes);
    mark_in_batch(g);
    server_put_games(&sql, "g.hash = ANY ($1::bigint[])");
    bool is_good = sql.has_failed ? db_fail_memory(&p->to.base) : list_hashes(p, g, &lists);
    for (const char *at = lists.s, *end; is_good && at && (end = strchr(at, '}')); at = end + 1)
        is_good = mark_found(p, g, sql.s, at, (size_t)(end + 1 - at));
    qsort(g->list, g->n, sizeof *g->list, compare_indexes);
    buffer_free(&lists);
    buffer_free(&sql);
    return is_good && (!g->has_no_memory || db_fail_memory(&p->to.base));
}

/* ---- Rows of COPY ----------------------------------------------------------------------------------------------- */

static void put_number(buffer *out, uint64_t number, size_t n_bytes)
{
    char bytes[8];
    for (size_t i = 0; i < n_bytes; i++)
        bytes[i] = (char)(number >> (8 * (n_bytes - 1 - i)));
    buffer_add(out, bytes, n_bytes);
}

/* A field of the row. */
static void put_field(buffer *out, uint64_t number, size_t n_bytes)
{
    put_number(out, n_bytes, 4);
    put_number(out, number, n_bytes);
}

static void put_null(buffer *out) { put_number(out, UINT32_MAX, 4); }

static void put_text(buffer *out, tby_text text)
{
    if (!text.s) {
        put_null(out);
        return;
    }
    put_number(out, text.n, 4);
    buffer_add(out, text.s, text.n);
}

static void put_column(server *p, const row_column *c, const tby_row *row)
{
    char room[TBY_ROW_TEXT_SIZE];
    buffer *out = &p->to.out;
    if (c->kind == COLUMN_SHAPE)
        put_field(out, shape_find(p, row->shape), 4);
    else if (c->kind == COLUMN_HASH)
        put_field(out, row->hash, 8);
    else if (column_is(c, KINDS_WITH_TEXT | KIND(COLUMN_CHOICE)))
        put_text(out, column_tag(c, row, room));
    else if (column_get_number(c, row) || column_is_needed(c))
        put_field(out, (uint64_t)column_get_number(c, row), 4);
    else
        put_null(out);
}

static void put_row(server *p, const tby_row *row, int64_t id)
{
    put_number(&p->to.out, n_row_columns + 1, 2);
    put_field(&p->to.out, (uint64_t)id, 8);
    for (size_t i = 0; i < n_row_columns; i++)
        put_column(p, &row_columns[i], row);
}

static bool copy_begin(server *p)
{
    buffer sql = {0};
    buffer_string(&sql, "COPY tabiya.game (id, ");
    tby_columns_names(buffer_sink, &sql);
    buffer_string(&sql, ") FROM STDIN WITH (FORMAT binary)");
    const bool is_good = sql.has_failed ? db_fail_memory(&p->to.base) : pg_copy_begin(&p->to, sql.s);
    buffer_free(&sql);
    return is_good;
}

/* ---- Adding ----------------------------------------------------------------------------------------------------- */

static bool store_shapes(server *p, const pg_games *g)
{
    for (size_t i = 0; i < g->n; i++) {
        const tby_text names = tby_batch_row(g->batch, g->list[i].index).shape;
        if (!g->list[i].is_duplicate && !shape_find(p, names) && !shape_store(p, names))
            return false;
    }
    return true;
}

/* Counts the games if no trigger does. */
static bool count_games(server *p, const pg_games *g)
{
    buffer ids = {0};
    for (size_t i = 0; i < g->n; i++)
        if (!g->list[i].is_duplicate)
            buffer_printf(&ids, "%s%" PRId64, ids.n ? "," : "{", g->list[i].id);
    const size_t n = ids.n;
    buffer_string(&ids, "}");
    const bool is_good = ids.has_failed
                             ? db_fail_memory(&p->to.base)
                             : n == 0 || (citus_count_games(p, ids.s, false) && contents_count_games(p, ids.s, false));
    buffer_free(&ids);
    return is_good;
}

/* Others may add games, so the sequence numbers them, `n` of the batch. */
static bool number_games(server *p, pg_games *g, uint64_t n)
{
    char sql[96];
    size_t next = 0;
    snprintf(sql, sizeof sql, "SELECT nextval('tabiya.game_id_seq') FROM generate_series(1, %" PRIu64 ")", n);
    pg_send(&p->to, sql, NULL);
    while (pg_next(&p->to)) {
        while (next < g->n && g->list[next].is_duplicate)
            next++;
        if (next < g->n)
            g->list[next++].id = pg_number(&p->to, 0);
    }
    return pg_is_good(&p->to);
}

/* Stores the games that are not marked. */
static bool copy_games(server *p, const pg_games *g)
{
    if (!store_shapes(p, g) || !copy_begin(p))
        return false;
    bool is_good = true;
    for (size_t i = 0; i < g->n && is_good; i++) {
        const tby_row row = tby_batch_row(g->batch, g->list[i].index);
        if (g->list[i].is_duplicate)
            continue;
        put_row(p, &row, g->list[i].id);
        is_good = p->to.out.n <= FLUSH_SIZE || pg_copy_flush(&p->to);
    }
    return pg_copy_end(&p->to, is_good) && (!p->has_citus || count_games(p, g));
}

bool postgres_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    server *p = (server *)db;
    pg_games g = {.batch = batch, .n = tby_batch_n_games(batch)};
    uint64_t n_new = 0;
    if (g.n == 0)
        return true;
    g.list = calloc(g.n, sizeof *g.list);
    if (!g.list)
        return db_fail_memory(db);
    for (size_t i = 0; i < g.n; i++)
        g.list[i] = (pg_game){.hash = tby_batch_row(batch, i).hash, .index = i};
    bool is_good = duplicates == TBY_DUPLICATES_KEEP || mark_duplicates(p, &g);
    for (size_t i = 0; i < g.n; i++)
        n_new += !g.list[i].is_duplicate;
    is_good = is_good && (n_new == 0 || (number_games(p, &g, n_new) && copy_games(p, &g)));
    added->stored += is_good ? n_new : 0;
    added->duplicates += is_good ? g.n - n_new : 0;
    free(g.list);
    return is_good;
}

/* ---- Indexes ---------------------------------------------------------------------------------------------------- */

/* Sent one by one, because Citus refuses several statements in one text that change a distributed table. */
static bool swap_positions(server *p)
{
    return pg_run(&p->to, "BEGIN") &&
           pg_end(&p->to, pg_run(&p->to, "ALTER INDEX tabiya.game_positions RENAME TO game_positions_old") &&
                              pg_run(&p->to, "ALTER INDEX tabiya.game_positions_new RENAME TO game_positions"));
}

/* A deeper index is built besides the existing one, which readers and writers continue to use; an unfinished one is
   dropped. */
static bool deepen_positions(server *p, const char *create)
{
    return pg_run(&p->to, "DROP INDEX CONCURRENTLY IF EXISTS tabiya.game_positions_new") &&
           pg_run(&p->to, "DROP INDEX CONCURRENTLY IF EXISTS tabiya.game_positions_old") && pg_run(&p->to, create) &&
           swap_positions(p) && pg_run(&p->to, "DROP INDEX CONCURRENTLY tabiya.game_positions_old");
}

/* A search without a limit needs an index without a limit: one with a limit is incomplete, however deep it is. */
bool server_index_depth(server *p, int64_t *out)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT coalesce((SELECT least(option_value::integer, %d) FROM pg_options_to_table(attoptions)"
             " WHERE option_name = 'max_ply'), %d) FROM pg_attribute"
             " WHERE attrelid = to_regclass('tabiya.game_positions') AND attnum = 1",
             TBY_INDEX_ALL - 1, TBY_INDEX_ALL);
    return pg_number_of(&p->to, sql, -1, out);
}

/* A position index that is deep enough is kept. The first one is built by the extension. Statements for a second connection are added to `beside`. */
static bool index_positions(server *p, int plies, buffer *beside)
{
    int64_t depth;
    char sql[384], limit[32] = "";
    if (plies == TBY_INDEX_NONE)
        return true;
    if (!server_index_depth(p, &depth))
        return false;
    if (depth >= plies)
        return true;
    const bool is_first = depth < 0;
    if (plies < TBY_INDEX_ALL)
        snprintf(limit, sizeof limit, " (max_ply = %d)", plies);
    snprintf(sql, sizeof sql, "CREATE INDEX %s ON tabiya.game USING gin (moves %schessgame_gin_ops%s)",
             is_first ? "game_positions" : "CONCURRENTLY game_positions_new", p->ext, limit);
    if (!is_first)
        return deepen_positions(p, sql);
    if (p->has_citus)
        return citus_index_positions(p, limit);
    buffer_printf(beside, "SELECT %sbuildIndex(", p->ext);
    pg_put_literal(beside, sql);
    buffer_string(beside, "::text);");
    return true;
}

/* Creates only what is missing: even CREATE INDEX IF NOT EXISTS waits for all writers, and all later ones wait for it.
   */
static bool make(server *p, const char *name, const char *sql)
{
    bool is_there;
    return server_has(p, name, &is_there) && (is_there || pg_run(&p->to, sql));
}

static bool vacuum_counts(server *p)
{
    return p->has_citus ? citus_analyze(p, "tabiya.game_played") && citus_analyze(p, "tabiya.game_totals") &&
                              pg_run(&p->to, "VACUUM ANALYZE tabiya.game_tracked")
                        : pg_run(&p->to, "VACUUM ANALYZE tabiya.game_played, tabiya.game_tracked, tabiya.game_totals");
}

/* Rows added by triggers are not in the totals: many of them make a position slow to explore. */
static bool fold_counts(server *p)
{
    enum { WORTH_FOLDING = 10000 };
    int64_t n;
    if (!pg_number_of(&p->to, "SELECT count(*) FROM tabiya.game_played WHERE NOT is_folded", 0, &n))
        return false;
    return n < WORTH_FOLDING ||
           ((p->has_citus ? citus_fold(p) : pg_run(&p->to, "SELECT tabiya.game_played_fold()")) && vacuum_counts(p));
}

/* Creates the tables with the counts of moves, for positions that many games reach, if there are enough games. */
static bool make_counts(server *p, int64_t *n_games)
{
    enum { WORTH_COUNTING = 10000 };
    char sql[384];
    snprintf(sql, sizeof sql, "SELECT %screateMoveStats(" PG_COUNTED ")", p->ext);
    if (!pg_number_of(&p->to, "SELECT count(*) FROM tabiya.game", 0, n_games))
        return false;
    *n_games = *n_games < WORTH_COUNTING || !p->is_current ? 0 : *n_games;
    return *n_games == 0 || make(p, "game_totals", sql);
}

/* Recounts when the number of games has grown by half; in between, triggers maintain the counts. Uses two transactions,
   so that others can write while the games are counted. */
static bool keep_counts(server *p, int64_t n_games)
{
    int64_t n_counted;
    if (n_games == 0)
        return true;
    if (!pg_number_of(&p->to, "SELECT n_games FROM tabiya.game_tracked WHERE position = 0", 0, &n_counted))
        return false;
    if (n_games < n_counted + n_counted / 2)
        return fold_counts(p);
    return pg_run(&p->to, "SET work_mem = '256MB'") &&
           (p->has_citus ? citus_recount(p)
                         : pg_run(&p->to, "SELECT tabiya.game_played_choose(1000::integer)") &&
                               pg_run(&p->to, "SELECT tabiya.game_played_count()")) &&
           pg_run(&p->to, "RESET work_mem") && vacuum_counts(p);
}

static bool index_words(server *p, buffer *beside)
{
    bool is_there;
    if (!server_has(p, "game_words", &is_there))
        return false;
    if (!is_there)
        buffer_printf(beside,
                      "CREATE INDEX game_words ON tabiya.game USING gin (" PG_WORDS ", " PG_WORDS ", " PG_WORDS
                      ", " PG_WORDS ");",
                      p->ext, "", "white", p->ext, "", "black", p->ext, "", "event", p->ext, "", "site");
    return true;
}

static bool index_columns(server *p)
{
    return make(p, "game_white", "CREATE INDEX game_white ON tabiya.game (lower(white))") &&
           make(p, "game_black", "CREATE INDEX game_black ON tabiya.game (lower(black))") &&
           make(p, "game_several_years",
                "CREATE INDEX game_several_years ON tabiya.game (id) WHERE " PG_IN_SEVERAL_YEARS) &&
           make(p, "game_moves", "CREATE INDEX game_moves ON tabiya.game (moves)");
}

/* The same for the second connection, which has time left while the first one counts; Citus has none. */
static bool make_beside(server *p, buffer *beside, const char *name, const char *sql)
{
    bool is_there;
    if (p->has_citus)
        return make(p, name, sql);
    if (!server_has(p, name, &is_there))
        return false;
    if (!is_there)
        buffer_printf(beside, "%s;", sql);
    return true;
}

/* The orders of an opening explorer, for positions whose moves are counted: the games of the best players, and the
   latest; those of a pool; and the games without a result, which it leaves out. The expressions are those of
   order_write_sql. */
static bool index_lists(server *p, buffer *beside)
{
    char pool[320];
    snprintf(pool, sizeof pool, "CREATE INDEX game_pool ON tabiya.game ((" PG_POOL "))", p->ext, "", "", "", "");
    return make_beside(p, beside, "game_best",
                       "CREATE INDEX game_best ON tabiya.game ((white_elo + black_elo) DESC NULLS LAST, id DESC)") &&
           make_beside(p, beside, "game_latest",
                       "CREATE INDEX game_latest ON tabiya.game (date DESC NULLS LAST, id DESC)") &&
           make_beside(p, beside, "game_pool", pool) &&
           make_beside(p, beside, "game_unfinished",
                       "CREATE INDEX game_unfinished ON tabiya.game (id) WHERE result = '*'");
}

/* What the second connection does not do. */
static bool index_and_count(server *p, int64_t n_games) { return index_columns(p) && keep_counts(p, n_games); }

#define MUCH_MEMORY "SET maintenance_work_mem = '256MB'"

/* Builds the larger indexes on a second connection, while the others are built and the games counted on the first.
   Neither waits for the other: both only block writers. */
static bool build_both(server *p, server *beside, const char *statements, int64_t n_games)
{
    tby_db_set_watch(&beside->to.base, p->to.base.watch, p->to.base.watch_context);
    bool is_good = pg_run(&beside->to, MUCH_MEMORY) && pg_send_several(&beside->to, statements);
    if (is_good && !index_and_count(p, n_games)) {
        pg_stop(&beside->to, true);
        return false;
    }
    is_good = is_good && pg_count(&beside->to, NULL);
    if (!is_good)
        p->to.base.failure = beside->to.base.failure;
    return is_good;
}

/* Runs one after the other if there is nothing to build in parallel, or no second connection. */
static bool build(server *p, const buffer *statements, int64_t n_games)
{
    tby_failure failure;
    if (statements->has_failed)
        return db_fail_memory(&p->to.base);
    server *beside = statements->n && n_games && !p->has_citus ? server_connect(p->url, p->mode, &failure) : NULL;
    if (!beside)
        return (!statements->n || pg_run(&p->to, statements->s)) && index_and_count(p, n_games);
    const bool is_good = build_both(p, beside, statements->s, n_games);
    server_close(beside);
    return is_good;
}

bool postgres_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    server *p = (server *)db;
    buffer beside = {0};
    int64_t n_games = 0;
    (void)progress;
    (void)context;
    p->to.looks_up = true;
    const bool is_good =
        pg_run(&p->to, MUCH_MEMORY) && index_words(p, &beside) && index_positions(p, plies, &beside) &&
        (plies == TBY_INDEX_NONE || make_counts(p, &n_games)) &&
        (n_games == 0 || (index_lists(p, &beside) && contents_make(p) && contents_keep(p, &beside))) &&
        build(p, &beside, n_games) &&
        (p->has_citus ? citus_analyze(p, "tabiya.game") : pg_run(&p->to, "VACUUM ANALYZE tabiya.game"));
    buffer_free(&beside);
    return is_good;
}
