/*
 * cmd_cluster.c - tabiya cluster: a database that Citus distributes over several PostgreSQL servers.
 */
#include "commands.h"
#include "database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_JSON, OPT_PRINT, OPT_SHARDS };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "status: print one JSON object per worker"},
    [OPT_PRINT] = {"print", 0, NULL, NULL, "init: print the SQL statements without running them"},
    [OPT_SHARDS] =
        {"shards", 0, "N", NULL,
         "init: how many parts each table has (default: at least two per worker and eight altogether, or one for every "
         "four million games there are already)"},
    {0},
};

static const example examples[] = {
    {"tabiya cluster init postgresql://hub/db postgresql://a/db postgresql://b/db",
     "Sets up a coordinator and two workers."},
    {"tabiya cluster init --print postgresql://hub/games postgresql://a/games",
     "Prints the statements without running them."},
    {"tabiya import postgresql://hub/games games.pgn.zst", "Fills all workers."},
    {"tabiya cluster status postgresql://hub/games", "Shows which servers respond and what they hold."},
    {"tabiya cluster add postgresql://hub/games postgresql://c/games", "Adds a worker."},
    {"tabiya cluster rebalance postgresql://hub/games", "Moves games until all workers have their share."},
    {0},
};

static _Noreturn void cluster_fail(const args *a, const char *error)
{
    error_print("cluster %s: %s", a->words[0], error);
    out_close();
    exit(EXIT_FAILED);
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

enum { SHARDS_MAX = 32000 }; /* of Citus */

/* --shards; 0: by the number of workers. */
static int n_shards_of(const args *a)
{
    const char *n = args_value(a, OPT_SHARDS);
    return n ? (int)number_read("cluster init: --shards", n, 1, SHARDS_MAX) : 0;
}

static int init(const args *a)
{
    tby_failure failure;
    if (a->n_words < 2)
        error_exit("cluster init: the URLs of a coordinator and of its workers are needed; try --help");
    const bool is_shown = args_has(a, OPT_PRINT);
    if (tby_cluster_init(a->words[1], a->words + 2, a->n_words - 2, n_shards_of(a), is_shown ? out_sink : NULL, NULL,
                         &failure) != TBY_OK)
        cluster_fail(a, failure.text);
    if (!is_shown)
        out_string("the cluster is ready; tabiya import on the coordinator's URL fills it\n");
    return EXIT_YES;
}

static int add(const args *a)
{
    tby_failure failure;
    if (a->n_words != 3)
        error_exit("cluster add: the URLs of the coordinator and of the new worker are needed; try --help");
    if (tby_cluster_add(a->words[1], a->words[2], &failure) != TBY_OK)
        cluster_fail(a, failure.text);
    out_string("the worker is ready; tabiya cluster rebalance moves games there\n");
    return EXIT_YES;
}

static int rebalance(const args *a)
{
    tby_failure failure;
    if (a->n_words != 2)
        error_exit("cluster rebalance: the URL of the coordinator is needed; try --help");
    if (tby_cluster_rebalance(a->words[1], &failure) != TBY_OK)
        cluster_fail(a, failure.text);
    out_string("games are being moved in the background; SELECT * FROM citus_rebalance_status() shows how far\n");
    return EXIT_YES;
}

/* ---- Status ----------------------------------------------------------------------------------------------------- */

typedef struct total {
    int64_t n_games, n_bytes;
    char extension[32]; /* of the first */
    bool is_wanting, are_different, as_json, has_head;
} total;

/* Control characters, such as the line ends of a server's messages, become blanks. */
static void add_json(buffer *out, const char *name, const char *s)
{
    buffer text = {0};
    buffer_harmless(&text, s, strlen(s), ' ');
    json_add(out, "%s:%.*s", name, (int)text.n, text.s);
    buffer_free(&text);
}

static void print_json(const tby_cluster_member *s)
{
    buffer out = {0};
    json_add(&out, "{'worker':%d", s->number);
    add_json(&out, "place", s->place);
    json_add(&out, "'reachable':%i", s->is_reachable);
    if (s->is_reachable) {
        json_add(&out, "'games':%lld,'bytes':%lld,'standbys':%lld", (long long)s->n_games, (long long)s->n_bytes,
                 (long long)s->n_standbys);
        if (s->lag < 0)
            json_add(&out, "'lag':null");
        else
            json_add(&out, "'lag':%lld", (long long)s->lag);
        add_json(&out, "server", s->server_version);
        add_json(&out, "extension", s->extension_version);
    } else {
        add_json(&out, "error", s->error);
    }
    buffer_string(&out, "}\n");
    out_buffer(&out);
}

static void print_row(const tby_cluster_member *s)
{
    char lag[32] = "-";
    if (s->lag >= 0)
        snprintf(lag, sizeof lag, "%" PRId64, s->lag);
    if (s->is_reachable) /* only the number of "15.20 (Debian 15.20-0+deb12u1)" */
        out_printf("%-6d %12" PRId64 " %15" PRId64 " %9" PRId64 " %10s  %-12.*s %-10s %s\n", s->number, s->n_games,
                   s->n_bytes, s->n_standbys, lag, (int)strcspn(s->server_version, " "), s->server_version,
                   s->extension_version, s->place);
    else
        out_printf("%-6d not reachable: %s (%s)\n", s->number, s->error, s->place);
}

static bool take_status(void *context, const tby_cluster_member *s)
{
    total *t = context;
    t->n_games += s->n_games;
    t->n_bytes += s->n_bytes;
    t->is_wanting |= !s->is_reachable;
    if (s->is_reachable && !*t->extension)
        snprintf(t->extension, sizeof t->extension, "%s", s->extension_version);
    t->are_different |= s->is_reachable && strcmp(t->extension, s->extension_version) != 0;
    if (!t->as_json && !t->has_head)
        out_printf("%-6s %12s %15s %9s %10s  %-12s %-10s %s\n", "worker", "games", "bytes", "standbys", "lag",
                   "PostgreSQL", "extension", "place");
    t->has_head = true;
    if (t->as_json)
        print_json(s);
    else
        print_row(s);
    return true;
}

static int status(const args *a)
{
    tby_failure failure;
    total t = {.as_json = args_has(a, OPT_JSON)};
    if (a->n_words != 2)
        error_exit("cluster status: the URL of the coordinator is needed; try --help");
    if (tby_cluster_status(a->words[1], take_status, &t, &failure) != TBY_OK)
        cluster_fail(a, failure.text);
    if (!t.as_json)
        out_printf("%-6s %12" PRId64 " %15" PRId64 "\n", "total", t.n_games, t.n_bytes);
    if (!t.as_json && t.are_different)
        out_string("the servers have different versions of the extension; install the same one on all, and run ALTER "
                   "EXTENSION tabiya UPDATE\n");
    return t.is_wanting || t.are_different ? EXIT_NO : EXIT_YES;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static const action actions[] = {
    {"init", init, TAKES(OPT_PRINT) | TAKES(OPT_SHARDS)},
    {"add", add, 0},
    {"rebalance", rebalance, 0},
    {"status", status, TAKES(OPT_JSON)},
};

static int cluster_run(const args *a)
{
    n_shards_of(a); /* refuses a bad value whatever the action */
    const action *what = action_of(a, actions, sizeof actions / sizeof *actions);
    for (size_t i = 1; i < a->n_words; i++)
        if (!tby_db_is_server(a->words[i]))
            error_exit("cluster %s: \"%s\" is not a URL of a PostgreSQL database, postgresql://USER@HOST/NAME",
                       what->name, a->words[i]);
    return what->run(a);
}

const command cmd_cluster = {
    .name = "cluster",
    .group = GROUP_SERVERS,
    .words = "init|add|rebalance|status COORDINATOR [WORKER...]",
    .summary = "distribute a database over several PostgreSQL servers with Citus",
    .description =
        "When games outgrow one machine, Citus, an extension of PostgreSQL, can distribute them over several servers, "
        "its workers. All commands then take the URL of the coordinator and answer as a single database would. The "
        "extensions citus and tabiya must be installed on every server; run CREATE EXTENSION citus in the database of "
        "each.\n\ninit COORDINATOR WORKER... creates and distributes the tables, in existing databases, with the games "
        "that the coordinator already has. If something fails, nothing is changed; if everything is already there, "
        "too. "
        "--print shows the statements instead, as a script for psql on the coordinator.\n\nadd COORDINATOR WORKER adds "
        "a worker, and rebalance COORDINATOR moves games to it while others read and write.\n\nstatus COORDINATOR "
        "lists "
        "the workers: games, bytes, how many standbys they have and how many bytes of the log the slowest has yet to "
        "replay, versions, and whether they respond.\n\nThe host in the URL of a worker must be the name by which the "
        "servers reach each other.",
    .exits = "0  done; all workers respond\n1  status: a worker does not respond, or versions differ\n2  something "
             "failed or was interrupted",
    .options = options,
    .examples = examples,
    .run = cluster_run,
};
