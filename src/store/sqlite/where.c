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

static int judge(void *context, int action, const char *a, const char *b, const char *database, const char *trigger)
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

typedef enum fault { FAULT_NONE, FAULT_SQL, FAULT_REFUSED, FAULT_MORE } fault;

/* Compiles the statement twice: once unrestricted, without running it, so that SQLite registers its virtual tables, and
   once with the authorizer. NULL after an error; SQLite has the message for the first two. */
static sqlite3_stmt *compile(lite *db, const char *sql, fault *why)
{
    sqlite3_stmt *made = NULL, *judged = NULL;
    const char *rest = "";
    *why = FAULT_SQL;
    if (sqlite3_prepare_v2(db->sql, sql, -1, &made, &rest) != SQLITE_OK)
        return NULL;
    sqlite3_finalize(made);
    *why = FAULT_MORE;
    if (*rest)
        return NULL;
    sqlite3_set_authorizer(db->sql, judge, NULL);
    *why = sqlite3_prepare_v2(db->sql, sql, -1, &judged, NULL) == SQLITE_OK ? FAULT_NONE : FAULT_REFUSED;
    sqlite3_set_authorizer(db->sql, NULL, NULL);
    return judged;
}

static bool explain_fault(lite *db, fault why)
{
    if (why != FAULT_NONE && sqlite3_errcode(db->sql) == SQLITE_NOMEM)
        return lite_fail_memory(db);
    switch (why) {
    case FAULT_NONE: return true;
    case FAULT_MORE: return lite_fail(db, TBY_INVALID_QUERY, "one condition expected, with nothing after it");
    case FAULT_REFUSED:
        return lite_fail(db, TBY_INVALID_QUERY, "a condition may only read the tables of games: %s",
                         sqlite3_errmsg(db->sql));
    default: return lite_fail(db, TBY_INVALID_QUERY, "%s", sqlite3_errmsg(db->sql));
    }
}

sqlite3_stmt *lite_prepare_where(lite *db, buffer *sql)
{
    fault why = FAULT_NONE;
    sqlite3_stmt *made = sql->has_failed ? NULL : compile(db, sql->s, &why);
    if (sql->has_failed)
        lite_fail_memory(db);
    else if (why == FAULT_SQL)
        lite_fail_sql(db, "database");
    else
        explain_fault(db, why);
    buffer_free(sql);
    return made;
}

bool lite_check_where(tby_db *base, const char *where)
{
    lite *db = lite_of(base);
    buffer sql = {0};
    fault why;
    buffer_printf(&sql, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", where);
    if (sql.has_failed)
        return lite_fail_memory(db);
    sqlite3_finalize(compile(db, sql.s, &why));
    buffer_free(&sql);
    return explain_fault(db, why);
}
