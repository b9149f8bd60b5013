/*
 * load.c - reads a stored game.
 */
#include "store/sqlite/schema.h"
#include "support/array.h"

#include <string.h>

/* The row of a game, and its statement, which must be reset; NULL if there is none. */
static sqlite3_stmt *row_begin(lite *db, tby_game_id id, tby_row *out, bool is_whole)
{
    bool failed = false;
    sqlite3_stmt *s = lite_statement(db, is_whole ? SQL_GAME_BY_ID : SQL_ROW_BY_ID);
    if (!s)
        return NULL;
    sqlite3_bind_int64(s, 1, id);
    if (lite_step(db, s, &failed)) {
        schema_row(out, s, is_whole ? KINDS_ALL : KINDS_OF_ROWS);
        if (sqlite3_errcode(db->sql) != SQLITE_NOMEM)
            return s;
        failed = !lite_fail_memory(db);
    }
    sqlite3_reset(s);
    if (!failed)
        lite_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return NULL;
}

bool lite_game(lite *db, tby_game_id id, tby_game *out)
{
    tby_row row;
    tby_error err = {.status = TBY_OK};
    sqlite3_stmt *s = row_begin(db, id, &row, true);
    if (!s)
        return false;
    const tby_status status = tby_row_game(out, &row, &err);
    sqlite3_reset(s);
    if (status == TBY_NO_MEMORY)
        return lite_fail_memory(db);
    return status == TBY_OK ||
           lite_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: %s", (long long)id, err.detail);
}

/* A statement that is not reset would block other writers, so the row is copied. */
bool lite_row(tby_db *base, tby_game_id id, tby_row *out)
{
    lite *db = lite_of(base);
    sqlite3_stmt *s = row_begin(db, id, out, !db->lists_rows);
    if (!s)
        return false;
    const bool has_room = array_reserve(&db->row, &db->cap_row, tby_row_texts_size(out) + 1, 1, NULL);
    if (has_room) {
        tby_row_texts_copy(out, db->row);
        tby_row_texts_point(out, db->row);
    }
    sqlite3_reset(s);
    return has_room || lite_fail_memory(db);
}
