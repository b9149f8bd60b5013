/*
 * load.c - reads a stored row.
 */
#include "store/sqlite/schema.h"
#include "support/array.h"

#include <string.h>

lite_rows lite_row_begin(lite *db, tby_game_id id, tby_row *out, bool is_whole)
{
    const unsigned kinds = is_whole ? KINDS_ALL : KINDS_OF_ROWS;
    lite_rows r = lite_rows_kept(db, is_whole ? SQL_GAME_BY_ID : SQL_ROW_BY_ID, id);
    if (lite_next(&r)) {
        schema_row(out, r.s, kinds);
        r.failed = sqlite3_errcode(db->sql) == SQLITE_NOMEM && !lite_fail_memory(db);
        if (!r.failed && schema_row_lacks_name(r.s, kinds))
            r.failed = !lite_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: a tag that the game has is missing",
                                  (long long)id);
    } else if (!r.failed)
        r.failed = !lite_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    return r;
}

/* A statement that is not reset would block other writers, so the row is copied. */
bool lite_row(tby_db *base, tby_game_id id, tby_row *out)
{
    lite *db = lite_of(base);
    lite_rows r = lite_row_begin(db, id, out, !db->lists_rows);
    if (!r.failed && !array_reserve(&db->row, &db->cap_row, tby_row_texts_size(out) + 1, 1, NULL))
        r.failed = !lite_fail_memory(db);
    if (!r.failed) {
        tby_row_texts_copy(out, db->row);
        tby_row_texts_point(out, db->row);
    }
    return lite_end(&r);
}
