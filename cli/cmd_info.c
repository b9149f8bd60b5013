/*
 * cmd_info.c - tabiya info: what is in a database, and what takes its room.
 */
#include "commands.h"
#include "database.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>

enum { OPT_JSON };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "print an object of JSON"},
    {0},
};

static const example examples[] = {
    {"tabiya info games.db", "Games, players, dates, results, the index, and the size of each table."},
    {0},
};

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

/* In the order in which they are printed. A fact is one value of SQL, a number or a text. */
static const struct {
    const char *name, *label, *sql;
} facts[] = {
    {"games", "games", "SELECT count(*) FROM game"},
    {"plies", "half-moves", "SELECT coalesce(sum(plies), 0) FROM game"},
    {"annotated", "annotated games", "SELECT count(annotated) FROM game"},
    {"players", "players", "SELECT count(*) FROM player"},
    {"events", "events", "SELECT count(DISTINCT event) FROM game"},
    {"sites", "sites", "SELECT count(DISTINCT site) FROM game"},
    {"first_date", "first date",
     "SELECT (SELECT date FROM games WHERE id = (SELECT id FROM game WHERE date > 0 ORDER BY date LIMIT 1))"},
    {"last_date", "last date",
     "SELECT (SELECT date FROM games WHERE id = (SELECT id FROM game WHERE date > 0 ORDER BY date DESC LIMIT 1))"},
    {"white_wins", "1-0", "SELECT count(*) FROM game WHERE result = '1-0'"},
    {"draws", "1/2-1/2", "SELECT count(*) FROM game WHERE result = '1/2-1/2'"},
    {"black_wins", "0-1", "SELECT count(*) FROM game WHERE result = '0-1'"},
    {"unknown_results", "*", "SELECT count(*) FROM game WHERE result = '*'"},
    {"index_runs", "index runs", "SELECT count(*) FROM run"},
    {"index_games", "games in the index",
     "SELECT count(*) FROM game WHERE EXISTS "
     "(SELECT 1 FROM run WHERE game.id BETWEEN first AND last)"},
    {"index_plies", "index depth",
     "SELECT CASE WHEN min(plies) < 10000 THEN min(plies) WHEN count(*) THEN 'all' END FROM run"},
    {"schema_version", "schema version", "PRAGMA user_version"},
    {"file_size", "file size", "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"},
};
enum { N_FACTS = sizeof facts / sizeof *facts };

static sqlite3_stmt *prepare(const args *a, tby_db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) != SQLITE_OK)
        error_exit("info: %s: %s", a->words[0], sqlite3_errmsg(tby_db_sqlite(db)));
    return s;
}

static void print_value(sqlite3_stmt *s, bool as_json)
{
    const char *text = (const char *)sqlite3_column_text(s, 0);
    if (as_json && sqlite3_column_type(s, 0) != SQLITE_INTEGER)
        out_json_string(text);
    else
        out_string(text ? text : "none");
}

static void print_facts(const args *a, tby_db *db, bool as_json)
{
    for (size_t i = 0; i < N_FACTS; i++) {
        sqlite3_stmt *s = prepare(a, db, facts[i].sql);
        if (sqlite3_step(s) == SQLITE_ROW) {
            if (as_json)
                out_printf("%s\"%s\":", i ? "," : "{", facts[i].name);
            else
                out_printf("%-28s", facts[i].label);
            print_value(s, as_json);
            out_string(as_json ? "" : "\n");
        }
        if (sqlite3_finalize(s) != SQLITE_OK)
            error_exit("info: %s: %s", a->words[0], sqlite3_errmsg(tby_db_sqlite(db)));
    }
}

/* ---- Room ------------------------------------------------------------------------------------------------------- */

/* Pages are counted by SQLite's table dbstat, which not every SQLite has; then this part is left out. */
static void print_room(const args *a, tby_db *db, bool as_json)
{
    static const char sql[] = "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC, name";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) != SQLITE_OK)
        return;
    out_string(as_json ? ",\"tables\":{" : "");
    for (int i = 0; sqlite3_step(s) == SQLITE_ROW; i++) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (as_json) {
            out_string(i ? "," : "");
            out_json_string(name);
            out_printf(":%" PRId64, (int64_t)sqlite3_column_int64(s, 1));
        } else {
            out_printf("  %-26s%" PRId64 "\n", name, (int64_t)sqlite3_column_int64(s, 1));
        }
    }
    out_string(as_json ? "}" : "");
    if (sqlite3_finalize(s) != SQLITE_OK)
        error_exit("info: %s: %s", a->words[0], sqlite3_errmsg(tby_db_sqlite(db)));
}

static int run(const args *a)
{
    const bool as_json = args_has(a, OPT_JSON);
    tby_db *db = database_open(a, TBY_DB_READ);
    database_work(db, "counting");
    print_facts(a, db, as_json);
    print_room(a, db, as_json);
    out_string(as_json ? "}\n" : "");
    database_done(db);
    tby_db_close(db);
    return EXIT_YES;
}

const command cmd_info = {
    .name = "info",
    .words = "DB",
    .summary = "what is in a database, and what takes its room",
    .description = "Prints what the database DB holds, one fact a line: games, half-moves, games with comments or "
                   "variations, players, events, sites, the first and the last date, results, how many games the index "
                   "of positions holds and how deep, the version of the schema, and the size of the file and of each "
                   "table and index in it, in bytes.",
    .exits = "0  done\n2  the database could not be read",
    .options = options,
    .examples = examples,
    .run = run,
};
