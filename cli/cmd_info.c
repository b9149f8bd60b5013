/*
 * cmd_info.c - tabiya info: what is in a database, and what takes its room.
 */
#include "commands.h"
#include "database.h"
#include "info.h"

#include <sqlite3.h>

enum { OPT_JSON };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "print an object of JSON"},
    {0},
};

static const example examples[] = {
    {"tabiya info games.db", "Games, players, dates, results, the index, and the size of each table."},
    {0},
};

static int run(const args *a)
{
    const bool as_json = args_has(a, OPT_JSON);
    buffer text = {0};
    tby_db *db = database_open(a, TBY_DB_READ);
    database_work(db, "counting");
    if (!info_write(&text, db, as_json, true))
        error_exit("info: %s: %s", a->words[0], sqlite3_errmsg(tby_db_sqlite(db)));
    database_done(db);
    out_bytes(text.s, text.n);
    buffer_free(&text);
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
