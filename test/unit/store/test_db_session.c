/*
 * test_db_session.c - SQL statements on a database, and functions of an extension.
 */
#include "db_support.h"

static tby_db_session *session;
static const char *path;

/* What was visited: "[a|b]" for columns, then "i:1 t:x n: b:00 r:1.5;" for each row. */
typedef struct seen {
    char text[512];
    int n_wanted; /* rows until the visitor stops */
} seen;

static bool note_fields(void *context, const tby_db_field *fields, size_t n, bool is_row)
{
    static const char TYPES[] = "nirtb";
    seen *to = context;
    char *at = to->text + strlen(to->text);
    for (size_t i = 0; i < n && !is_row; i++)
        at += sprintf(at, "%c%s%s", i ? '|' : '[', fields[i].name, i + 1 < n ? "" : "]");
    for (size_t i = 0; i < n && is_row; i++)
        at += sprintf(at, "%s%c:%.*s%s", i ? " " : "", TYPES[fields[i].type], (int)fields[i].n,
                      fields[i].s ? fields[i].s : "", i + 1 < n ? "" : ";");
    return !is_row || to->n_wanted-- > 1;
}

static tby_status run(const char *sql, seen *to, tby_failure *f)
{
    *to = (seen){.n_wanted = 3};
    return tby_db_session_run(session, sql, note_fields, to, f);
}

TEST(test_db_session__values_have_their_types_and_names)
{
    tby_failure failure;
    seen to;
    assert_int_equal(
        run("SELECT 1 AS a, 1.5 AS b, 'x' AS c, x'797a' AS d, NULL AS e, '' AS f, x'' AS g", &to, &failure), TBY_OK);
    assert_string_equal(to.text, "[a|b|c|d|e|f|g]i:1 r:1.5 t:x b:yz n: t: b:;");
    assert_int_equal(run("SELECT 1 AS a; -- a comment\n SELECT 2 AS b WHERE 0;  ", &to, &failure), TBY_OK);
    assert_string_equal(to.text, "[a]i:1;[b]");
    assert_int_equal(run("", &to, &failure), TBY_OK);
}

TEST(test_db_session__games_are_a_view_with_a_second_name_for_moves)
{
    tby_failure failure;
    seen to;
    assert_int_equal(run("SELECT count(*) AS n FROM games WHERE game IS moves", &to, &failure), TBY_OK);
    assert_string_equal(to.text, "[n]i:0;");
}

TEST(test_db_session__a_failure_is_reported_and_ends_it)
{
    tby_failure failure;
    seen to;
    assert_int_equal(run("SELECT 1 AS a; SELEC 2; SELECT 3", &to, &failure), TBY_INVALID_QUERY);
    assert_string_equal(failure.text, "near \"SELEC\": syntax error");
    assert_string_equal(to.text, "[a]i:1;");
    assert_int_equal(run("CREATE TABLE mine (x)", &to, &failure), TBY_IO_ERROR);
    assert_string_equal(failure.text, "attempt to write a readonly database");
}

/* VACUUM INTO created a file. */
TEST(test_db_session__without_writing_no_file_is_created)
{
    tby_failure failure;
    char other[300], sql[400];
    static const char *const statements[] = {"VACUUM INTO '%s'",
                                             "vacuum main into '%s'",
                                             "ATTACH '%s' AS other",
                                             "ATTACH 'file:%s?mode=rwc' AS other",
                                             "PRAGMA Temp_Store_Directory = '%s'",
                                             "SELECT 1; VACUUM INTO '%s'",
                                             "EXPLAIN QUERY PLAN SELECT 1; ATTACH '%s' AS x"};
    seen to;
    snprintf(other, sizeof other, "%s-new", path);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        snprintf(sql, sizeof sql, statements[i], other);
        assert_int_equal(run(sql, &to, &failure), TBY_INVALID_QUERY);
        assert_string_equal(failure.text, "a session cannot create or attach other files");
        assert_int_not_equal(access(other, F_OK), 0);
    }
    assert_int_not_equal(run("VACUUM", &to, &failure), TBY_OK);
    assert_int_equal(run("CREATE TEMP TABLE t AS SELECT 1 AS x; SELECT x FROM t", &to, &failure), TBY_OK);
    assert_string_equal(to.text, "[x]i:1;");
}

