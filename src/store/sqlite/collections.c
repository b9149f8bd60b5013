/*
 * collections.c - named sets of games in a file: two tables, created when the first game is collected.
 */
#include "store/sqlite/db.h"
#include "store/sqlite/schema.h"

#define OF_NAME "(SELECT id FROM collection WHERE name = ?1)"

/* Most files have no collections. */
static bool find_tables(lite *db, bool *out)
{
    int64_t n = 0;
    const bool is_good = lite_number(
        db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('collection', 'member')", &n);
    *out = n == 2;
    return is_good;
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* No rows without the tables. */
static lite_rows rows_of_tables(lite *db, const char *sql)
{
    bool are_there;
    const bool is_good = find_tables(db, &are_there);
    lite_rows r = lite_rows_of(db, is_good && are_there ? lite_prepare(db, sql) : NULL);
    r.failed = !is_good || (are_there && !r.s);
    return r;
}

bool lite_collections(tby_db *base, tby_game_id game, collection_take take, void *context)
{
    lite_rows r = rows_of_tables(
        lite_of(base),
        game ? "SELECT id, name, 1 FROM collection c WHERE EXISTS (SELECT 1 FROM member m WHERE m.collection = c.id"
               " AND m.game = ?1) ORDER BY id"
             : "SELECT id, name, (SELECT count(*) FROM member m WHERE m.collection = c.id) AS n FROM collection c"
               " WHERE ?1 = 0 AND n > 0 ORDER BY id");
    lite_bind(&r, 1, game);
    while (lite_next_up(&r)) {
        const lite_bytes name = lite_bytes_at(&r, 1);
        if (name.s)
            take(context, (tby_text){(const char *)name.s, name.n}, sqlite3_column_int64(r.s, 2));
    }
    return lite_end(&r);
}

static bool bind_name(lite *db, sqlite3_stmt *s, tby_text name)
{
    return sqlite3_bind_text64(s, 1, name.s, name.n, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK ||
           lite_fail_sql(db, "database");
}

bool lite_members(tby_db *base, tby_text name, void (*take)(void *context, tby_game_id id), void *context)
{
    lite_rows r = rows_of_tables(lite_of(base), "SELECT game FROM member WHERE collection = " OF_NAME " ORDER BY game");
    r.failed = r.failed || (r.s && !bind_name(r.db, r.s, name));
    while (lite_next_up(&r))
        take(context, r.number);
    return lite_end(&r);
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* Runs a statement for each of the games, or once if `ids` is NULL. */
static bool change(lite *db, const char *sql, tby_text name, const tby_game_id *ids, size_t n, int64_t *n_changed)
{
    sqlite3_stmt *s = lite_prepare(db, sql);
    bool is_good = s && bind_name(db, s, name);
    *n_changed = 0;
    for (size_t i = 0; i < (ids ? n : 1) && is_good; i++) {
        if (ids)
            sqlite3_bind_int64(s, 2, ids[i]);
        is_good = lite_do(db, s);
        *n_changed += is_good ? sqlite3_changes(db->sql) : 0;
    }
    sqlite3_finalize(s);
    return is_good;
}

static bool add_games(lite *db, tby_text name, const tby_game_id *ids, size_t n, int64_t *n_changed)
{
    return lite_run(db, SCHEMA_COLLECTION) &&
           change(db, "INSERT OR IGNORE INTO collection(name) VALUES(?1)", name, NULL, 0, n_changed) &&
           change(db, "INSERT OR IGNORE INTO member SELECT " OF_NAME ", id FROM game WHERE id = ?2", name, ids, n,
                  n_changed);
}

static bool remove_games(lite *db, tby_text name, const tby_game_id *ids, size_t n, int64_t *n_changed)
{
    return change(db,
                  ids ? "DELETE FROM member WHERE collection = " OF_NAME " AND game = ?2"
                      : "DELETE FROM member WHERE collection = " OF_NAME,
                  name, ids, n, n_changed);
}

static bool drop_empty(lite *db)
{
    return lite_run(db, "DELETE FROM collection WHERE id NOT IN (SELECT collection FROM member)");
}

bool lite_collect_games(tby_db *base, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                        int64_t *n_changed)
{
    lite *db = lite_of(base);
    bool are_there, is_own;
    *n_changed = 0;
    if (!lite_begin_part(db, &is_own))
        return false;
    bool is_good = find_tables(db, &are_there);
    if (is_good && (is_adding || are_there))
        is_good = (is_adding ? add_games : remove_games)(db, name, ids, n_ids, n_changed) && drop_empty(db);
    return lite_end_part(db, is_own, is_good);
}

static bool report_rows(lite *db, const char *sql, const char *text, tby_db_fault fault, void *context)
{
    lite_rows r = rows_of_tables(db, sql);
    while (lite_next_up(&r))
        fault(context, r.number, text);
    return lite_end(&r);
}

bool collections_verify(lite *db, tby_db_fault fault, void *context)
{
    return report_rows(db,
                       "SELECT DISTINCT game FROM member WHERE game NOT IN (SELECT id FROM game)"
                       " OR collection NOT IN (SELECT id FROM collection) ORDER BY 1",
                       "it is in a collection, but the game or the collection does not exist", fault, context) &&
           report_rows(db,
                       "SELECT 0 WHERE EXISTS (SELECT 1 FROM collection WHERE id < 1 OR name = '' OR name <> trim(name)"
                       " OR instr(name, char(0)) OR id NOT IN (SELECT collection FROM member))",
                       "there is a collection without a valid name, or without games", fault, context);
}

bool collections_forget(lite *db)
{
    bool are_there;
    return find_tables(db, &are_there) &&
           (!are_there ||
            (lite_run(db, "DELETE FROM member WHERE game NOT IN (SELECT id FROM game)") && drop_empty(db)));
}
