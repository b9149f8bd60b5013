/*
 * load.c - reads a stored row, and what the visitors of searches read of games.
 */
#include "store/sqlite/blocks.h"
#include "store/sqlite/schema.h"
#include "support/array.h"

#include <string.h>

/* ---- Rows ----------------------------------------------------------------------------------------------- */

/* Takes the row that the statement has. */
static bool take_row(const lite_rows *r, tby_game_id id, unsigned kinds, tby_row *out)
{
    schema_row(out, r->s, kinds);
    if (sqlite3_errcode(r->db->sql) == SQLITE_NOMEM)
        return lite_fail_memory(r->db);
    return !schema_row_lacks_name(r->s, kinds) ||
           lite_fail(r->db, TBY_INVALID_DATABASE, "game %lld is damaged: a tag that the game has is missing",
                     (long long)id);
}

static bool fail_absent(lite *db, tby_game_id id)
{
    return lite_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
}

lite_rows lite_row_begin(lite *db, tby_game_id id, tby_row *out)
{
    lite_rows r = lite_rows_kept(db, SQL_GAME_BY_ID, id);
    if (lite_next(&r))
        r.failed = !take_row(&r, id, KINDS_ALL, out);
    else if (!r.failed)
        r.failed = !fail_absent(db, id);
    return r;
}

/* A list is usually in the order of the games: the statement stays at one game and steps to the next. */
static bool next_row(visiting *v, tby_game_id id, tby_row *out)
{
    const bool is_there = v->current && id - v->current <= 1 && id >= v->current;
    lite_rows r = is_there ? lite_rows_again(v->db, v->db->statements[SQL_ROWS_FROM])
                           : lite_rows_kept(v->db, SQL_ROWS_FROM, id);
    if (!is_there || id != v->current)
        v->current = lite_next(&r) ? sqlite3_column_int64(r.s, (int)n_row_columns) : 0;
    if (r.failed)
        return lite_end(&r);
    return v->current == id ? take_row(&r, id, KINDS_OF_ROWS, out) : fail_absent(v->db, id);
}

/* Otherwise a statement that is not reset would block other writers, so the row is copied. */
bool lite_row(tby_db *base, tby_game_id id, tby_row *out)
{
    lite *db = lite_of(base);
    if (db->visiting && db->visiting->lists_rows)
        return next_row(db->visiting, id, out);
    lite_rows r = lite_row_begin(db, id, out);
    if (!r.failed && !array_reserve(&db->row, &db->cap_row, tby_row_texts_size(out) + 1, 1, NULL))
        r.failed = !lite_fail_memory(db);
    if (!r.failed) {
        tby_row_texts_copy(out, db->row);
        tby_row_texts_point(out, db->row);
    }
    return lite_end(&r);
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

bool lite_facts(tby_db *base, tby_game_id id, tby_db_facts *out)
{
    lite *db = lite_of(base);
    block own = facts_begin();
    const uint8_t *record = block_get(db->visiting ? &db->visiting->facts : &own, db, id);
    const bool is_there = record && fact_is_there(record);
    if (is_there)
        *out = fact_read(record);
    block_finish(&own);
    return is_there || (record && fail_absent(db, id));
}

/* ---- Visiting ------------------------------------------------------------------------------------------- */

/* A search that a visitor makes uses the same statement. */
static void leave_row(visiting *v)
{
    if (v && v->current)
        sqlite3_reset(v->db->statements[SQL_ROWS_FROM]);
    if (v)
        v->current = 0;
}

void visiting_begin(visiting *v, lite *db, tby_db_wanted wanted)
{
    leave_row(db->visiting);
    *v = (visiting){.db = db, .outer = db->visiting, .lists_rows = wanted == TBY_WANTED_ROWS, .facts = facts_begin()};
    db->visiting = v;
}

void visiting_end(visiting *v)
{
    leave_row(v);
    v->db->visiting = v->outer;
    block_finish(&v->facts);
}