/* ---- Sessions that write ------------------------------------------------------------------------------- */

static tby_db_session *open_for_writing(const char *name)
{
    tby_failure failure;
    tby_db_session *made;
    if (tby_db_session_open(&made, name, true, NULL, NULL, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return made;
}

static tby_status run_in(tby_db_session *in, const char *sql, tby_failure *f)
{
    seen to = {.n_wanted = 3};
    return tby_db_session_run(in, sql, note_fields, &to, f);
}

/* A view that was created this way made all other commands refuse the file. */
TEST(test_db_session__the_schema_cannot_be_changed)
{
    static const char *const statements[] = {
        "CREATE VIEW z AS SELECT 1",
        "create table main.z(x)",
        "CREATE TABLE z AS SELECT * FROM player",
        "CREATE INDEX z ON game(date)",
        "CREATE TRIGGER z AFTER INSERT ON game BEGIN DELETE FROM game; END",
        "CREATE VIRTUAL TABLE z USING fts5(x)",
        "DROP TABLE hash",
        "DROP VIEW main.games",
        "DROP INDEX IF EXISTS game_white; DROP TABLE player",
        "ALTER TABLE game ADD COLUMN z",
        "ALTER TABLE player RENAME TO players",
        "BEGIN; SELECT 1; ALTER TABLE player RENAME COLUMN name TO title",
        "PRAGMA user_version = 3",
        "PRAGMA main.application_id = 0",
        "PRAGMA writable_schema = ON",
        "PRAGMA schema_version = 77",
    };
    tby_failure failure;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        tby_db_session *writer = open_for_writing(path);
        if (run_in(writer, statements[i], &failure) != TBY_INVALID_QUERY || !strstr(failure.text, "schema"))
            fail_msg("%s: %s", statements[i], failure.text);
        tby_db_session_close(writer);
        tby_db_close(db_open(path, TBY_DB_READ));
    }
}

TEST(test_db_session__changes_of_games_and_temporary_objects_are_allowed)
{
    static const char *const statements[] = {
        "INSERT INTO player VALUES(1, 'Ada'); UPDATE player SET name = 'Bob'; DELETE FROM player",
        "CREATE TEMP TABLE z(x); CREATE TEMP VIEW v AS SELECT 1; DROP VIEW v; ALTER TABLE z ADD COLUMN y; DROP TABLE z",
        "CREATE TEMP TABLE w(x); CREATE INDEX temp.i ON w(x)",
        "ANALYZE",
        "REINDEX",
        "VACUUM",
        "PRAGMA user_version; PRAGMA application_id",
        "SAVEPOINT a; DELETE FROM player; ROLLBACK TO a; RELEASE a",
    };
    tby_failure failure;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        tby_db_session *writer = open_for_writing(path);
        if (run_in(writer, statements[i], &failure) != TBY_OK)
            fail_msg("%s: %s", statements[i], failure.text);
        tby_db_session_close(writer);
        tby_db_close(db_open(path, TBY_DB_READ));
    }
}

/* A transaction on several files leaves a super-journal if it is killed. */
TEST(test_db_session__no_other_file_is_attached_for_writing_either)
{
    static const char *const statements[] = {"ATTACH '%s' AS other", "VACUUM INTO '%s'", "ATTACH '%s' || '' AS other",
                                             "ATTACH 'file:%s?mode=rwc' AS other"};
    char other[300], sql[400];
    tby_failure failure;
    snprintf(other, sizeof other, "%s-new", path);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        tby_db_session *writer = open_for_writing(path);
        snprintf(sql, sizeof sql, statements[i], other);
        assert_int_equal(run_in(writer, sql, &failure), TBY_INVALID_QUERY);
        assert_string_equal(failure.text, "a session cannot create or attach other files");
        assert_int_not_equal(access(other, F_OK), 0);
        tby_db_session_close(writer);
    }
}

