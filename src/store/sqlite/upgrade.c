/*
 * upgrade.c - upgrades a database of an earlier schema in one transaction.
 *
 * Missing columns are added and filled from the games themselves. Dates are computed again if another rule was used for
 * them: the columns of days, the records and the counts that have them. A position index in the former format is
 * dropped. The next import creates it again; until then searches work without it. Indexes that have become the default
 * since are added, and filled by the import that upgrades.
 */
#include "row/row.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/schema.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Columns -------------------------------------------------------------------------------------------- */

/* The columns missing in the table of games, one bit each. */
static bool find_missing(lite *db, uint32_t *out)
{
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT name FROM pragma_table_info('game')"));
    *out = (1u << n_row_columns) - 1;
    while (lite_next(&r)) {
        const char *name = (const char *)sqlite3_column_text(r.s, 0);
        const row_column *column = name ? column_named(name) : NULL;
        if (column)
            *out &= ~(1u << (column - row_columns));
    }
    return lite_end(&r);
}

static bool add_columns(lite *db, uint32_t missing)
{
    buffer sql = {0};
    for (size_t i = 0; i < n_row_columns; i++)
        if (missing >> i & 1) {
            buffer_string(&sql, "ALTER TABLE game ADD COLUMN ");
            column_define(buffer_sink, &sql, TBY_SQL_SQLITE, &row_columns[i]);
            buffer_string(&sql, ";");
        }
    buffer_string(&sql, "DROP VIEW IF EXISTS games;");
    schema_view(&sql);
    return lite_run_text(db, &sql);
}

