/*
 * cmd_names.c - tabiya names: spellings of players' names that may be the same player.
 *
 *     Carlsen,M <tab> Carlsen, Magnus <tab> 12 <tab> 3071       a spelling, the one it may be a variant of, games
 *
 * The lines are a proposal: whoever knows better deletes some, and `tabiya pgn --names FILE` applies the rest.
 */
#include "commands.h"
#include "database.h"
#include "names.h"
#include "open_input.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ALL, OPT_OUTPUT };

static const option options[] = {
    [OPT_ALL] = {"all", 0, NULL, NULL, "list every name with its number of games, instead of proposals"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    {0},
};

static const example examples[] = {
    {"tabiya names games.pgn -o names.tsv", "Proposes names that may be the same player."},
    {"tabiya pgn --names names.tsv games.pgn -o clean.pgn", "Applies the proposals, after you have reviewed them."},
    {"tabiya names --all games.db", "Lists all names."},
    {0},
};

/* ---- Collecting ------------------------------------------------------------------------------------------------- */

typedef struct collecting {
    const args *args;
    tby_db *db;
    name_list *names;
} collecting;

static bool collect_row(void *context, const tby_db_hit *hit)
{
    collecting *c = context;
    tby_row row;
    if (tby_db_row(&row, c->db, hit->id) != TBY_OK)
        database_failed(c->args, c->db);
    names_add(c->names, row.white.s, row.white.n);
    names_add(c->names, row.black.s, row.black.n);
    return !interrupts_came();
}

static void collect_database(collecting *c)
{
    const tby_db_search search = {.wanted = TBY_WANTED_ROWS, .progress = database_report};
    c->db = database_open(c->args, TBY_DB_READ);
    interrupts_catch();
    database_work(c->db, "reading names");
    if (tby_db_find(c->db, &search, collect_row, c) != TBY_OK && !interrupts_came())
        database_failed(c->args, c->db);
    database_done(c->db);
    tby_db_close(c->db);
    if (interrupts_came())
        error_exit("names: interrupted");
}

static void collect_tag(collecting *c, const tby_game *game, const char *tag)
{
    const char *name = tby_game_tag(game, tag);
    if (name)
        names_add(c->names, name, strlen(name));
}

/* False if the file could not be read to its end. Faults of games are for `tabiya check`. */
static bool collect_file(collecting *c, const char *path)
{
    input *in = input_open(path);
    if (!in)
        return false;
    tby_game *game = tby_game_new(NULL);
    tby_games *games = input_notation(in, NULL)->open(input_read, in, NULL);
    tby_game_read read;
    if (!game || !games)
        error_exit("out of memory");
    progress_begin(input_name(in));
    while ((read = tby_games_next(games, game, NULL, NULL)) == TBY_GAME_GOOD || read == TBY_GAME_BAD) {
        collect_tag(c, game, "White");
        collect_tag(c, game, "Black");
        progress_update(input_fraction(in), 0, tby_games_where(games).n_games);
    }
    progress_hide();
    if (read != TBY_GAME_END)
        error_exit("out of memory");
    const bool is_good = input_is_whole(in);
    tby_games_free(games);
    tby_game_free(game);
    input_close(in);
    return is_good;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* And a tab: no name may hold one here. */
static void print_spelling(const char *name)
{
    buffer text = {0};
    buffer_harmless(&text, name, strlen(name), '?');
    buffer_string(&text, "\t");
    out_bytes(text.s, text.n);
    buffer_free(&text);
}

static void print_pair(void *context, const char *name, const char *proposed, uint64_t games, uint64_t of_proposed)
{
    (void)context;
    print_spelling(name);
    print_spelling(proposed);
    out_printf("%" PRIu64 "\t%" PRIu64 "\n", games, of_proposed);
}

static void print_name(void *context, const char *name, const char *proposed, uint64_t games, uint64_t of_proposed)
{
    (void)context;
    (void)proposed;
    (void)of_proposed;
    print_spelling(name);
    out_printf("%" PRIu64 "\n", games);
}

static int names_run(const args *a)
{
    collecting c = {.args = a, .names = names_new()};
    bool is_good = true;
    if (a->n_words == 0)
        error_exit("names: no FILE or DB given; try --help");
    if (tby_db_is_server(a->words[0]) || tby_db_is_file(a->words[0])) {
        database_refuse_words(a, 1);
        collect_database(&c);
    } else {
        for (size_t i = 0; i < a->n_words; i++)
            is_good &= collect_file(&c, a->words[i]);
    }
    out_open(args_value(a, OPT_OUTPUT));
    const size_t n = args_has(a, OPT_ALL) ? names_list(c.names, print_name, NULL)
                                          : names_propose(c.names, print_pair, NULL);
    names_free(c.names);
    return !is_good ? EXIT_FAILED : n ? EXIT_YES : EXIT_NO;
}

const command cmd_names = {
    .name = "names",
    .group = GROUP_COLLECTION,
    .words = "FILE...|DB",
    .summary = "find different spellings of the same player",
    .description =
        "Reads the players' names in files of games or in a database, and prints one line for each spelling that may "
        "be a variant of another: the spelling, the other one, and the number of games of each, separated by tabs. Two "
        "spellings are considered the same player if they differ only in case, accents, dots, the order of first and "
        "last name, initials for first names, or one letter of a long first name, and no third spelling contradicts "
        "that. The spelling with the most games is kept. `tabiya pgn --names FILE` applies such a list. " SERVER_HELP,
    .exits = "0  spellings were found\n1  none were found\n2  something could not be read",
    .options = options,
    .examples = examples,
    .run = names_run,
};
