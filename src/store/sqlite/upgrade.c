/*
 * upgrade.c - upgrades a database of an earlier schema in one transaction: missing columns are added and filled from
 * the games themselves; a position index in the former format is dropped. The next import creates it again; until then
 * searches work without it.
 */
#include "row/batch.h"
#include "store/sqlite/schema.h"

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

/* ---- Games ---------------------------------------------------------------------------------------------- */

static sqlite3_stmt *prepare_fill(lite *db, uint32_t missing)
{
    buffer sql = {0};
    const char *between = "UPDATE game SET ";
    for (size_t i = 0; i < n_row_columns; i++)
        if (missing >> i & 1) {
            buffer_printf(&sql, "%s%s = ?%zu", between, row_columns[i].name, i + 2);
            between = ", ";
        }
    buffer_string(&sql, " WHERE id = ?1");
    return lite_prepare_text(db, &sql);
}

/* A damaged game is not changed; `verify` reports it. */
static bool fill_game(lite *db, sqlite3_stmt *s, tby_game_id id, tby_game *game, tby_batch *batch, uint32_t missing)
{
    tby_batch_clear(batch);
    if (!lite_game(db, id, game))
        return db->base.failure.status == TBY_INVALID_DATABASE;
    const tby_status status = tby_batch_add(batch, game);
    if (status != TBY_OK)
        return status != TBY_NO_MEMORY || lite_fail_memory(db);
    sqlite3_clear_bindings(s);
    sqlite3_bind_int64(s, 1, id);
    for (size_t i = 0; i < n_row_columns; i++)
        if (missing >> i & 1 && !intake_bind(s, (int)i + 2, db, &row_columns[i], batch->rows))
            return false;
    return lite_do(db, s);
}

/* Reports progress every 256 games; false if the upgrade is stopped. */
static bool goes_on(lite *db, tby_game_id id, tby_game_id last_id)
{
    enum { BETWEEN_REPORTS = 256 };
    const db_report *report = &db->upgrading;
    return id % BETWEEN_REPORTS != 1 || !report->progress || last_id < 1 ||
           report->progress(report->context, (double)id / (double)last_id) ||
           lite_fail(db, TBY_INTERRUPTED, "interrupted");
}

static bool fill_games(lite *db, uint32_t missing)
{
    tby_game_id last_id = 0;
    tby_game *game = tby_game_new(NULL);
    tby_batch *batch = tby_batch_new();
    sqlite3_stmt *fill = prepare_fill(db, missing);
    lite_rows next = lite_rows_of(db, lite_prepare(db, "SELECT id FROM game WHERE id > ?1 ORDER BY id LIMIT 1"));
    next.failed |= !fill || !(game && batch ? intake_begin(db) : lite_fail_memory(db)) || !lite_last_id(db, &last_id);
    lite_bind(&next, 1, 0);
    while (lite_next(&next)) {
        const tby_game_id id = sqlite3_column_int64(next.s, 0);
        sqlite3_reset(next.s);
        lite_bind(&next, 1, id);
        next.failed = !fill_game(db, fill, id, game, batch, missing) || !goes_on(db, id, last_id);
    }
    sqlite3_finalize(fill);
    tby_batch_free(batch);
    tby_game_free(game);
    return lite_end(&next);
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
    return find_missing(db, &missing) && add_columns(db, missing) && (!missing || fill_games(db, missing)) &&
           (from >= HAS_INDEX || drop_index(db)) && lite_run(db, version);
}

/* Others may upgrade at the same time. */
bool schema_upgrade(lite *db)
{
    int64_t version;
    return lite_begin(db) && lite_finish(db, lite_number(db, "PRAGMA user_version", &version) &&
                                                 (version == SCHEMA_VERSION || upgrade(db, version)));
}