/* One UPDATE deleted all games. */
TEST(test_db_session__a_foreign_schema_is_refused)
{
    static const char *const foreign[] = {"CREATE TRIGGER z AFTER UPDATE ON game BEGIN DELETE FROM game; END",
                                          "CREATE VIEW z AS SELECT 1", "PRAGMA application_id = 0",
                                          "CREATE TABLE z(x)"};
    char other[280];
    snprintf(other, sizeof other, "%s-foreign", path);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        for (int writes = 0; writes < 2; writes++) {
            tby_failure failure;
            tby_db_session *none;
            sqlite3 *sql;
            db_remove(other);
            tby_db_close(db_open(other, TBY_DB_CREATE));
            assert_int_equal(sqlite3_open(other, &sql), SQLITE_OK);
            assert_int_equal(sqlite3_exec(sql, foreign[i], NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(sql);
            assert_int_equal(tby_db_session_open(&none, other, writes, NULL, NULL, &failure), TBY_INVALID_DATABASE);
            assert_null(none);
        }
    db_remove(other);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

TEST(test_db_session__can_be_interrupted)
{
    static const char ENDLESS[] = "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS c FROM n";
    tby_failure failure;
    seen to;
    tby_db_session *watched;
    assert_int_equal(run("WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", &to, &failure),
                     TBY_INTERRUPTED);
    assert_string_equal(to.text, "[x]i:1;i:2;i:3;");
    assert_int_equal(tby_db_session_open(&watched, path, false, never, NULL, &failure), TBY_OK);
    to = (seen){.n_wanted = 1};
    assert_int_equal(tby_db_session_run(watched, ENDLESS, note_fields, &to, &failure), TBY_INTERRUPTED);
    assert_string_equal(failure.text, "interrupted");
    tby_db_session_close(watched);
}

TEST(test_db_session__files_that_are_not_sqlite_databases)
{
    tby_failure failure;
    char other[300];
    tby_db_session *none;
    snprintf(other, sizeof other, "%s-other", path);
    assert_int_equal(tby_db_session_open(&none, other, false, NULL, NULL, &failure), TBY_NOT_FOUND);
    assert_null(none);
    assert_string_equal(failure.text, "No such file or directory");
    assert_false(tby_db_is_file(other));
    assert_true(tby_db_is_file(path));
    FILE *file = fopen(other, "w");
    fputs("1. e4 e5 1-0, and more than sixteen bytes\n", file);
    fclose(file);
    assert_false(tby_db_is_file(other));
    unlink(other);
}

TEST(test_db_session__knows_where_a_statement_ends)
{
    assert_true(tby_db_session_is_complete("SELECT ';' ;\n"));
    assert_false(tby_db_session_is_complete("SELECT ';'"));
}

/* ---- Extensions ----------------------------------------------------------------------------------------- */

static void answer(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n;
    (void)values;
    sqlite3_result_int(context, 42);
}

static int extension(sqlite3 *db, char **message, const struct sqlite3_api_routines *api)
{
    (void)message;
    (void)api;
    return sqlite3_create_function(db, "answer", 0, SQLITE_UTF8, NULL, answer, NULL, NULL);
}

TEST(test_db_session__functions_of_an_extension_are_available_from_then_on)
{
    tby_failure failure;
    seen to = {.n_wanted = 3};
    tby_db_session *later;
    assert_int_equal(run("SELECT answer()", &to, &failure), TBY_INVALID_QUERY);
    assert_int_equal(tby_db_extend(extension), TBY_OK);
    assert_int_equal(tby_db_session_open(&later, path, true, NULL, NULL, &failure), TBY_OK);
    to = (seen){.n_wanted = 3};
    assert_int_equal(tby_db_session_run(later, "CREATE TEMP TABLE t AS SELECT answer() AS a; SELECT a FROM t",
                                        note_fields, &to, &failure),
                     TBY_OK);
    assert_string_equal(to.text, "[a]i:42;");
    tby_db_session_close(later);
}

int main(void)
{
    tby_failure failure;
    path = db_path("session");
    tby_db_close(db_open(path, TBY_DB_CREATE));
    if (tby_db_session_open(&session, path, false, NULL, NULL, &failure) != TBY_OK)
        return 1;
    const int failed = tests_run(NULL, NULL);
    tby_db_session_close(session);
    db_remove(path);
    return failed;
}
