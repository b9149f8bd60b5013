/*
 * cmd_shard.c - tabiya shard: a database on several PostgreSQL servers.
 */
#include "actions.h"
#include "commands.h"
#include "database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_JSON, OPT_PRINT, OPT_SHARE };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "status: print one JSON object per shard"},
    [OPT_PRINT] = {"print", 0, NULL, NULL, "init, add: print the SQL statements without running them"},
    [OPT_SHARE] = {"share", 0, "PERCENT", NULL, "move: move this share of the shard's games (default: all)"},
    {0},
};

static const example examples[] = {
    {"tabiya shard init postgresql://hub/games postgresql://a/games postgresql://b/games",
     "Sets up three servers: a coordinator and two shards."},
    {"tabiya shard init --print postgresql://hub/games postgresql://a/games", "Prints what a DBA would run by hand."},
    {"tabiya import postgresql://hub/games games.pgn.zst", "Fills all shards at the same time."},
    {"tabiya shard add postgresql://hub/games postgresql://c/games",
     "Adds a shard and moves its share of the games there."},
    {"tabiya shard move postgresql://hub/games 1 3 --share 50", "Moves half of the games of shard 1 to shard 3."},
    {"tabiya shard status postgresql://hub/games", "Shows which shards respond and what they hold."},
    {0},
};

static _Noreturn void fail(const args *a, const char *error)
{
    error_print("shard %s: %s", a->words[0], error);
    out_close();
    exit(EXIT_FAILED);
}

