/*
 * cmd_delete.c - tabiya delete: games out of a database, by number or by condition.
 */
#include "commands.h"
#include "messages.h"
#include "picked.h"

#include <inttypes.h>
#include <stdlib.h>

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
    {"tabiya find games.db --event '*blitz*' --ids | tabiya delete games.db --ids -", "Deletes what find has found."},
    {"tabiya delete games.db --plies ..10 --yes", "Deletes all short games."},
    {0},
};

/* ---- Which games ------------------------------------------------------------------------------------------------ */

/* What conditions pick is deleted only if the user means it. */
static void add_found(picked *c, tby_db *db, const query *q)
{
    picked_add_found(c, q);
    const size_t n = picked_n(c);
    if (n && !args_has(c->args, OPT_YES)) {
        error_print("delete: %zu %s would be deleted; --yes deletes %s", n, plural(n, "game", "games"),
                    plural(n, "it", "them"));
        tby_db_close(db);
        exit(EXIT_FAILED);
    }
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int delete_run(const args *a)
{
    query q;
    const char *ids = args_value(a, OPT_IDS);
    tby_db *db = database_open(a, TBY_DB_WRITE);
    picked c = {.args = a, .db = db};
    char *text = a->n_words > 1 ? words_join(a, 1) : NULL;
    query_refuse_order(a, true);
    query_of_options(&q, a, text, (tby_text){0}, NULL, db);
    free(text);
    if (!ids == !q.has_condition)
        error_exit(ids ? "delete: --ids and conditions cannot both be given"
                       : "delete: which games? Give --ids or conditions; try --help");
    if (args_has(a, QUERY_EXPLAIN) && ids)
        error_exit("delete: --ids needs no search to explain");
    if (args_has(a, QUERY_EXPLAIN)) {
        query_explain(&q, a, db, NULL);
        query_free(&q);
        tby_db_close(db);
        return EXIT_YES;
    }
    if (!ids)
        add_found(&c, db, &q);
    else
        picked_add_list(&c, ids);
    int64_t n = 0;
    database_work(db, "deleting");
    if (tby_db_delete(&n, db, picked_ids(&c), picked_n(&c)) != TBY_OK)
        database_failed(a, db);
    database_done(db);
    out_printf("%" PRId64 " %s deleted\n", n, plural((uint64_t)n, "game", "games"));
    query_free(&q);
    buffer_free(&c.ids);
    tby_db_close(db);
    return n ? EXIT_YES : EXIT_NO;
}

const command cmd_delete = {
    .name = "delete",
    .group = GROUP_COLLECTION,
    .words = "DB [QUERY]",
    .summary = "delete games by number or query",
    .description = "Deletes games by number, as printed by find, or all games that match the conditions; conditions "
                   "require --yes. If anything fails, no game is deleted. Numbers without a game are ignored, and "
                   "numbers are never reused. DB is a database or a server (postgresql://USER@HOST/NAME); `tabiya pgn "
                   "--invert` writes a file without some of its games.\n\n`tabiya help query` explains the QUERY, and "
                   "the options for conditions that all commands share; --sort and --sample do not apply.",
    .exits = "0  games were deleted\n1  there were none\n2  wrong usage, --yes is missing, or the database could not "
             "be written",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = delete_run,
};
