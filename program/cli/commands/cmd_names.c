/*
 * cmd_names.c - tabiya names: spellings of players' names that may be the same player.
 *
 *     Carlsen,M <tab> Carlsen, Magnus <tab> 12 <tab> 3071       a spelling, the one it may be a variant of, games
 *
 * The lines are a proposal: the user deletes wrong ones, and `tabiya pgn --names FILE` applies the rest.
 */
#include "commands.h"
#include "copies.h"
#include "near.h"
#include "visits.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { OPT_ALL = N_QUERY_OPTIONS, OPT_OUTPUT };

static const option options[] = {
    QUERY_COLORS,
    QUERY_CONDITIONS,
    QUERY_LINES("list at most N names"),
    [OPT_ALL] = {"all", 0, NULL, NULL, "list every name with its number of games, instead of proposals"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    {0},
};

static const example examples[] = {
    {"tabiya names games.pgn -o names.tsv", "Proposes names that may be the same player."},
    {"tabiya pgn --names names.tsv games.pgn -o clean.pgn", "Applies the proposals, after you have reviewed them."},
    {"tabiya names --all games.db more.pgn.gz 'event \"World Championship\"'",
     "Lists the players of some events, in a database and a file."},
    {0},
};

/* ---- The command ------------------------------------------------------------------------------------------------ */

typedef struct collecting {
    tby_spellings *names;
    uint64_t n_games;
} collecting;

static bool collect_game(void *context, source *s, const tby_db_hit *hit)
{
    collecting *c = context;
    tby_row row;
    if (source_row(s, hit->id, &row) != TBY_OK)
        source_failed(s);
    memory_need(tby_spellings_add(c->names, &row) == TBY_OK);
    c->n_games++;
    return true;
}

/* Control characters in names, such as tabs, are replaced. */
static void print_name(const tby_spelling *one, bool has_better)
{
    buffer line = {0};
    buffer_harmless(&line, one->name, strlen(one->name), '?');
    if (has_better) {
        buffer_string(&line, "\t");
        buffer_harmless(&line, one->better, strlen(one->better), '?');
    }
    buffer_printf(&line, "\t%" PRIu64, one->games);
    if (has_better)
        buffer_printf(&line, "\t%" PRIu64, one->better_games);
    buffer_string(&line, "\n");
    out_buffer(&line);
}

/* Prints all names in their order, or those that may be a variant of another one; returns how many. */
static size_t print_names(tby_spellings *names, bool takes_all, size_t limit)
{
    size_t n_printed = 0;
    tby_spelling one;
    for (size_t i = 0; n_printed < limit && tby_spellings_at(&one, names, i); i++)
        if (takes_all || one.better) {
            print_name(&one, !takes_all);
            n_printed++;
        }
    return n_printed;
}

static int names_run(const args *a)
{
    collecting c = {.names = memory_got(tby_spellings_new(!args_has(a, OPT_ALL)))};
    query q;
    sources all = sources_of_words(a, 0);
    const size_t limit = option_number(a, QUERY_LIMIT, ULONG_MAX, 1, ULONG_MAX);
    all.only_tags = true;
    refuse_overwriting(args_value(a, OPT_OUTPUT), a);
    sources_open(&all, SOURCE_ONCE, SOURCE_ONCE);
    query_of_options(&q, a, all.text, (tby_text){0}, NULL, source_db(all.of[0]));
    q.search.wanted = TBY_WANTED_ROWS;
    visits_run(&(visits){.sources = &all, .query = &q, .work = "names", .visit = collect_game, .context = &c});
    if (interrupts_came())
        error_exit("names: interrupted");
    out_open(args_value(a, OPT_OUTPUT));
    const size_t n = print_names(c.names, args_has(a, OPT_ALL), limit);
    if (!c.n_games)
        none_found(&all, all.text);
    tby_spellings_free(c.names);
    query_free(&q);
    return sources_close(&all, n ? EXIT_YES : EXIT_NO);
}

const command cmd_names = {
    .name = "names",
    .group = GROUP_COLLECTION,
    .words = "SOURCE... [QUERY]",
    .summary = "find different spellings of the same player",
    .description =
        "Reads the players' names of games, and prints one line for each spelling that may be a variant of another: "
        "the spelling, the other one, and the number of games of each, separated by tabs. Two spellings are considered "
        "the same player if they differ only in case, accents, dots, the order of first and last name, initials for "
        "first names, or one letter of a long first name, and no third spelling contradicts that; never if they differ "
        "in digits or in Jr and Sr, have met, or played different games in one round of one event. The spelling with "
        "the most games is kept. `tabiya pgn --names FILE` applies such a list. A game with a fault in its moves is "
        "reported, and its names count.\n\n" QUERY_HELP,
    .exits = "0  spellings were found\n1  none were found\n2  something could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = names_run,
};