static bool look_up(void *context)
{
    (void)context;
    return !interrupts_came();
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

static int init(const args *a)
{
    char error[TBY_DB_ERROR_SIZE];
    if (a->n_words < 3)
        error_exit("shard init: the URL of a coordinator and of at least one shard are needed; try --help");
    const size_t n = a->n_words - 2;
    const bool is_shown = args_has(a, OPT_PRINT);
    if (tby_shards_init(a->words[1], a->words + 2, n, is_shown ? out_sink : NULL, NULL, error) != TBY_OK)
        fail(a, error);
    if (!is_shown)
        out_printf("%zu %s ready; tabiya import on the coordinator's URL fills %s\n", n,
                   n == 1 ? "shard is" : "shards are", n == 1 ? "it" : "them");
    return EXIT_YES;
}

static int add(const args *a)
{
    char error[TBY_DB_ERROR_SIZE];
    if (a->n_words != 3)
        error_exit("shard add: the URLs of the coordinator and of the new shard are needed; try --help");
    const bool is_shown = args_has(a, OPT_PRINT);
    interrupts_catch();
    if (tby_shards_add(a->words[1], a->words[2], is_shown ? out_sink : NULL, NULL, look_up, NULL, error) != TBY_OK)
        fail(a, error);
    if (!is_shown)
        out_string("the shard is ready, and has its share of the games\n");
    return EXIT_YES;
}

static int move(const args *a)
{
    char error[TBY_DB_ERROR_SIZE];
    const char *share = args_value(a, OPT_SHARE);
    if (a->n_words != 4)
        error_exit("shard move: the URL of the coordinator and the numbers of two shards are needed; try --help");
    const int from = (int)number_read("shard move: FROM", a->words[2], 1, 1024);
    const int to = (int)number_read("shard move: TO", a->words[3], 1, 1024);
    const int percent = share ? (int)number_read("shard move: --share", share, 1, 100) : 100;
    interrupts_catch();
    if (tby_shards_move(a->words[1], from, to, percent, look_up, NULL, error) != TBY_OK)
        fail(a, error);
    out_printf("moved from shard %d to shard %d\n", from, to);
    return EXIT_YES;
}

/* ---- Status ----------------------------------------------------------------------------------------------------- */

typedef struct total {
    int64_t n_games, n_bytes;
    char extension[32]; /* of the first */
    bool is_wanting, are_different, as_json, has_head;
} total;

static void print_json_text(const char *s)
{
    char text[2 * TBY_DB_ERROR_SIZE];
    size_t n = 0;
    for (; *s && n + 2 < sizeof text; s++) {
        if (*s == '"' || *s == '\\')
            text[n++] = '\\';
        text[n++] = (unsigned char)*s < ' ' ? ' ' : *s;
    }
    out_string("\"");
    out_bytes(text, n);
    out_string("\"");
}

static void print_json(const tby_shard_status *s)
{
    out_printf("{\"shard\":%d,\"place\":", s->number);
    print_json_text(s->place);
    out_printf(",\"slots\":%" PRId64 ",\"reachable\":%s", s->n_slots, s->is_reachable ? "true" : "false");
    if (s->is_reachable) {
        out_printf(",\"games\":%" PRId64 ",\"bytes\":%" PRId64 ",\"standbys\":%" PRId64 ",\"lag\":", s->n_games,
                   s->n_bytes, s->n_standbys);
        if (s->lag < 0)
            out_string("null");
        else
            out_printf("%" PRId64, s->lag);
        out_string(",\"server\":");
        print_json_text(s->server_version);
        out_string(",\"extension\":");
        print_json_text(s->extension_version);
    } else {
        out_string(",\"error\":");
        print_json_text(s->error);
    }
    out_printf(",\"moving\":%s}\n", s->is_moving ? "true" : "false");
}

static void print_row(const tby_shard_status *s)
{
    char lag[32] = "-";
    if (s->lag >= 0)
        snprintf(lag, sizeof lag, "%" PRId64, s->lag);
    if (s->is_reachable) /* of "15.20 (Debian 15.20-0+deb12u1)" the number */
        out_printf("%-5d %12" PRId64 " %15" PRId64 " %6" PRId64 " %9" PRId64 " %10s  %-12.*s %-10s %s\n", s->number,
                   s->n_games, s->n_bytes, s->n_slots, s->n_standbys, lag, (int)strcspn(s->server_version, " "),
                   s->server_version, s->extension_version, s->place);
    else
        out_printf("%-5d not reachable: %s (%s)\n", s->number, s->error, s->place);
    if (s->is_moving)
        out_printf("%-5d games are being moved here; if nobody does, the next import or move ends it\n", s->number);
}

static bool take_status(void *context, const tby_shard_status *s)
{
    total *t = context;
    t->n_games += s->n_games;
    t->n_bytes += s->n_bytes;
    t->is_wanting |= !s->is_reachable;
    if (s->is_reachable && !*t->extension)
        snprintf(t->extension, sizeof t->extension, "%s", s->extension_version);
    t->are_different |= s->is_reachable && strcmp(t->extension, s->extension_version) != 0;
    if (!t->as_json && !t->has_head)
        out_printf("%-5s %12s %15s %6s %9s %10s  %-12s %-10s %s\n", "shard", "games", "bytes", "slots", "standbys",
                   "lag", "PostgreSQL", "extension", "place");
    t->has_head = true;
    if (t->as_json)
        print_json(s);
    else
        print_row(s);
    return true;
}

static int status(const args *a)
{
    char error[TBY_DB_ERROR_SIZE];
    total t = {.as_json = args_has(a, OPT_JSON)};
    if (a->n_words != 2)
        error_exit("shard status: the URL of the coordinator is needed; try --help");
    if (tby_shards_status(a->words[1], take_status, &t, error) != TBY_OK)
        fail(a, error);
    if (!t.as_json)
        out_printf("%-5s %12" PRId64 " %15" PRId64 "\n", "total", t.n_games, t.n_bytes);
    if (!t.as_json && t.are_different)
        out_string("the extension has different versions; ALTER EXTENSION tabiya UPDATE on a shard brings the one that "
                   "is installed there\n");
    return t.is_wanting || t.are_different ? EXIT_NO : EXIT_YES;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static const action actions[] = {
    {"init", init, TAKES(OPT_PRINT)},
    {"add", add, TAKES(OPT_PRINT)},
    {"move", move, TAKES(OPT_SHARE)},
    {"status", status, TAKES(OPT_JSON)},
};

static int run(const args *a)
{
    const action *what = action_of(a, actions, sizeof actions / sizeof *actions);
    for (size_t i = 1; i < a->n_words; i++)
        if ((what->run != move || i == 1) && !tby_db_is_server(a->words[i]))
            error_exit("shard %s: \"%s\" is not a URL of a PostgreSQL database, postgresql://USER@HOST/NAME",
                       what->name, a->words[i]);
    return what->run(a);
}

const command cmd_shard = {
    .name = "shard",
    .group = GROUP_SERVERS,
    .words = "init|add|move|status COORDINATOR [SHARD...]",
    .summary = "spread a database over several PostgreSQL servers",
    .description =
        "When games outgrow one machine, they can be spread over several PostgreSQL databases, the shards. Another "
        "database, the coordinator, holds no games, but knows the shards and queries them in parallel. import, find, "
        "explore, export, delete, info, verify and serve take the coordinator's URL and work as with a single "
        "database. All are PostgreSQL databases with the tabiya extension; the coordinator reaches the shards with "
        "postgres_fdw, and tabiya import fills them directly.\n\ninit COORDINATOR SHARD... creates the tables on all "
        "of them, in existing databases. If everything is already there, nothing changes. Shards are numbered from 1 "
        "in the order given. --print shows the statements instead, as a script for psql.\n\nadd COORDINATOR SHARD adds "
        "one shard, moves games from the others until all have their share, and creates the indexes that the others "
        "have.\n\nmove COORDINATOR FROM TO moves games from one shard to another, given by number: all of them, so "
        "that the old one can be retired, or --share PERCENT.\n\nstatus COORDINATOR lists the shards: games, bytes, "
        "how many of the 1024 hash slots they hold, how many standbys they have and how many bytes of the log the "
        "slowest has yet to replay, versions, and whether they respond.\n\nA game's hash determines its shard, so two "
        "copies of a game always end up on the same one. To continue after an interruption, repeat the command. The "
        "user of each URL must be able to log in from the coordinator; a password in a URL is stored in the "
        "coordinator's user mapping.",
    .exits = "0  done; all shards respond\n1  status: a shard does not respond, or versions differ\n2  something "
             "failed or was interrupted",
    .options = options,
    .examples = examples,
    .run = run,
};
