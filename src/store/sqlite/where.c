/*
 * where.c - statements that contain a user's condition: they may only read.
 *
 * While SQLite compiles such a statement, an authorizer allows it to select, call functions, and read the tables of
 * games and table-valued functions that open nothing. Everything else is refused, and so is text after the condition.
 */
#include "store/sqlite/db.h"

/* The tables of the database, and functions that turn values into rows; not the schema, pragmas, and functions that
   open files. SQLite passes the names as they were typed, and ignores case. */
static bool may_read(const char *table)
{
    return sqlite3_strnicmp(table, "sqlite_", 7) != 0 && sqlite3_strnicmp(table, "pragma_", 7) != 0 &&
           sqlite3_stricmp(table, "dbstat") != 0 && sqlite3_stricmp(table, "read_pgn") != 0;
}

static int authorize(void *context, int action, const char *a, const char *b, const char *database, const char *trigger)
{
    (void)context, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ: return a && may_read(a) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: return b && sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
    }
}

static void fail_condition(lite *db, const char *before)
{
    if (sqlite3_errcode(db->sql) == SQLITE_NOMEM)
        lite_fail_memory(db);
    else
        lite_fail(db, TBY_INVALID_QUERY, "%s%s", before, sqlite3_errmsg(db->sql));
}

/* Compiles the statement twice: once unrestricted, without running it, so that SQLite registers its virtual tables, and
   once with the authorizer. Frees the text; NULL after a failure. */
static sqlite3_stmt *compile(lite *db, buffer *sql, bool is_checked)
{
    sqlite3_stmt *made = NULL, *authorized = NULL;
    const char *rest = "";
    if (sql->has_failed) {
        lite_fail_memory(db);
    } else if (sqlite3_prepare_v2(db->sql, sql->s, -1, &made, &rest) != SQLITE_OK) {
        if (is_checked)
            lite_fail_sql(db, "database");
        else
            fail_condition(db, "");
    } else if (*rest) {
        lite_fail(db, TBY_INVALID_QUERY, "one condition expected, with nothing after it");
    } else {
        sqlite3_set_authorizer(db->sql, authorize, NULL);
        if (sqlite3_prepare_v2(db->sql, sql->s, -1, &authorized, NULL) != SQLITE_OK)
            fail_condition(db, "a condition may only read the tables of games: ");
        sqlite3_set_authorizer(db->sql, NULL, NULL);
    }
    sqlite3_finalize(made);
    buffer_free(sql);
    return authorized;
}

sqlite3_stmt *lite_prepare_where(lite *db, buffer *sql) { return compile(db, sql, true); }

bool lite_check_where(tby_db *base, const char *where)
{
    buffer sql = {0};
    buffer_printf(&sql, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", where);
    sqlite3_stmt *made = compile(lite_of(base), &sql, false);
    sqlite3_finalize(made);
    return made != NULL;
}
