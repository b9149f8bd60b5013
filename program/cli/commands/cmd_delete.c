/*
 * cmd_delete.c - tabiya delete: games out of a database, by number or by condition.
 */
#include "commands.h"
#include "messages.h"
#include "query_options.h"
#include "range.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The games to delete, as a buffer of tby_game_id. */
typedef struct choice {
    const args *args;
    tby_db *db;
    buffer ids;
} choice;

static void add_id(choice *c, tby_game_id id) { buffer_add(&c->ids, (const char *)&id, sizeof id); }

static bool add_hit(void *context, const tby_db_hit *hit)
{
    add_id(context, hit->id);
    return true;
}

/* Only those that are there: the range may be far larger. */
static void add_range(choice *c, const range *r)
{
    char asked[64];
    const int n = snprintf(asked, sizeof asked, "id %lu..%lu", r->low,
                           r->high > UINT32_MAX ? (unsigned long)UINT32_MAX : r->high);
    tby_query *made = tby_query_new(asked, (size_t)n, NULL, NULL, NULL);
    const tby_db_search search = {.query = made};
    if (!made)
        error_exit("out of memory");
    if (tby_db_find(c->db, &search, add_hit, c) != TBY_OK)
        database_failed(c->args, c->db);
    tby_query_free(made);
}

/* A number or a range; numbers that no game has are skipped. */
static void add_item(choice *c, const char *item)
{
    range r;
    problem p = {0};
    range_of_games(&r, "delete: --ids", item, &p);
    problem_exit(&p);
    if (r.low == r.high)
        add_id(c, (tby_game_id)r.low);
    else
        add_range(c, &r);
}

static void add_list(choice *c, const char *list)
{
    buffer item = {0};
    do {
        const size_t n = strcspn(list, ", \t\r\n");
        item.n = 0;
        buffer_add(&item, list, n);
        buffer_add(&item, "", 1);
        if (n)
            add_item(c, item.s);
        list += n;
        list += strspn(list, ", \t\r\n");
    } while (*list);
    buffer_free(&item);
}

static void add_stdin(choice *c)
{
    char *line = NULL;
    size_t cap = 0;
    while (errno = 0, getline(&line, &cap, stdin) >= 0)
        add_list(c, line);
    if (!feof(stdin))
        error_exit("cannot read standard input: %s", strerror(errno));
    free(line);
}

/* What conditions pick is deleted only if the user means it. */
static void add_found(choice *c, tby_db *db, const query *q)
{
    database_work(db, "searching");
    if (tby_db_find(db, &q->search, add_hit, c) != TBY_OK)
        database_failed(c->args, db);
    database_done(db);
    const size_t n = c->ids.n / sizeof(tby_game_id);
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
    choice c = {.args = a, .db = db};
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
    else if (strcmp(ids, "-") == 0)
        add_stdin(&c);
    else
        add_list(&c, ids);
    int64_t n = 0;
    database_work(db, "deleting");
    if (tby_db_delete(&n, db, (const tby_game_id *)(void *)c.ids.s, c.ids.n / sizeof(tby_game_id)) != TBY_OK)
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