/* The columns that depend on the rule for dates: `tags` has a Date that its column does not reproduce. */
static uint32_t columns_of_dates(void)
{
    static const char *const names[] = {"date", "first_day", "last_day", "tags"};
    uint32_t out = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        out |= 1u << (column_named(names[i]) - row_columns);
    return out;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

typedef struct filler {
    lite *db;
    uint32_t columns; /* to fill, one bit each */
    sqlite3_stmt *fill;
    tby_game *game;
    tby_batch *batch;
    block facts;
    tby_game_id *changed; /* games with a new record */
    size_t n_changed, cap_changed;
    tby_game_id last_id;
} filler;

static sqlite3_stmt *prepare_fill(lite *db, uint32_t columns)
{
    buffer sql = {0};
    const char *between = "UPDATE game SET ";
    for (size_t i = 0; i < n_row_columns; i++)
        if (columns >> i & 1) {
            buffer_printf(&sql, "%s%s = ?%zu", between, row_columns[i].name, i + 2);
            between = ", ";
        }
    buffer_string(&sql, " WHERE id = ?1");
    return lite_prepare_text(db, &sql);
}

/* Files without `first_day` have to fill it for all games; later only dates of another form can have changed. These are
   in the JSON object, or come from UTCDate. */
static sqlite3_stmt *prepare_next(lite *db, bool has_days)
{
    return lite_prepare(db, has_days ? "SELECT id FROM game WHERE id > ?1 AND (tags GLOB '*\"Date\":*' OR (tags GLOB"
                                       " '*\"UTCDate\":*' AND (date IS NULL OR shape NOT IN (SELECT id FROM shape"
                                       " WHERE ' ' || names || ' ' GLOB '* Date *')))) ORDER BY id LIMIT 1"
                                     : "SELECT id FROM game WHERE id > ?1 ORDER BY id LIMIT 1");
}

static bool update_row(filler *f, tby_game_id id)
{
    sqlite3_clear_bindings(f->fill);
    sqlite3_bind_int64(f->fill, 1, id);
    for (size_t i = 0; i < n_row_columns; i++)
        if (f->columns >> i & 1 && !intake_bind(f->fill, (int)i + 2, f->db, &row_columns[i], f->batch->rows))
            return false;
    return lite_do(f->db, f->fill);
}

static bool update_record(filler *f, tby_game_id id)
{
    uint8_t record[FACT_SIZE], *stored = game_id_is_sound(id) ? block_record(&f->facts, f->db, id) : NULL;
    if (!stored)
        return !game_id_is_sound(id);
    fact_write(record, f->batch->rows);
    if (memcmp(record, stored, FACT_SIZE) == 0)
        return true;
    if (!array_reserve(&f->changed, &f->cap_changed, f->n_changed + 1, sizeof *f->changed, NULL))
        return lite_fail_memory(f->db);
    memcpy(stored, record, FACT_SIZE);
    f->changed[f->n_changed++] = id;
    return true;
}

/* A damaged game is not changed; `verify` reports it. */
static bool fill_game(filler *f, tby_game_id id)
{
    tby_row row;
    tby_batch_clear(f->batch);
    if (!lite_row(&f->db->base, id, &row) || !db_game_of_row(&f->db->base, id, &row, f->game))
        return f->db->base.failure.status == TBY_INVALID_DATABASE;
    const tby_status status = tby_batch_add(f->batch, f->game);
    if (status != TBY_OK)
        return status != TBY_NO_MEMORY || lite_fail_memory(f->db);
    return update_row(f, id) && update_record(f, id);
}

/* Reports progress every 256 games; false if the upgrade is stopped. */
static bool goes_on(lite *db, uint64_t n_games, tby_game_id id, tby_game_id last_id)
{
    enum { BETWEEN_REPORTS = 256 };
    const db_report *report = &db->upgrading;
    return n_games % BETWEEN_REPORTS != 0 || !report->progress || last_id < 1 ||
           report->progress(report->context, (double)id / (double)last_id) ||
           lite_fail(db, TBY_INTERRUPTED, "interrupted");
}

static bool fill_games(filler *f, bool has_days)
{
    uint64_t n_games = 0;
    lite_rows next = lite_rows_of(f->db, prepare_next(f->db, has_days));
    lite_bind(&next, 1, 0);
    while (lite_next(&next)) {
        const tby_game_id id = sqlite3_column_int64(next.s, 0);
        sqlite3_reset(next.s);
        lite_bind(&next, 1, id);
        next.failed = !fill_game(f, id) || !goes_on(f->db, n_games++, id, f->last_id);
    }
    return lite_end(&next);
}

/* Changed records must be stored before they are counted. */
static bool recount(filler *f)
{
    bool is_kept;
    return counts_are_kept(f->db, &is_kept) && (!is_kept || counts_touch(f->db, f->changed, f->n_changed)) &&
           block_write(&f->facts, f->db) && (!is_kept || counts_refresh(f->db));
}

static bool update_games(lite *db, uint32_t missing, bool has_index)
{
    filler f = {
        .db = db, .columns = missing | columns_of_dates(), .game = tby_game_new(NULL), .batch = tby_batch_new()};
    f.facts = facts_begin();
    f.fill = prepare_fill(db, f.columns);
    const bool is_good = f.fill && (f.game && f.batch ? intake_begin(db) : lite_fail_memory(db)) &&
                         lite_last_id(db, &f.last_id) && fill_games(&f, !missing) &&
                         (has_index ? recount(&f) : block_write(&f.facts, db));
    sqlite3_finalize(f.fill);
    tby_batch_free(f.batch);
    tby_game_free(f.game);
    block_finish(&f.facts);
    free(f.changed);
    return is_good;
}

/* ---- The index of positions ------------------------------------------------------------------------------ */

static bool drop_index(lite *db)
{
    return lite_run(db, "DROP TABLE run;" SCHEMA_RUN "DELETE FROM position;" SCHEMA_COMMON "DELETE FROM common");
}

/* ---- All ------------------------------------------------------------------------------------------------ */

static bool upgrade(lite *db, int64_t from)
{
    enum { HAS_INDEX = 4 }; /* the first version with the current index */
    char version[64];
    uint32_t missing;
    sqlite3_snprintf(sizeof version, version, "PRAGMA user_version = %d", SCHEMA_VERSION);
    return find_missing(db, &missing) && add_columns(db, missing) && (from >= HAS_INDEX || drop_index(db)) &&
           update_games(db, missing, from >= HAS_INDEX) && indexes_upgrade(db) && lite_run(db, version);
}

/* Others may upgrade at the same time. */
bool schema_upgrade(lite *db)
{
    int64_t version;
    return lite_begin(db) && lite_finish(db, lite_number(db, "PRAGMA user_version", &version) &&
                                                 (version == SCHEMA_VERSION || upgrade(db, version)));
}
