/*
 * cmd_collection.c - tabiya collection: named sets of games in a database, for `collection NAME` in queries.
 */
#include "commands.h"
#include "picked.h"

#include <inttypes.h>

enum { OPT_IDS = N_QUERY_OPTIONS, OPT_JSON };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_IDS] = {"ids", 0, "LIST", NULL,
                 "use the games with these numbers: 1,5,9..20; - reads them from standard input"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "list: print one JSON object per collection"},
    {0},
};

static const example examples[] = {
    {"tabiya collection add games.db 'My Najdorf' 'eco B90..B99 player morphy'",
     "Collects the games that a query finds."},
    {"tabiya find games.db 'collection najdorf elo 2400..'", "Searches in a collection."},
    {"tabiya collection list games.db", "Lists the collections with the number of their games."},
    {0},
};

/* ---- Listing ---------------------------------------------------------------------------------------------------- */

typedef struct listing {
    bool is_json;
    int64_t n;
} listing;

static void print_collection(void *context, tby_text name, int64_t games)
{
    listing *l = context;
    buffer out = {0};
    if (l->is_json) {
        json_add(&out, "{'name':%.*s,'games':%lld}\n", (int)name.n, name.s, (long long)games);
    } else {
        buffer_printf(&out, "%7" PRId64 "  ", games);
        buffer_harmless(&out, name.s, name.n, '?');
        buffer_string(&out, "\n");
    }
    out_buffer(&out);
    l->n++;
}

static int list(const args *a)
{
    listing l = {.is_json = args_has(a, OPT_JSON)};
    database_refuse_words(a, 1);
    tby_db *db = database_open(a, TBY_DB_READ);
    if (tby_db_collections(db, 0, print_collection, &l) != TBY_OK)
        database_failed(a, db);
    tby_db_close(db);
    return l.n ? EXIT_YES : EXIT_NO;
}

/* ---- Changing --------------------------------------------------------------------------------------------------- */

static const char *name_of(const args *a)
{
    if (a->n_words < 2)
        error_exit("collection: the name of a collection is missing; try --help");
    return a->words[1];
}

static int change(const args *a, bool is_adding)
{
    const char *name = name_of(a);
    tby_db *db = database_open(a, TBY_DB_WRITE);
    picked p = {.args = a, .db = db};
    int64_t n = 0;
    picked_add(&p, args_value(a, OPT_IDS), 2);
    if (picked_n(&p) &&
        (is_adding ? tby_db_collect : tby_db_uncollect)(&n, db, name, picked_ids(&p), picked_n(&p)) != TBY_OK)
        database_failed(a, db);
    out_printf("%" PRId64 " %s %s %s\n", n, plural((uint64_t)n, "game", "games"),
               is_adding ? "added to" : "removed from", name);
    buffer_free(&p.ids);
    database_close(db, a->words[0]);
    return n ? EXIT_YES : EXIT_NO;
}

static int add(const args *a) { return change(a, true); }
static int take_out(const args *a) { return change(a, false); }

static int discard(const args *a)
{
    const char *name = name_of(a);
    int64_t n = 0;
    database_refuse_words(a, 2);
    tby_db *db = database_open(a, TBY_DB_WRITE);
    if (tby_db_uncollect(&n, db, name, NULL, 0) != TBY_OK)
        database_failed(a, db);
    out_printf(n ? "collection %s deleted; its games stay in the database\n" : "there is no collection %s\n", name);
    database_close(db, a->words[0]);
    return n ? EXIT_YES : EXIT_NO;
}

static const action actions[] = {{"add", add, ~TAKES(OPT_JSON)},
                                 {"delete", discard, 0},
                                 {"list", list, TAKES(OPT_JSON)},
                                 {"remove", take_out, ~TAKES(OPT_JSON)}};

static int collection_run(const args *all)
{
    const action *what = action_of(all, actions, sizeof actions / sizeof *actions);
    args a = *all;
    a.words++; /* the action */
    a.n_words--;
    if (a.n_words == 0)
        error_exit("collection %s: a database is needed; try --help", what->name);
    return what->run(&a);
}

const command cmd_collection = {
    .name = "collection",
    .group = GROUP_COLLECTION,
    .words = "add|delete|list|remove DB [NAME [QUERY]]",
    .summary = "keep named sets of games in a database",
    .description = "A collection is a named set of games of a database; `collection NAME` in a query finds its games. "
                   "add puts the games with the numbers of --ids, or all that match the conditions, into the "
                   "collection NAME, which need not exist; remove takes them out; delete removes the collection and "
                   "keeps its games; list prints every collection with the number of its games. A collection exists as "
                   "long as it has a game. If anything fails, nothing is changed. `tabiya help query` explains the "
                   "QUERY, and the options for conditions, order and sample that all commands share. " SERVER_HELP,
    .exits = "0  something was changed or listed\n1  there was nothing to change or list\n2  wrong usage, or the "
             "database could not be read or written",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = collection_run,
};
