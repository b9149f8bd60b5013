/*
 * session.c - runs SQL statements from outside on a database, for `tabiya sql`.
 *
 * The rest of the store generates its own SQL to find games. This is the only entry for statements from outside, so
 * that no front end needs SQLite's own functions.
 *
 * Refuses  files that are no databases of ours, like the rest of the store; ATTACH and VACUUM INTO, which open other
 *          files: a transaction on several files writes a super-journal, which vfs.c refuses. Without `writes`, SQLite
 *          refuses every change; with it, changes of the schema, after which the file could not be opened again.
 */
#include "store/sqlite/db.h"
#include "store/sqlite/vfs.h"
#include "support/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MILLISECONDS = 10000, WATCH_STEPS = 1000 };

struct tby_db_session {
    lite *db;
    sqlite3 *sql; /* of `db` */
    tby_db_watch watch;
    void *watch_context;
    const char *refused;  /* why the current statement was refused; NULL: it was not */
    tby_db_field *fields; /* of the visited row */
    size_t fields_cap;
};

static bool session_fail(tby_db_session *session, tby_failure *failure)
{
    const int code = sqlite3_errcode(session->sql);
    const char *refused = session->refused ? session->refused : lite_vfs_refusal(session->db->vfs);
    failure_keep(failure, refused || code == SQLITE_ERROR ? TBY_INVALID_QUERY : lite_status_of(code), "%s",
                 refused ? refused : sqlite3_errmsg(session->sql));
    lite_vfs_forgive(session->db->vfs);
    return false;
}

static int look_up(void *context)
{
    const tby_db_session *session = context;
    return !session->watch(session->watch_context);
}

/* ---- Which statements are refused ----------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && sqlite3_stricmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static bool is_schema_pragma(const char *name)
{
    static const char *const names[] = {"application_id", "user_version", "schema_version", "writable_schema", NULL};
    return is_one_of(name, names);
}

/* Would it open a file? VACUUM attaches an unnamed one, and VACUUM INTO attaches its file only when it runs. */
static bool is_about_files(int action, const char *a)
{
    static const char *const folders[] = {"temp_store_directory", "data_store_directory", NULL};
    return action == SQLITE_ATTACH ? !a || *a : action == SQLITE_PRAGMA && a && is_one_of(a, folders);
}

/* Would it change the schema of the file? Temporary objects are not part of it, nor is what VACUUM creates; ANALYZE may
   create its tables. */
static bool is_about_schema(int action, const char *a, const char *b, const char *database)
{
    switch (action) {
    case SQLITE_PRAGMA: return a && b && is_schema_pragma(a);
    case SQLITE_ALTER_TABLE: return !a || sqlite3_stricmp(a, "main") == 0;
    case SQLITE_CREATE_TABLE:
        if (a && strncmp(a, "sqlite_stat", 11) == 0)
            return false;
        break;
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_VTABLE: break;
    default: return false;
    }
    return !database || sqlite3_stricmp(database, "main") == 0;
}

static int authorize(void *context, int action, const char *a, const char *b, const char *database, const char *trigger)
{
    tby_db_session *session = context;
    (void)trigger;
    if (is_about_files(action, a))
        session->refused = "a session cannot create or attach other files";
    else if (session->db->mode != TBY_DB_READ && is_about_schema(action, a, b, database))
        session->refused = "the schema of a database cannot be changed; keep tables of your own in another file";
    else
        return SQLITE_OK;
    return SQLITE_DENY;
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

static void set_up(tby_db_session *session)
{
    lite *db = session->db;
    session->sql = db->sql;
    db->base.watch = session->watch;
    db->base.watch_context = session->watch_context;
    db->patience = PATIENCE_MILLISECONDS;
    if (session->watch)
        sqlite3_progress_handler(session->sql, WATCH_STEPS, look_up, session);
    /* The column has a second name, as in `where`. */
    sqlite3_exec(session->sql, "CREATE TEMP VIEW games AS SELECT *, moves AS game FROM main.games", NULL, NULL, NULL);
    sqlite3_set_authorizer(session->sql, authorize, session);
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
    session->db = lite_open(path, writes ? TBY_DB_WRITE : TBY_DB_READ, (db_report){NULL, NULL}, failure);
    if (!session->db) {
        tby_db_session_close(session);
        return failure->status;
    }
    set_up(session);
    *out = session;
    return TBY_OK;
}

void tby_db_session_close(tby_db_session *session)
{
    if (!session)
        return;
    if (session->sql)
        sqlite3_set_authorizer(session->sql, NULL, NULL);
    lite_close(session->db);
    free(session->fields);
    free(session);
}

bool tby_db_session_has_unsaved(const tby_db_session *session)
{
    return sqlite3_txn_state(session->sql, "main") == SQLITE_TXN_WRITE;
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
        session->refused = NULL;
        is_good = sqlite3_prepare_v2(session->sql, sql, -1, &stmt, &sql) == SQLITE_OK
                      ? !stmt || run_statement(session, stmt, visit, context, failure)
                      : session_fail(session, failure);
        sqlite3_finalize(stmt);
    }
    return failure_answer(failure, is_good);
}
