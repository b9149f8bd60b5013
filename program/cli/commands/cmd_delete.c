/*
 * cmd_delete.c - tabiya delete: deletes games from a database, by number or condition.
 */
#include "commands.h"
#include "picked.h"

#include <inttypes.h>

enum { OPT_IDS = N_QUERY_OPTIONS, OPT_YES };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_IDS] = {"ids", 0, "LIST", NULL,
                 "delete the games with these numbers: 1,5,9..20; - reads them from standard input"},
    [OPT_YES] = {"yes", 0, NULL, NULL,
                 "really delete the games that match the conditions; without it they are only counted"},
    {0},
};

static const example examples[] = {
    {"tabiya delete games.db --ids 1,5,9..20", "Deletes games by number."},
    {"tabiya find games.db 'event \"*blitz*\"' --ids | tabiya delete games.db --ids -",
     "Deletes the games that find lists."},
    {"tabiya delete games.db 'plies ..10' --yes", "Deletes all short games."},
    {"tabiya delete games.db --sort date --limit 1000 --yes", "Deletes the thousand oldest games."},
    {0},
};

static int delete_run(const args *a)
{
    const char *ids = args_value(a, OPT_IDS);
    tby_db *db = database_open(a, TBY_DB_WRITE);
    picked c = {.args = a, .db = db};
    picked_add(&c, ids, 1);
    const size_t n_found = picked_n(&c);
    /* Games selected by conditions are deleted only with --yes. */
    const bool is_sure = ids || !n_found || args_has(a, OPT_YES);
    int64_t n = 0;
    if (!is_sure)
        error_print("delete: %zu %s would be deleted; --yes deletes %s", n_found, plural(n_found, "game", "games"),
                    plural(n_found, "it", "them"));
    database_work(db, "deleting");
    if (is_sure && tby_db_delete(&n, db, picked_ids(&c), n_found) != TBY_OK)
        database_failed(a, db);
    database_done(db);
    if (is_sure)
        out_printf("%" PRId64 " %s deleted\n", n, plural((uint64_t)n, "game", "games"));
    buffer_free(&c.ids);
    database_close(db, a->words[0]);
    return !is_sure ? EXIT_FAILED : n ? EXIT_YES : EXIT_NO;
}

const command cmd_delete = {
    .name = "delete",
    .group = GROUP_COLLECTION,
    .words = "DB [QUERY]",
    .summary = "delete games by number or query",
    .description =
        "Deletes games by number, as printed by find, or all games that match the conditions; conditions require "
        "--yes. --limit, --sort and --sample select some of these games. If anything fails, no game is deleted. "
        "Numbers without a game are ignored, and numbers are never reused. DB is a database or a server "
        "(postgresql://USER@HOST/NAME); `tabiya pgn --invert` writes a file without some of its games.\n\n`tabiya help "
        "query` explains the QUERY, and the options for conditions, order and sample that all commands share.",
    .exits = "0  games were deleted\n1  there were none\n2  wrong usage, --yes is missing, or the database could not "
             "be written",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = delete_run,
};
