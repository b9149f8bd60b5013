/*
 * session.c - runs SQL statements on any SQLite file, for `tabiya sql`.
 *
 * The rest of the store generates its own SQL to find games. This is the only entry for statements from outside, so
 * that no front end needs SQLite's own functions.
 */
#include "store/sqlite/db.h"
#include "support/array.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE_MILLISECONDS = 10000, WATCH_STEPS = 1000 };

struct tby_db_session {
    sqlite3 *sql;
    tby_db_watch watch;
    void *watch_context;
    bool is_refused;      /* the statement would have created or attached a file */
    tby_db_field *fields; /* of the visited row */
    size_t fields_cap;
};

static bool session_fail(const tby_db_session *session, tby_failure *failure)
{
    const int code = sqlite3_errcode(session->sql);
    if (session->is_refused)
        return failure_keep(failure, TBY_INVALID_QUERY, "a read-only session cannot create or attach files");
    return failure_keep(failure, code == SQLITE_ERROR ? TBY_INVALID_QUERY : lite_status_of(code), "%s",
                        sqlite3_errmsg(session->sql));
}

static int look_up(void *context)
{
    const tby_db_session *session = context;
    return !session->watch(session->watch_context);
}

/* For a read-only session: SQLite itself refuses to change the file, but VACUUM INTO and ATTACH open others. For VACUUM
   INTO, which attaches its file, the authorizer is called only when the statement runs. */
static int judge(void *context, int action, const char *a, const char *b, const char *database, const char *trigger)
{
    tby_db_session *session = context;
    (void)b, (void)database, (void)trigger;
    const bool is_bad = action == SQLITE_ATTACH || (action == SQLITE_PRAGMA && a &&
                                                    (sqlite3_stricmp(a, "temp_store_directory") == 0 ||
                                                     sqlite3_stricmp(a, "data_store_directory") == 0));
    session->is_refused |= is_bad;
    return is_bad ? SQLITE_DENY : SQLITE_OK;
}

tby_status tby_db_session_open(tby_db_session **out, const char *path, bool writes, tby_db_watch watch, void *context,
                               tby_failure *failure)
{
    tby_db_session *session = calloc(1, sizeof *session);
    *out = NULL;
    failure_clear(failure);
    if (!session)
        return failure_answer(failure, failure_no_memory(failure));
    *session = (tby_db_session){.watch = watch, .watch_context = context};
    if (sqlite3_open_v2(path, &session->sql, writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, NULL) !=
        SQLITE_OK) {
        session_fail(session, failure);
        tby_db_session_close(session);
        return failure->status;
    }
    lite_distrust(session->sql);
    sqlite3_busy_timeout(session->sql, PATIENCE_MILLISECONDS);
    if (watch)
        sqlite3_progress_handler(session->sql, WATCH_STEPS, look_up, session);
    /* The column has a second name, as in `where`. A file that is not a database of games has no such view. */
    sqlite3_exec(session->sql, "CREATE TEMP VIEW games AS SELECT *, moves AS game FROM main.games", NULL, NULL, NULL);
    if (!writes)
        sqlite3_set_authorizer(session->sql, judge, session);
    *out = session;
    return TBY_OK;
}

void tby_db_session_close(tby_db_session *session)
{
    if (!session)
        return;
    sqlite3_close(session->sql);
    free(session->fields);
    free(session);
}

bool tby_db_session_is_complete(const char *sql) { return sqlite3_complete(sql) != 0; }

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static const tby_db_type types[] = {[SQLITE_INTEGER] = TBY_DB_INTEGER,
                                    [SQLITE_FLOAT] = TBY_DB_REAL,
                                    [SQLITE_TEXT] = TBY_DB_TEXT,
                                    [SQLITE_BLOB] = TBY_DB_BLOB,
                                    [SQLITE_NULL] = TBY_DB_NULL};

/* SQLite returns no bytes for an empty value, or if out of memory. */
static bool read_value(tby_db_field *out, sqlite3_stmt *stmt, int column)
{
    out->type = types[sqlite3_column_type(stmt, column)];
    if (out->type == TBY_DB_NULL)
        return true;
    out->s = out->type == TBY_DB_BLOB ? sqlite3_column_blob(stmt, column)
                                      : (const char *)sqlite3_column_text(stmt, column);
    out->n = out->s ? (size_t)sqlite3_column_bytes(stmt, column) : 0;
    return out->s || sqlite3_errcode(sqlite3_db_handle(stmt)) != SQLITE_NOMEM;
}

/* Visits the names of the columns and, for a row, their values. */
static bool visit_fields(tby_db_session *session, sqlite3_stmt *stmt, bool is_row, tby_db_session_visit visit,
                         void *context, tby_failure *failure)
{
    const size_t n = (size_t)sqlite3_column_count(stmt);
    bool is_good = array_reserve(&session->fields, &session->fields_cap, n, sizeof *session->fields, NULL);
    for (size_t i = 0; is_good && i < n; i++) {
        session->fields[i] = (tby_db_field){.name = sqlite3_column_name(stmt, (int)i)};
        is_good = session->fields[i].name && (!is_row || read_value(&session->fields[i], stmt, (int)i));
    }
    if (!is_good)
        return failure_no_memory(failure);
    return visit(context, session->fields, n, is_row) || failure_interrupted(failure);
}

/* ---- Statements ----------------------------------------------------------------------------------------- */

static bool run_statement(tby_db_session *session, sqlite3_stmt *stmt, tby_db_session_visit visit, void *context,
                          tby_failure *failure)
{
    int code = SQLITE_ROW;
    bool is_good = sqlite3_column_count(stmt) == 0 || visit_fields(session, stmt, false, visit, context, failure);
    while (is_good && (code = sqlite3_step(stmt)) == SQLITE_ROW)
        is_good = visit_fields(session, stmt, true, visit, context, failure);
    return is_good && (code == SQLITE_DONE || session_fail(session, failure));
}

tby_status tby_db_session_run(tby_db_session *session, const char *sql, tby_db_session_visit visit, void *context,
                              tby_failure *failure)
{
    bool is_good = true;
    failure_clear(failure);
    while (is_good && *sql) {
        sqlite3_stmt *stmt = NULL; /* stays NULL for blanks and comments */
        session->is_refused = false;
        is_good = sqlite3_prepare_v2(session->sql, sql, -1, &stmt, &sql) == SQLITE_OK
                      ? !stmt || run_statement(session, stmt, visit, context, failure)
                      : session_fail(session, failure);
        sqlite3_finalize(stmt);
    }
    return failure_answer(failure, is_good);
}
