/*
 * info.c - what is in a database, and what takes its room: for people and as JSON.
 */
#include "info.h"

#include <inttypes.h>
#include <sqlite3.h>

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

static void write_value(buffer *out, sqlite3_stmt *s, bool as_json)
{
    const char *text = (const char *)sqlite3_column_text(s, 0);
    if (as_json && sqlite3_column_type(s, 0) != SQLITE_INTEGER)
        buffer_json_string(out, text);
    else
        buffer_string(out, text ? text : "none");
}

static bool write_facts(buffer *out, tby_db *db, bool as_json)
{
    for (size_t i = 0; i < N_FACTS; i++) {
        sqlite3_stmt *s = NULL;
        if (sqlite3_prepare_v2(tby_db_sqlite(db), facts[i].sql, -1, &s, NULL) != SQLITE_OK)
            return false;
        if (sqlite3_step(s) == SQLITE_ROW) {
            if (as_json)
                buffer_printf(out, "%s\"%s\":", i ? "," : "{", facts[i].name);
            else
                buffer_printf(out, "%-28s", facts[i].label);
            write_value(out, s, as_json);
            buffer_string(out, as_json ? "" : "\n");
        }
        if (sqlite3_finalize(s) != SQLITE_OK)
            return false;
    }
    return true;
}

/* ---- Room ------------------------------------------------------------------------------------------------------- */

/* Pages are counted by SQLite's table dbstat, which not every SQLite has; then this part is left out. */
static bool write_room(buffer *out, tby_db *db, bool as_json)
{
    static const char sql[] = "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC, name";
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) != SQLITE_OK)
        return true;
    buffer_string(out, as_json ? ",\"tables\":{" : "");
    for (int i = 0; sqlite3_step(s) == SQLITE_ROW; i++) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (as_json) {
            buffer_string(out, i ? "," : "");
            buffer_json_string(out, name);
            buffer_printf(out, ":%" PRId64, (int64_t)sqlite3_column_int64(s, 1));
        } else {
            buffer_printf(out, "  %-26s%" PRId64 "\n", name, (int64_t)sqlite3_column_int64(s, 1));
        }
    }
    buffer_string(out, as_json ? "}" : "");
    return sqlite3_finalize(s) == SQLITE_OK;
}

bool info_write(buffer *out, tby_db *db, bool as_json, bool with_room)
{
    const bool is_good = write_facts(out, db, as_json) && (!with_room || write_room(out, db, as_json));
    buffer_string(out, as_json ? "}\n" : "");
    return is_good;
}
