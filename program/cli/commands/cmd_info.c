/*
 * cmd_info.c - tabiya info: what is in a database, and what takes up space.
 */
#include "commands.h"
#include "database.h"
#include "info.h"

enum { OPT_JSON, OPT_SIZES };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "print a JSON object"},
    [OPT_SIZES] = {"sizes", 0, NULL, NULL, "also print the size of each table in bytes; this reads the whole file"},
    {0},
};

static const example examples[] = {
    {"tabiya info games.db", "Prints games, players, dates, results, the index and the size of the file."},
    {0},
};

static int info_run(const args *a)
{
    const bool as_json = args_has(a, OPT_JSON);
    buffer text = {0};
    database_refuse_words(a, 1);
    tby_db *db = database_open(a, TBY_DB_READ);
    database_work(db, "counting");
    if (!info_write(&text, db, as_json, args_has(a, OPT_SIZES)))
        database_failed(a, db);
    database_done(db);
    out_buffer(&text);
    tby_db_close(db);
    return EXIT_YES;
}

const command cmd_info = {
    .name = "info",
    .group = GROUP_COLLECTION,
    .words = "DB",
    .summary = "show what a database contains and its size",
    .description = "Prints what the database DB contains, one fact per line: games, half-moves, games with comments or "
                   "variations, players, events, sites, first and last date, results, how many games the position "
                   "index covers and how deep, the schema version, and the size of the file in bytes. " SERVER_HELP,
    .exits = "0  done\n2  the database could not be read",
    .options = options,
    .examples = examples,
    .run = info_run,
};
